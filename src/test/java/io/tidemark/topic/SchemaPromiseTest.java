package io.tidemark.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class SchemaPromiseTest {

  static final SchemaPromise GIVEN = SchemaPromise.given();

  static final List<Schema> OURS =
      Stream.concat(new Topics("tidemark.", Retention.DEFAULT).all().stream(), Stream.of(Topics.SOURCES))
          .map(topic -> SpecificData.get().getSchema(topic.value()))
          .distinct()
          .toList();

  static final String PRICE = "{'name':'usd','type':['null','string'],'default':null}";

  static final Schema RELEASED = pool("{'name':'id','type':'string'}," + facet(PRICE));

  @ParameterizedTest
  @FieldSource("OURS")
  void everySchema_keepsThePromiseOfAllReleases(Schema schema) {
    assertThat(GIVEN.breaches(schema))
        .as("a released schema binds: give a new field a default, leave types and names; see docs/using/schemas.md")
        .isEmpty();
  }

  @Test
  void fieldWithDefault_mayComeAndGo() {
    var more = "{'name':'eur','type':['null','string'],'default':null}";

    assertThat(breaches(pool("{'name':'id','type':'string'}," + facet(PRICE + "," + more)))).isEmpty();
    assertThat(breaches(pool("{'name':'id','type':'string'}," + facet("")))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "{'name':'usd','type':['null','double'],'default':null} | Pool.price.usd: double? against string?",
    "{'name':'usd','type':'string','default':''} | Pool.price.usd: string against string?",
    "{'name':'eur','type':'string'} | Pool.price.eur: added, and has no default",
  })
  void facetThatIsOtherwise_isNamedToTheField(String fields, String breach) {
    assertThat(breaches(pool("{'name':'id','type':'string'}," + facet(fields))))
        .anyMatch(said -> said.startsWith(breach));
  }

  @Test
  void fieldWithoutDefault_mayNotGo() {
    assertThat(breaches(pool(facet(PRICE)))).containsExactly("Pool.id: removed, and has no default: "
        + "readers with the released schema cannot read what is written now");
  }

  @Test
  void typeThatOnlyWidens_breaksReadersOfThen() {
    var promise = new SchemaPromise(List.of(pool("{'name':'id','type':'int'}")));

    assertThat(promise.breaches(pool("{'name':'id','type':'long'}"))).containsExactly(
        "Pool.id: int against long: readers with the released schema cannot read what is written now");
  }

  @Test
  void elementOfAnArray_isComparedToo() {
    var promise = new SchemaPromise(List.of(pool(array("{'name':'at','type':'long'}"))));

    assertThat(promise.breaches(pool(array("{'name':'at','type':'string'}"))))
        .anyMatch(said -> said.startsWith("Pool.trades[].at: string against long"));
  }

  @Test
  void schemaOfAnOlderRelease_bindsAsTheNewestDoes() {
    var oldest = pool("{'name':'id','type':'string'},{'name':'rank','type':'int','default':0}");
    var promise = new SchemaPromise(List.of(oldest, RELEASED));

    assertThat(promise.breaches(pool("{'name':'id','type':'string'},{'name':'rank','type':'string','default':''}")))
        .anyMatch(said -> said.startsWith("Pool.rank: string against int"));
  }

  @Test
  void unreleased_areThoseNoReleaseHasByName() {
    var nothing = new SchemaPromise(List.of());
    var topics = new Topics("tidemark.", Retention.DEFAULT);

    var lines = nothing.unreleased(topics.all());

    assertThat(lines).doesNotHaveDuplicates();
    var released = lines.stream().map(SchemaPromiseTest::parse).toList();
    assertThat(released).extracting(Schema::getFullName).isSorted().contains("io.tidemark.event.PoolChange");
    assertThat(new SchemaPromise(released).unreleased(topics.all())).isEmpty();
  }

  private static List<String> breaches(Schema now) {
    return new SchemaPromise(List.of(RELEASED)).breaches(now);
  }

  private static Schema pool(String fields) {
    return parse("{'type':'record','name':'Pool','namespace':'a','fields':[" + fields + "]}");
  }

  private static String facet(String fields) {
    return "{'name':'price','type':['null',{'type':'record','name':'PoolPrice','fields':[" + fields
        + "]}],'default':null}";
  }

  private static String array(String fields) {
    return "{'name':'trades','type':{'type':'array','items':{'type':'record','name':'Trade','fields':[" + fields
        + "]}}}";
  }

  private static Schema parse(String json) {
    return new Schema.Parser().parse(json.indexOf('"') < 0 ? json.replace('\'', '"') : json);
  }
}
