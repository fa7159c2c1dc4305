package io.tidemark.source;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;

/**
 * When the group certainly held a consumer for its member: heartbeats are answered on a thread of the consumer's own, and
 * its metrics tell of them.
 */
final class GroupHeartbeats {

  private static final String GROUP = "consumer-coordinator-metrics";
  private static final double MILLISECOND = 1e6;

  private final Metric answered;
  private final Metric longest;
  private final LongSupplier nanos;
  private double count;
  private long checkedAt;
  private long provenAt;

  GroupHeartbeats(Consumer<?, ?> consumer, LongSupplier nanos) {
    this.answered = metric(consumer, "heartbeat-total");
    this.longest = metric(consumer, "heartbeat-response-time-max");
    this.nanos = nanos;
    this.checkedAt = nanos.getAsLong();
    this.provenAt = checkedAt - Duration.ofDays(1).toNanos();
  }

  /** As far as is known; long ago where no heartbeat was answered yet. */
  long provenAt() {
    var answers = value(answered);
    if (answers > count) {
      // It was answered after the look before, and asked no earlier than the longest answer took.
      provenAt = checkedAt - (long) (value(longest) * MILLISECOND);
      count = answers;
    }
    checkedAt = nanos.getAsLong();
    return provenAt;
  }

  private static double value(Metric metric) {
    return metric.metricValue() instanceof Double value && !value.isNaN() ? value : 0;
  }

  private static Metric metric(Consumer<?, ?> consumer, String name) {
    return consumer.metrics().values().stream()
        .filter(each -> each.metricName().group().equals(GROUP) && each.metricName().name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("Kafka's client has no metric " + name));
  }
}
