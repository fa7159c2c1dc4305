package io.tidemark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Metrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramMetricsTest {

  @Test
  void familyOfKafka_isShownWithoutThePartsOfItsPartitions() {
    try (var metrics = new ProgramMetrics("1")) {
      var whole = Metrics.counter("kafka.consumer.fetch.manager.records.total", "client.id", "a");
      var part = Metrics.counter("kafka.consumer.fetch.manager.other.total", "topic", "a");
      try {
        assertThat(metrics.scrape())
            .contains("kafka_consumer_fetch_manager_records_total{client_id=\"a\"}")
            .doesNotContain("partition=");
      } finally {
        Metrics.globalRegistry.remove(whole);
        Metrics.globalRegistry.remove(part);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"kafka.stream.state.put.total", "kafka.stream.processor.node.process.total",
    "kafka.consumer.fetch.manager.records.lag.avg", "kafka.admin.client.request.total"})
  void familyForWorkOnKafkaItself_isNotShown(String name) {
    try (var metrics = new ProgramMetrics("1")) {
      var counter = Metrics.counter(name, "source", "main");
      try {
        assertThat(metrics.scrape()).doesNotContain(name.replace('.', '_'));
      } finally {
        Metrics.globalRegistry.remove(counter);
      }
    }
  }
}
