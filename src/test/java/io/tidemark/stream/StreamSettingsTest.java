package io.tidemark.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamSettingsTest {

  @Test
  void clientProperties_arePassedOnButCannotLoosenExactlyOnce() {
    var client = Map.of("security.protocol", "SSL", "processing.guarantee", "at_least_once",
        "num.standby.replicas", "2");
    var settings = new StreamSettings("host:9092", Path.of("state"), 2, Duration.ofMillis(100), client);

    assertThat(settings.properties("tidemark."))
        .containsEntry("security.protocol", "SSL")
        .containsEntry(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, "2")
        .containsEntry(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2)
        .containsEntry(StreamsConfig.APPLICATION_ID_CONFIG, "tidemark.stream");
  }

  @Test
  void anotherInstance_holdsStoreCopiesByDefault_beforeTakingTasks() {
    var settings = new StreamSettings("host:9092", Path.of("state"), 2, Duration.ofMillis(100), Map.of());

    assertThat(settings.properties("tidemark."))
        .containsEntry(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 1)
        .containsEntry(StreamsConfig.TASK_ASSIGNOR_CLASS_CONFIG, WarmUpTaskAssignor.class.getName());
  }

  @ParameterizedTest
  @CsvSource({"1, 6, 1, 1", "2, 6, 1, 1", "4, 6, 1, 3", "16, 6, 1, 6", "16, 24, 1, 15", "16, 6, 4, 3", "2, 1, 9, 1"})
  void threads_followCoresAndPartitions(int cores, int partitions, int sources, int threads) {
    assertThat(StreamSettings.threads(cores, partitions, sources)).isEqualTo(threads);
  }

  @ParameterizedTest
  @CsvSource({"1, 4096, 128", "2, 4096, 128", "4, 4096, 256", "16, 8192, 1024", "64, 8192, 1024", "16, 1024, 256",
    "2, 272, 68", "2, 64, 32"})
  void memoryOfStores_followsCoresAndHeapWithinBounds(int cores, long heap, long mebibytes) {
    assertThat(BoundedRocksDbMemory.total(cores, heap << 20)).isEqualTo(mebibytes << 20);
  }
}
