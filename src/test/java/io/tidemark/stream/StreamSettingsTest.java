package io.tidemark.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

class StreamSettingsTest {

  @Test
  void clientProperties_arePassedOnButCannotLoosenExactlyOnce() {
    var client = Map.of("security.protocol", "SSL", "processing.guarantee", "at_least_once",
        "num.standby.replicas", "1");
    var settings = new StreamSettings("host:9092", Path.of("state"), 2, Duration.ofMillis(100), client);

    assertThat(settings.properties("tidemark."))
        .containsEntry("security.protocol", "SSL")
        .containsEntry(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, "1")
        .containsEntry(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2)
        .containsEntry(StreamsConfig.APPLICATION_ID_CONFIG, "tidemark.stream");
  }
}
