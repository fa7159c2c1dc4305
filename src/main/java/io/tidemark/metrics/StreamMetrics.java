package io.tidemark.metrics;

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

  private static final String ALERTS = "tidemark.alerts";

  private final String source;
  private volatile @Nullable StreamApplication app;
  private volatile @Nullable KafkaStreams streams;
  private @Nullable KafkaStreamsMetrics own;

  StreamMetrics(String source) {
    this.source = source;
  }

  /** Shows an application instead of the one before. */
  synchronized void show(StreamApplication app, MeterRegistry registry) {
    close();
    this.app = app;
    streams = app.kafka();
    own = new KafkaStreamsMetrics(app.kafka(), Tags.of("source", source));
    own.bindTo(registry);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    var meters = MeterFactory.ofSource(source, registry);
    meters.gauge("tidemark.stream.lag.records", "Records that this instance is behind, over all its partitions.",
        this::lag);
    meters.gauge("tidemark.stream.partitions", "Partitions that this instance reads.", () -> lags().count());
    meters.counted("tidemark.stream.restored.records",
        "Records that the stores of this instance were restored from before it could go on.",
        this, StreamMetrics::restoredRecords);
    for (var state : KafkaStreams.State.values()) {
      meters.with("state", state.name().toLowerCase(Locale.ROOT)).gauge("tidemark.stream.state",
          "1 for the state of the stream application, 0 for the rest.", () -> isIn(state) ? 1 : 0);
    }
  }

  /** Registers the counters of rules that published their first alert since. */
  void refresh(MeterRegistry registry) {
    published().forEach(metric -> {
      var rule = String.valueOf(metric.metricName().tags().get("rule"));
      var status = String.valueOf(metric.metricName().tags().get("status"));
      var meters = MeterFactory.ofSource(source, registry).with("rule", rule, "status", status);
      if (registry.find(ALERTS).tags(meters.labels()).functionCounter() == null) { // one of another task is the same
        meters.counted(ALERTS, "Alerts published, by rule and status.", this, all -> all.published(rule, status));
      }
    });
  }

  @Override
  public synchronized void close() {
    if (own != null) {
      own.close();
      own = null;
    }
  }

  private boolean isIn(KafkaStreams.State state) {
    var current = streams;
    return current != null && current.state() == state;
  }

  private double published(String rule, String status) {
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

  private double restoredRecords() {
    var shown = app;
    return shown == null ? 0 : shown.restoredRecords();
  }

  private double lag() {
    return lags().mapToDouble(metric -> (double) metric.metricValue()).filter(value -> !Double.isNaN(value)).sum();
  }

  private Stream<Metric> lags() {
    return figures("consumer-fetch-manager-metrics", "records-lag").filter(metric -> !isOfCopies(metric));
  }

  /** Consumers that restore stores and follow standby replicas are not behind with the work. */
  private static boolean isOfCopies(Metric metric) {
    return String.valueOf(metric.metricName().tags().get("client-id")).endsWith("restore-consumer");
  }

  private Stream<Metric> figures(String group, String name) {
    var current = streams;
    return current == null ? Stream.of() : current.metrics().values().stream()
        .<Metric>map(metric -> metric)
        .filter(metric -> metric.metricName().group().equals(group))
        .filter(metric -> metric.metricName().name().equals(name));
  }
}
