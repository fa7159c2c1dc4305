package io.tidemark.notify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.tidemark.event.Alert;
import io.tidemark.notify.Notification.AlertDigest;
import io.tidemark.notify.Notification.RuleCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * A digest that collects alerts in bounded memory. The first attempt to deliver the digest closes it, so that its id
 * stands for the same alerts at every attempt.
 */
final class PendingDigest {

  private static final int MOST_NAMED = 10;
  private static final Comparator<Alert> WORST_FIRST =
      Comparator.<Alert>comparingInt(alert -> -AlertMatcher.SEVERITIES.indexOf(alert.getSeverity()))
          .thenComparing(Alert::getEventTime);
  private static final Comparator<RuleCount> MOST_FIRST =
      Comparator.<RuleCount>comparingInt(count -> -AlertMatcher.SEVERITIES.indexOf(count.severity()))
          .thenComparingInt(count -> -count.count());

  private final String receiver;
  private final Predicate<Alert> filter;
  private final Predicate<Alert> leftOut;
  private final Map<String, RuleCount> counts = new TreeMap<>();
  private final List<Alert> worst = new ArrayList<>();
  private final Map<TopicPartition, Long> firstOffsets = new HashMap<>();
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private Instant from;
  private Instant to;
  private int late;
  private boolean closed;

  /**
   * @param from event time of the first alert
   * @param filter selects the alerts that the digest may contain; any other alert ends the digest
   * @param leftOut selects the alerts that the digest passes over
   */
  PendingDigest(String receiver, Instant from, Predicate<Alert> filter, Predicate<Alert> leftOut) {
    this.receiver = receiver;
    this.from = from;
    this.filter = filter;
    this.leftOut = leftOut;
    this.to = from;
  }

  boolean leavesOut(Alert alert) {
    return leftOut.test(alert);
  }

  boolean accepts(Alert alert) {
    return !closed && filter.test(alert);
  }

  void add(Alert alert, boolean isLate) {
    var key = alert.getRule() + " " + alert.getSeverity() + " " + alert.getStatus();
    counts.merge(key, new RuleCount(alert.getRule(), alert.getSeverity(), alert.getStatus(), 1),
        (old, one) -> new RuleCount(old.rule(), old.severity(), old.status(), old.count() + 1));
    worst.add(alert);
    worst.sort(WORST_FIRST);
    if (worst.size() > MOST_NAMED) {
      worst.removeLast();
    }
    late += isLate ? 1 : 0;
    from = alert.getEventTime().isBefore(from) ? alert.getEventTime() : from;
    to = alert.getEventTime().isAfter(to) ? alert.getEventTime() : to;
  }

  int alerts() {
    return counts.values().stream().mapToInt(RuleCount::count).sum();
  }

  /** Returns the earliest event time of the alerts in the digest. */
  Instant oldest() {
    return from;
  }

  /** Extends the digest to the offset of an alert. */
  void cover(TopicPartition partition, long offset) {
    firstOffsets.putIfAbsent(partition, offset);
    positions.merge(partition, offset + 1, Math::max);
  }

  /** Returns the offset of the first alert in each partition, beyond which nothing may be committed before delivery. */
  Map<TopicPartition, Long> firstOffsets() {
    return firstOffsets;
  }

  /** Returns the positions that may be committed after the digest is delivered. */
  Map<TopicPartition, Long> positions() {
    return positions;
  }

  AlertDigest close() {
    closed = true;
    return new AlertDigest(id(), from, to, late, counts.values().stream().sorted(MOST_FIRST).toList(),
        List.copyOf(worst));
  }

  /**
   * Returns an id of bounded length for the covered offsets. After a restart, a digest of the same alerts has the same
   * id again, and a digest with more alerts has another, so that a receiver does not drop it as a repetition.
   */
  private String id() {
    var covered = firstOffsets.entrySet().stream()
        .map(first -> first.getKey() + "@" + first.getValue() + "-" + positions.get(first.getKey()))
        .sorted()
        .collect(joining(","));
    return "digest/" + receiver + "/" + UUID.nameUUIDFromBytes(covered.getBytes(UTF_8));
  }
}
