package io.tidemark.kafka.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.ResourceMemory;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class ReleasedSchemasTest {

  static final ReleasedSchemas RELEASES = ReleasedSchemas.load();

  static final List<Schema> OURS =
      Stream.concat(
          Stream.concat(new Topics("tidemark.", Retention.DEFAULT).all().stream(),
              ClusterTopics.UNPREFIXED.all().stream()).map(topic -> SpecificData.get().getSchema(topic.value())),
          Stream.of(ResourceMemory.getClassSchema()))
          .distinct()
          .toList();

  static final String PRICE = "{'name':'usd','type':['null','string'],'default':null}";

  static final Schema RELEASED = pool("{'name':'id','type':'string'}," + facet(PRICE));

  @ParameterizedTest
  @FieldSource("OURS")
  void everySchema_isCompatibleWithAllReleases(Schema schema) {
    assertThat(RELEASES.incompatibilities(schema))
        .as("a released schema stays: give a new field a default, keep types and names; see docs/using/schemas.md")
        .isEmpty();
  }

  @Test
  void fieldWithDefault_mayBeAddedAndRemoved() {
    var more = "{'name':'eur','type':['null','string'],'default':null}";

    assertThat(incompatibilities(pool("{'name':'id','type':'string'}," + facet(PRICE + "," + more)))).isEmpty();
    assertThat(incompatibilities(pool("{'name':'id','type':'string'}," + facet("")))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "{'name':'usd','type':['null','double'],'default':null} | Pool.price.usd: read as double?, written as string?",
    "{'name':'usd','type':'string','default':''} | Pool.price.usd: read as string, written as string?",
    "{'name':'eur','type':'string'} | Pool.price.eur: added, and has no default",
  })
  void changedFacet_isNamedToTheField(String fields, String problem) {
    assertThat(incompatibilities(pool("{'name':'id','type':'string'}," + facet(fields))))
        .anyMatch(each -> each.startsWith(problem));
  }

  @Test
  void fieldWithoutDefault_mayNotBeRemoved() {
    assertThat(incompatibilities(pool(facet(PRICE)))).containsExactly("Pool.id: removed, and has no default; "
        + "readers with the released schema cannot read new values");
  }

  @Test
  void widenedType_breaksReadersWithTheReleasedSchema() {
    var releases = new ReleasedSchemas(List.of(pool("{'name':'id','type':'int'}")));

    assertThat(releases.incompatibilities(pool("{'name':'id','type':'long'}"))).containsExactly(
        "Pool.id: read as int, written as long; "
            + "readers with the released schema cannot read new values");
  }

  @Test
  void elementOfAnArray_isComparedToo() {
    var releases = new ReleasedSchemas(List.of(pool(array("{'name':'at','type':'long'}"))));

    assertThat(releases.incompatibilities(pool(array("{'name':'at','type':'string'}"))))
        .anyMatch(problem -> problem.startsWith("Pool.trades[].at: read as string, written as long"));
  }

  @Test
  void everyRelease_countsNotOnlyTheNewest() {
    var oldest = pool("{'name':'id','type':'string'},{'name':'rank','type':'int','default':0}");
    var releases = new ReleasedSchemas(List.of(oldest, RELEASED));

    assertThat(
        releases.incompatibilities(pool("{'name':'id','type':'string'},{'name':'rank','type':'string','default':''}")))
        .anyMatch(problem -> problem.startsWith("Pool.rank: read as string, written as int"));
  }

  @Test
  void unreleasedSchemas_areSortedByName() {
    var nothing = new ReleasedSchemas(List.of());

    var lines = nothing.unreleased(OURS);

    assertThat(lines).doesNotHaveDuplicates();
    var released = lines.stream().map(ReleasedSchemasTest::parse).toList();
    assertThat(released).extracting(Schema::getFullName).isSorted().contains("io.tidemark.event.PoolChange");
    assertThat(new ReleasedSchemas(released).unreleased(OURS)).isEmpty();
  }

  private static List<String> incompatibilities(Schema now) {
    return new ReleasedSchemas(List.of(RELEASED)).incompatibilities(now);
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
