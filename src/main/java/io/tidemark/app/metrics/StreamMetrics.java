package io.tidemark.app.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.tidemark.stream.StreamApplication;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/** Metrics of a stream application and its clients, and its lag. */
final class StreamMetrics implements AutoCloseable {

  private static final String RULES = "stream-alerts-metrics";
  private static final List<RuleCounter> RULE_COUNTERS = List.of(
      new RuleCounter("tidemark.alerts", "Alerts published, by rule and status.", "published-total", "status"),
      new RuleCounter("tidemark.rule.skipped.records",
          "Records that a rule skipped because its evaluation failed on them, by rule and topic.", "skipped-total",
          "topic"));

  private final String source;
  private final MeterRegistry registry;
  private volatile @Nullable StreamApplication app;
  private @Nullable KafkaStreamsMetrics own;

  StreamMetrics(String source, MeterRegistry registry) {
    this.source = source;
    this.registry = registry;
    var meters = MeterFactory.ofSource(source, registry);
    meters.gauge("tidemark.stream.lag.records", "Records that this instance is behind, over all its partitions.",
        this::lag);
    meters.gauge("tidemark.stream.partitions", "Partitions that this instance reads.", () -> lags().count());
    meters.counted("tidemark.stream.restored.records",
        "Records that were read to restore stores before this instance could process new records.",
        this, StreamMetrics::restoredRecords);
    for (var state : KafkaStreams.State.values()) {
      meters.with("state", state.name().toLowerCase(Locale.ROOT)).gauge("tidemark.stream.state",
          "1 for the current state of the stream application, 0 for the other states.", () -> isIn(state) ? 1 : 0);
    }
  }

  /** Shows the metrics of an application instead of those of the previous application. */
  synchronized void show(StreamApplication app) {
    close();
    this.app = app;
    own = new KafkaStreamsMetrics(app.kafka(), Tags.of("source", source));
    own.bindTo(registry);
  }

  /**
   * A counter with the label {@code rule} and one more label. Its value is the sum of the Kafka Streams metric {@code
   * figure} over all tasks.
   */
  private record RuleCounter(String name, String help, String figure, String label) {}

  /**
   * Registers the counters of rules that have published their first alert with a status, or come into force, since the
   * last call.
   */
  void refresh() {
    for (var counter : RULE_COUNTERS) {
      figures(RULES, counter.figure()).forEach(metric -> {
        var tags = metric.metricName().tags();
        var rule = String.valueOf(tags.get("rule"));
        var value = String.valueOf(tags.get(counter.label()));
        var meters = MeterFactory.ofSource(source, registry).with("rule", rule, counter.label(), value);
        // one counter for all tasks
        if (registry.find(counter.name()).tags(meters.labels()).functionCounter() == null) {
          meters.counted(counter.name(), counter.help(), this, all -> all.sum(counter, rule, value));
        }
      });
    }
  }

  @Override
  public synchronized void close() {
    if (own != null) {
      own.close();
      own = null;
    }
  }

  private boolean isIn(KafkaStreams.State state) {
    var shown = app;
    return shown != null && shown.kafka().state() == state;
  }

  private double sum(RuleCounter counter, String rule, String value) {
    return figures(RULES, counter.figure())
        .filter(metric -> Objects.equals(metric.metricName().tags().get("rule"), rule))
        .filter(metric -> Objects.equals(metric.metricName().tags().get(counter.label()), value))
        .mapToDouble(metric -> (double) metric.metricValue())
        .sum();
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

  /**
   * Returns whether a metric belongs to a consumer that restores stores or follows standby replicas. The lag of such a
   * consumer does not delay processing.
   */
  private static boolean isOfCopies(Metric metric) {
    return String.valueOf(metric.metricName().tags().get("client-id")).endsWith("restore-consumer");
  }

  private Stream<Metric> figures(String group, String name) {
    var shown = app;
    return shown == null ? Stream.of() : shown.kafka().metrics().values().stream()
        .<Metric>map(metric -> metric)
        .filter(metric -> metric.metricName().group().equals(group))
        .filter(metric -> metric.metricName().name().equals(name));
  }
}
