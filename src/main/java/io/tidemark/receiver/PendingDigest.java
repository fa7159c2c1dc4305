package io.tidemark.receiver;

import io.tidemark.event.Alert;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Alerts told together; nothing joins it once it was tried, so that its name means the same at every attempt. */
final class PendingDigest {

  private final String id;
  private final Instant from;
  private final Predicate<@Nullable Alert> accepts;
  private final AlertCounts counts = new AlertCounts();
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private Instant to;
  private boolean tried;

  /** @param takes whether it is of those that this one is about; null is what nobody wants */
  PendingDigest(String id, Instant from, Predicate<@Nullable Alert> takes) {
    this.id = id;
    this.from = from;
    this.accepts = takes;
    this.to = from;
  }

  boolean accepts(@Nullable Alert alert) {
    return !tried && accepts.test(alert);
  }

  void add(Alert alert, boolean isLate) {
    counts.add(alert, isLate);
    to = alert.getEventTime();
  }

  /** It covers a partition up to here. */
  void cover(TopicPartition partition, long position) {
    positions.merge(partition, position, Math::max);
  }

  /** Where it leads to when it is told. */
  Map<TopicPartition, Long> positions() {
    return positions;
  }

  /** As it is told now, and from now on. */
  Notification.AlertDigest tried() {
    tried = true;
    return new Notification.AlertDigest(id, counts, from, to);
  }
}
