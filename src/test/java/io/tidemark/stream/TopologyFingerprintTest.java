package io.tidemark.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.StoreFormat;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.util.List;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class TopologyFingerprintTest {

  /** Of another process too: sets have another order in each. When it changes on purpose, the digits are changed by hand. */
  @Test
  void sameTopology_hasTheFingerprintOnFile() {
    assertThat(of(TidemarkTopology.storedSchemas(TopologyRun.TOPICS))).isEqualTo("66c853933942c2af");
  }

  @Test
  void otherSchemaOfAStore_hasAnother() {
    assertThat(of(List.of(StoreFormat.SCHEMA$))).isNotEqualTo(of(List.of()));
  }

  @Test
  void otherTopology_hasAnother() {
    var topics = new Topics("other.", Retention.DEFAULT);
    var other = TidemarkTopology.build(topics, new BuiltInRegistry(topics.all()));

    assertThat(TopologyFingerprint.of(other, List.of())).isNotEqualTo(of(List.of()));
  }

  private static String of(List<Schema> stored) {
    return TopologyFingerprint.of(TidemarkTopology.build(TopologyRun.TOPICS, TopologyRun.REGISTRY), stored);
  }
}
