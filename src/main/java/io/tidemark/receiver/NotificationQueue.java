package io.tidemark.receiver;

import io.tidemark.event.Alert;
import io.tidemark.receiver.NotificationLimit.RecentNotifications;
import io.tidemark.receiver.WebhookClient.DeliveryResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The alerts that wait for one receiver, in order of arrival, and the decision what is sent when: alone or in a digest.
 * An alert is finished when its notification was delivered or rejected for good. Confined to one thread; no clock, no
 * I/O.
 */
final class NotificationQueue {

  /** At this size reading stops; further alerts wait in Kafka. */
  static final int CAPACITY = 1000;

  /** How long the first alert after a gap waits for others, to be sent with them. */
  private static final Duration GROUP_WAIT = Duration.ofSeconds(10);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);

  private final Receiver receiver;
  private final RecentNotifications recent;
  private final RandomGenerator random;
  private final Deque<QueuedAlert> queued = new ArrayDeque<>();
  private final Map<TopicPartition, Long> finished = new HashMap<>();
  private final Map<TopicPartition, Long> lastTaken = new HashMap<>();
  private @Nullable PendingDigest digest;
  private @Nullable Instant groupWaitSince;
  private Instant notBefore = Instant.MIN;
  private int failures;

  /** @param alert null where the receiver does not match it, or it cannot be read */
  private record QueuedAlert(@Nullable Alert alert, TopicPartition partition, long offset) {}

  NotificationQueue(Receiver receiver, RandomGenerator random) {
    this.receiver = receiver;
    this.recent = new RecentNotifications(receiver.limit());
    this.random = random;
  }

  boolean hasCapacity() {
    return queued.size() < CAPACITY;
  }

  /** @param alert null where it cannot be read: it is skipped */
  void add(@Nullable Alert alert, TopicPartition partition, long offset) {
    queued.add(new QueuedAlert(alert != null && receiver.match().matches(alert) ? alert : null, partition, offset));
  }

  /** The notification to send now; null where there is none, or it has to wait. */
  @Nullable
  Notification next(Instant now) {
    skipUnmatched();
    if (digest == null && !queued.isEmpty() && needsDigest(now)) {
      digest = startDigest(alert -> true);
    } else if (digest == null && isInGroupWait(now)) {
      return null;
    } else if (digest == null && hasSeveral(queued.stream().takeWhile(each -> isAfterGap(each.alert())))) {
      digest = startDigest(NotificationQueue::isAfterGap);
    }
    fillDigest(now);
    if (now.isBefore(notBefore) || !recent.allowOneMore(now)) {
      return null;
    }
    if (digest != null) {
      return digest.close();
    }
    var head = queued.peek();
    return head == null || head.alert() == null ? null : new Notification.SingleAlert(head.alert());
  }

  /** Reports the result of the notification that {@link #next} returned last. */
  void completed(DeliveryResult result, Instant now) {
    switch (result) {
      case DeliveryResult.RetryLater later -> {
        failures++;
        notBefore = now.plus(later.after() == null ? pause() : later.after());
      }
      case DeliveryResult.Delivered delivered -> finishHead(now);
      case DeliveryResult.RejectedByReceiver rejected -> finishHead(now);
    }
  }

  /**
   * The positions to commit: after the finished alerts, never beyond one that waits. Only those that changed since the
   * last call.
   */
  Map<TopicPartition, Long> takeCommittable() {
    skipUnmatched();
    var positions = new HashMap<TopicPartition, Long>();
    finished.forEach((partition, offset) -> positions.put(partition, Math.min(offset, firstWaiting(partition))));
    positions.entrySet().removeAll(lastTaken.entrySet());
    lastTaken.putAll(positions);
    return positions;
  }

  /** Forgets all alerts: another consumer, or the next session, delivers those that are not committed. */
  void clear() {
    queued.clear();
    finished.clear();
    lastTaken.clear();
    digest = null;
    groupWaitSince = null;
  }

  private void finishHead(Instant now) {
    recent.add(now);
    failures = 0;
    notBefore = Instant.MIN;
    groupWaitSince = null;
    if (digest != null) {
      digest.positions().forEach((partition, position) -> finished.merge(partition, position, Math::max));
      digest = null;
    } else {
      finish(queued.remove());
    }
  }

  /** Finishes unmatched alerts at the head; one further back waits for those before it. */
  private void skipUnmatched() {
    for (var head = queued.peek(); digest == null && head != null && head.alert() == null; head = queued.peek()) {
      finish(queued.remove());
    }
  }

  private void finish(QueuedAlert one) {
    finished.merge(one.partition(), one.offset() + 1, Math::max);
  }

  private long firstWaiting(TopicPartition partition) {
    return queued.stream()
        .filter(one -> one.partition().equals(partition))
        .mapToLong(QueuedAlert::offset)
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }

  /** Whether several alerts wait that come faster than the limit allows, or are too late for single notifications. */
  private boolean needsDigest(Instant now) {
    var head = queued.element();
    return hasSeveral(queued.stream().filter(each -> !needsOwnNotification(each)))
        && head.alert() != null
        && !needsOwnNotification(head)
        && (!recent.allowOneMore(now) || isLate(head.alert(), now));
  }

  /** Whether the alert ends an incident that only a notification of its own can end. */
  private boolean needsOwnNotification(QueuedAlert one) {
    return one.alert() != null && receiver.format().tracksResolution() && one.alert().getStatus().equals("resolved");
  }

  /** After a gap alerts come all at once: the first of them waits for the others. */
  private boolean isInGroupWait(Instant now) {
    if (queued.isEmpty() || !isAfterGap(queued.element().alert())) {
      return false;
    }
    if (groupWaitSince == null) {
      groupWaitSince = now;
    }
    return now.isBefore(groupWaitSince.plus(GROUP_WAIT));
  }

  /** Unmatched alerts count as after the gap: they do not split a digest. */
  private static boolean isAfterGap(@Nullable Alert alert) {
    return alert == null || alert.getAfterGap();
  }

  private static boolean hasSeveral(Stream<QueuedAlert> some) {
    return some.filter(each -> each.alert() != null).limit(2).count() > 1;
  }

  private boolean isLate(Alert alert, Instant now) {
    return alert.getEventTime().plus(receiver.deliverWithin()).isBefore(now);
  }

  private PendingDigest startDigest(Predicate<@Nullable Alert> filter) {
    var head = queued.element();
    var from = Objects.requireNonNull(head.alert()).getEventTime();
    return new PendingDigest("digest/" + receiver.name() + "/" + head.partition() + "@" + head.offset(), from, filter);
  }

  private void fillDigest(Instant now) {
    var each = queued.iterator();
    while (digest != null && each.hasNext()) {
      var one = each.next();
      if (needsOwnNotification(one)) {
        continue;
      }
      if (!digest.accepts(one.alert())) {
        break;
      }
      each.remove();
      digest.cover(one.partition(), one.offset() + 1);
      if (one.alert() != null) {
        digest.add(one.alert(), isLate(one.alert(), now));
      }
    }
  }

  /** Doubles with each failure; a random part of up to a half is taken off. */
  private Duration pause() {
    var longest = Math.min(FIRST_PAUSE.toMillis() << Math.min(failures - 1, 10), LONGEST_PAUSE.toMillis());
    return Duration.ofMillis(longest - (long) (random.nextDouble() * longest / 2));
  }
}
