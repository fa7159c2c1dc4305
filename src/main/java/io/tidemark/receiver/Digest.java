package io.tidemark.receiver;

import io.tidemark.event.Alert;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Alerts told together; nothing joins it once it was tried, so that its name means the same at every attempt. */
final class Digest {

  private final String id;
  private final Instant from;
  private final Predicate<@Nullable Alert> takes;
  private final Tally tally = new Tally();
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private Instant to;
  private boolean tried;

  /** @param takes whether it is of those that this one is about; null is what nobody wants */
  Digest(String id, Instant from, Predicate<@Nullable Alert> takes) {
    this.id = id;
    this.from = from;
    this.takes = takes;
    this.to = from;
  }

  boolean takes(@Nullable Alert alert) {
    return !tried && takes.test(alert);
  }

  void add(Alert alert, boolean isLate) {
    tally.add(alert, isLate);
    to = alert.getEventTime();
  }

  /** It covers a partition up to here. */
  void pass(TopicPartition partition, long position) {
    positions.merge(partition, position, Math::max);
  }

  /** Where it leads to when it is told. */
  Map<TopicPartition, Long> positions() {
    return positions;
  }

  /** As it is told now, and from now on. */
  Notice.Many tried() {
    tried = true;
    return new Notice.Many(id, tally, from, to);
  }
}
