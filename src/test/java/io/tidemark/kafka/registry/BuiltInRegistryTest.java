package io.tidemark.kafka.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.ResourceMemory;
import io.tidemark.event.Watch;
import io.tidemark.kafka.CleanupPolicy;
import io.tidemark.kafka.Topic;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class BuiltInRegistryTest {

  static final String TEXT =
      """
          {"type":"record","name":"Buoy","namespace":"sea","doc":"Floats.",
           "fields":[{"name":"depth","type":["null","double"],"doc":"Metres.","default":null,"unit":"m"}]}
          """;
  /** The members in another order. */
  static final String SHUFFLED =
      """
          {"namespace":"sea","fields":[{"unit":"m","default":null,"doc":"Metres.","type":["null","double"],"name":"depth"}],
           "doc":"Floats.","name":"Buoy","type":"record"}
          """;

  /** Of what sha256sum says to the text with its members sorted and without white space. */
  static final int ID = 1_211_397_753;

  static final Topic<Watch> WATCH = new Topic<>("t.watch", Watch.class, CleanupPolicy.COMPACT, "", "", List.of());
  static final Schema EARLIER =
      parse("{'type':'record','name':'Watch','namespace':'io.tidemark.event','fields':[]}".replace('\'', '"'));

  @Test
  void id_isTheBeginningOfTheTextsDigest() {
    assertThat(BuiltInRegistry.idOf(parse(TEXT))).isEqualTo(ID);
  }

  @Test
  void orderOfMembers_doesNotMatter() {
    assertThat(BuiltInRegistry.idOf(parse(SHUFFLED))).isEqualTo(BuiltInRegistry.idOf(parse(TEXT)));
  }

  @Test
  void changedComment_isAnotherSchema() {
    var other = parse(TEXT.replace("Metres.", "In metres."));

    assertThat(BuiltInRegistry.idOf(other)).isNotEqualTo(BuiltInRegistry.idOf(parse(TEXT)));
  }

  @Test
  void schemasOfTopics_areKnownFromTheStart() {
    var registry = new BuiltInRegistry(List.of(WATCH));

    assertThat(registry.schema(BuiltInRegistry.idOf(Watch.getClassSchema()))).isEqualTo(Watch.getClassSchema());
  }

  @Test
  void earlierReleases_comeFirst() {
    var registry = new BuiltInRegistry(List.of(WATCH), () -> List.of(EARLIER));

    assertThat(registry.versions("t.watch-value")).containsExactly(EARLIER, Watch.getClassSchema());
  }

  @Test
  void releasedAsItIs_isOneVersion() {
    var registry = new BuiltInRegistry(List.of(WATCH), () -> List.of(EARLIER, Watch.getClassSchema()));

    assertThat(registry.versions("t.watch-value")).hasSize(2);
  }

  @Test
  void memoryOfDetection_isPublished_andFoundByName() {
    var published = new ArrayList<Schema>();
    new ConfluentRegistry(URI.create("http://127.0.0.1:1"), null, HttpClient.newHttpClient()).builtIn()
        .publishIn(shared(published));
    var earlier = parse(TEXT);
    var reader = new BuiltInRegistry(List.of(), () -> List.of(earlier));
    reader.lookUpIn(shared(published));

    assertThat(reader.versionsOf("io.tidemark.event.ResourceMemory")).containsExactly(ResourceMemory.getClassSchema());
    assertThat(reader.versionsOf("sea.Buoy")).containsExactly(earlier);
  }

  private static SharedSchemas shared(List<Schema> published) {
    return new SharedSchemas() {
      @Override
      public void publish(Collection<Schema> schemas, Consumer<Schema> visitor) {
        published.addAll(schemas);
      }

      @Override
      public void readNew(Consumer<Schema> visitor) {
        published.forEach(visitor);
      }
    };
  }

  @Test
  void unknownId_isNamed() {
    var registry = new BuiltInRegistry(List.of(WATCH));

    assertThatThrownBy(() -> registry.schema(7))
        .isInstanceOf(SchemaRegistryFailure.UnknownSchema.class)
        .hasMessageContaining("schema id 7");
  }

  private static Schema parse(String text) {
    return new Schema.Parser().parse(text);
  }
}
