package io.tidemark.receiver;

import io.tidemark.event.Alert;
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
 * Alerts on their way to one receiver, in the order of their arrival; one thread's, without clock or I/O. What is taken
 * out counts as done only when its message was delivered or refused for good.
 */
final class NotificationQueue {

  /** So many wait one by one; more than that wait in Kafka. */
  static final int CAPACITY = 1000;

  /** So long the first alert after a gap waits for others. */
  private static final Duration GROUP_WAIT = Duration.ofSeconds(10);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);

  private final Receiver receiver;
  private final NotificationRate rate;
  private final RandomGenerator chance;
  private final Deque<QueuedAlert> queued = new ArrayDeque<>();
  private final Map<TopicPartition, Long> finished = new HashMap<>();
  private final Map<TopicPartition, Long> lastTaken = new HashMap<>();
  private @Nullable PendingDigest digest;
  private @Nullable Instant groupWaitSince;
  private Instant notBefore = Instant.MIN;
  private int failures;

  private record QueuedAlert(@Nullable Alert alert, TopicPartition partition, long offset) {}

  NotificationQueue(Receiver receiver, RandomGenerator chance) {
    this.receiver = receiver;
    this.rate = new NotificationRate(receiver.limit());
    this.chance = chance;
  }

  boolean hasCapacity() {
    return queued.size() < CAPACITY;
  }

  /** @param alert null for what cannot be read: it is passed over */
  void add(@Nullable Alert alert, TopicPartition partition, long offset) {
    queued.add(new QueuedAlert(alert != null && receiver.match().matches(alert) ? alert : null, partition, offset));
  }

  /** What is to be sent now; null where there is nothing, or not yet. */
  @Nullable
  Notification next(Instant now) {
    skipUnmatched();
    if (digest == null && !queued.isEmpty() && needsDigest(now)) {
      digest = startDigest(alert -> true);
    } else if (digest == null && isInGroupWait(now)) {
      return null;
    } else if (digest == null && several(queued.stream().takeWhile(each -> isAfterGap(each.alert())))) {
      digest = startDigest(NotificationQueue::isAfterGap);
    }
    fillDigest(now);
    if (now.isBefore(notBefore) || !rate.allows(now)) {
      return null;
    }
    if (digest != null) {
      return digest.tried();
    }
    var head = queued.peek();
    return head == null || head.alert() == null ? null : new Notification.SingleAlert(head.alert());
  }

  /** What became of the message that {@link #next} gave last. */
  void completed(DeliveryResult result, Instant now) {
    switch (result) {
      case DeliveryResult.RetryLater later -> {
        failures++;
        notBefore = now.plus(later.after() == null ? pause() : later.after());
      }
      case DeliveryResult.Delivered delivered -> finishHead(now);
      case DeliveryResult.RejectedByReceiver refused -> finishHead(now);
    }
  }

  /** The positions that what is done leads to, never beyond what waits; those that are others than when last asked. */
  Map<TopicPartition, Long> takeCommittable() {
    skipUnmatched();
    var news = new HashMap<TopicPartition, Long>();
    finished.forEach((partition, offset) -> news.put(partition, Math.min(offset, firstWaiting(partition))));
    news.entrySet().removeAll(lastTaken.entrySet());
    lastTaken.putAll(news);
    return news;
  }

  /** Of partitions that are others' now: whatever of them waits will be told by them. */
  void clear() {
    queued.clear();
    finished.clear();
    lastTaken.clear();
    digest = null;
    groupWaitSince = null;
  }

  private void finishHead(Instant now) {
    rate.record(now);
    failures = 0;
    notBefore = Instant.MIN;
    groupWaitSince = null;
    if (digest != null) {
      digest.positions().forEach(this::finish);
      digest = null;
    } else {
      finish(queued.remove());
    }
  }

  /** What nobody wants is done when its turn comes, never before what came before it. */
  private void skipUnmatched() {
    for (var head = queued.peek(); digest == null && head != null && head.alert() == null; head = queued.peek()) {
      finish(queued.remove());
    }
  }

  private void finish(QueuedAlert one) {
    finish(one.partition(), one.offset() + 1);
  }

  private void finish(TopicPartition partition, long position) {
    finished.merge(partition, position, Math::max);
  }

  private long firstWaiting(TopicPartition partition) {
    return queued.stream()
        .filter(one -> one.partition().equals(partition))
        .mapToLong(QueuedAlert::offset)
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }

  /** Whether alerts come faster than they may be told, or come too late to be told one by one. */
  private boolean needsDigest(Instant now) {
    var head = queued.element().alert();
    var several = several(queued.stream().filter(each -> !needsOwnNotification(each)));
    return several && head != null && !needsOwnNotification(queued.element())
        && (!rate.allows(now) || isLate(head, now));
  }

  /** What only a message of its own can end. */
  private boolean needsOwnNotification(QueuedAlert one) {
    return one.alert() != null && receiver.format().tracksResolution() && one.alert().getStatus().equals("resolved");
  }

  /** After a gap alerts come all at once: the first of them waits a moment, to be told with the others. */
  private boolean isInGroupWait(Instant now) {
    if (queued.isEmpty() || !isAfterGap(queued.element().alert())) {
      return false;
    }
    if (groupWaitSince == null) {
      groupWaitSince = now;
    }
    return now.isBefore(groupWaitSince.plus(GROUP_WAIT));
  }

  /** What nobody wants does not part those that are. */
  private static boolean isAfterGap(@Nullable Alert alert) {
    return alert == null || alert.getAfterGap();
  }

  private static boolean several(Stream<QueuedAlert> some) {
    return some.filter(each -> each.alert() != null).limit(2).count() > 1;
  }

  private boolean isLate(Alert alert, Instant now) {
    return alert.getEventTime().plus(receiver.deliverWithin()).isBefore(now);
  }

  private PendingDigest startDigest(Predicate<@Nullable Alert> takes) {
    var head = queued.element();
    var first = Objects.requireNonNull(head.alert()).getEventTime();
    return new PendingDigest("digest/" + receiver.name() + "/" + head.partition() + "@" + head.offset(), first, takes);
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

  /** Doubled with each failure, and up to a half shorter by chance. */
  private Duration pause() {
    var whole = Math.min(FIRST_PAUSE.toMillis() << Math.min(failures - 1, 10), LONGEST_PAUSE.toMillis());
    return Duration.ofMillis(whole - (long) (chance.nextDouble() * whole / 2));
  }
}
