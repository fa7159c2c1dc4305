package io.tidemark.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.StoreFormat;
import java.util.List;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class TopologyFingerprintTest {

  /** Of another process too: sets have another order in each. When it changes on purpose, the digits are changed by hand. */
  @Test
  void sameTopology_hasTheFingerprintOnFile() {
    assertThat(of(TidemarkTopology.storedSchemas())).isEqualTo("648daa4a6d555386");
  }

  @Test
  void otherSchemaOfAStore_hasAnother() {
    assertThat(of(List.of(StoreFormat.SCHEMA$))).isNotEqualTo(of(List.of()));
  }

  private static String of(List<Schema> stored) {
    return TopologyFingerprint.of(TidemarkTopology.build(TopologyRun.TOPICS, TopologyRun.REGISTRY), stored);
  }
}
