package io.tidemark.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Metrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaMetricFilterTest {

  private static final Pattern NAME = Pattern.compile("\\bkafka_(?:consumer|producer|stream|admin|app)_[a-z_]+");

  /** Kafka has 77 metrics of a producer that did not connect yet, and 12 more of each broker that it connects to. */
  @Test
  void producer_hasTheMetricsOfTheListAndFewBytes() {
    try (var metrics = new ProgramMetrics("1");
        var producer = new KafkaProducer<>(Map.<String, Object>of("bootstrap.servers", "127.0.0.1:1"),
            new ByteArraySerializer(), new ByteArraySerializer())) {
      metrics.source("main").producerCreated(producer);

      var shown = metrics.scrape().lines().filter(line -> line.contains("kafka_p")).collect(Collectors.joining("\n"));

      assertThat(producer.metrics()).hasSizeGreaterThan(70);
      assertThat(names(shown)).containsExactlyInAnyOrderElementsOf(
          KafkaMetricFilter.SHOWN.stream().filter(name -> name.startsWith("kafka_producer_")).toList());
      assertThat(shown.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(6_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"kafka.stream.state.put.total", "kafka.stream.task.process.total",
    "kafka.consumer.node.request.total", "kafka.admin.client.request.total", "kafka.of.a.later.version"})
  void othersOfKafka_areNotShown(String name) {
    try (var metrics = new ProgramMetrics("1")) {
      var counter = Metrics.counter(name, "source", "main");
      try {
        assertThat(metrics.scrape()).doesNotContain("kafka_");
      } finally {
        Metrics.globalRegistry.remove(counter);
      }
    }
  }

  @Test
  void metricOfATopic_isNotShown() {
    try (var metrics = new ProgramMetrics("1")) {
      var whole = Metrics.counter("kafka.producer.record.send.total", "client.id", "a");
      var part = Metrics.counter("kafka.producer.record.error.total", "topic", "a");
      try {
        assertThat(metrics.scrape())
            .contains("kafka_producer_record_send_total{client_id=\"a\"}")
            .doesNotContain("kafka_producer_record_error_total");
      } finally {
        Metrics.globalRegistry.remove(whole);
        Metrics.globalRegistry.remove(part);
      }
    }
  }

  /** Nothing looks at a metric that is not there, and the guide names each that is. */
  @Test
  void list_isThatOfTheGuideWithAllThatAlertsAndDashboardUse() throws IOException {
    assertThat(names(Files.readString(Path.of("docs/running/monitoring.md"))))
        .containsExactlyInAnyOrderElementsOf(KafkaMetricFilter.SHOWN);
    assertThat(KafkaMetricFilter.SHOWN)
        .containsAll(names(Files.readString(Path.of("helm/tidemark/files/prometheus-rules.yaml"))))
        .containsAll(names(Files.readString(Path.of("helm/tidemark/files/grafana-dashboard.json"))));
  }

  private static Set<String> names(String text) {
    return NAME.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
  }
}
