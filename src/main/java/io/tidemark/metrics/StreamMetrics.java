package io.tidemark.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.tidemark.stream.StreamApplication;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/** Metrics of a stream application and its clients, and its lag. */
final class StreamMetrics implements MeterBinder, AutoCloseable {

  private final String source;
  private final StreamApplication app;
  private final KafkaStreams streams;
  private final KafkaStreamsMetrics own;

  StreamMetrics(String source, StreamApplication app) {
    this.source = source;
    this.app = app;
    this.streams = app.kafka();
    this.own = new KafkaStreamsMetrics(streams, Tags.of("source", source));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    own.bindTo(registry);
    Gauge.builder("tidemark.stream.lag.records", this, StreamMetrics::lag)
        .description("Records that this instance is behind, over all its partitions.")
        .tag("source", source)
        .register(registry);
    Gauge.builder("tidemark.stream.partitions", this, all -> all.lags().count())
        .description("Partitions that this instance reads.")
        .tag("source", source)
        .register(registry);
    FunctionCounter.builder("tidemark.dead.letters", app, StreamApplication::deadLetters)
        .description(ChangeMetrics.DEAD_LETTERS_HELP)
        .tag("source", source)
        .tag("operation", "stream")
        .register(registry);
    for (var state : KafkaStreams.State.values()) {
      Gauge.builder("tidemark.stream.state", () -> streams.state() == state ? 1 : 0)
          .description("1 for the state of the stream application, 0 for the rest.")
          .tag("source", source)
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
  }

  /** Registers the counters of rules that published their first alert since. */
  void refresh(MeterRegistry registry) {
    published().forEach(metric -> {
      var tags = metric.metricName().tags();
      FunctionCounter.builder("tidemark.alerts", this, all -> all.published(tags.get("rule"), tags.get("status")))
          .description("Alerts published, by rule and status.")
          .tag("source", source)
          .tag("rule", String.valueOf(tags.get("rule")))
          .tag("status", String.valueOf(tags.get("status")))
          .register(registry);
    });
  }

  @Override
  public void close() {
    own.close();
  }

  private double published(@Nullable String rule, @Nullable String status) {
    return published()
        .filter(metric -> Objects.equals(metric.metricName().tags().get("rule"), rule))
        .filter(metric -> Objects.equals(metric.metricName().tags().get("status"), status))
        .mapToDouble(metric -> (double) metric.metricValue())
        .sum();
  }

  /** One metric of each task. */
  private Stream<Metric> published() {
    return figures("stream-alerts-metrics", "published-total");
  }

  private double lag() {
    return lags().mapToDouble(metric -> (double) metric.metricValue()).filter(value -> !Double.isNaN(value)).sum();
  }

  private Stream<Metric> lags() {
    return figures("consumer-fetch-manager-metrics", "records-lag");
  }

  private Stream<Metric> figures(String group, String name) {
    return streams.metrics().values().stream()
        .<Metric>map(metric -> metric)
        .filter(metric -> metric.metricName().group().equals(group))
        .filter(metric -> metric.metricName().name().equals(name));
  }
}
