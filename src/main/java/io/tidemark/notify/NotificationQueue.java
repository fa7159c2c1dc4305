package io.tidemark.notify;

import static java.util.Comparator.naturalOrder;

import io.tidemark.event.Alert;
import io.tidemark.kafka.TraceParent;
import io.tidemark.notify.WebhookClient.DeliveryResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The alerts that wait for one receiver, in order of arrival. This class decides when each alert is sent, and whether
 * it is sent alone or in a digest. Resolved incidents take turns with other alerts. A notification that fails stays at
 * the head of the queue. After some failures in a row, the head and the next alert are tried alternately. If the next
 * alert is delivered and the head fails once more, the head is at fault. A receiver that asks for a pause gets no
 * notification within the pause, and nothing is at fault because of it. A head at fault is set aside (removed from the
 * queue and tried again between other notifications), or dropped if it is a digest or the receiver rejected it. A
 * rejected end of an incident is set aside, too. Confined to one thread. Uses no clock and no I/O.
 */
final class NotificationQueue {

  /** Number of queued alerts at which reading stops. Further alerts wait in Kafka. */
  static final int CAPACITY = 1000;
  /** Total size of the queued alerts' records, in bytes, at which reading stops. */
  static final int CAPACITY_BYTES = 4 << 20;

  /**
   * Number of queued resolved incidents at which reading stops. They do not count in {@link #CAPACITY}, because other
   * alerts take turns with them, and must be read while many of them wait.
   */
  static final int RESOLVED_CAPACITY = 10 * CAPACITY;
  /** Total size of the records of queued resolved incidents, in bytes, at which reading stops. */
  static final int RESOLVED_CAPACITY_BYTES = 2 * CAPACITY_BYTES;

  /** How long the first alert after a gap waits for other alerts, so that all are sent in one digest. */
  private static final Duration GROUP_WAIT = Duration.ofSeconds(10);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);
  private static final Duration LONGEST_PAUSE_ASIDE = Duration.ofMinutes(15);

  /** Number of failures in a row after which the receiver counts as accepting nothing. */
  private static final int SEVERAL_FAILURES = 3;

  /** Maximum number of alerts set aside. Their offsets must fit into the metadata of a committed offset. */
  private static final int MOST_ASIDE = 20;

  /**
   * How long an alert that was set aside is retried if it begins or resolves an incident. If a resolved alert is then
   * given up, its incident stays open, except in Alertmanager, which ends it by itself. If a firing alert is given up,
   * it gets no incident.
   */
  private static final Duration INCIDENT_RETRIED_FOR = AlertmanagerFormat.CONDITION_EXPIRES_AFTER;

  private final Receiver receiver;
  private final RandomGenerator random;
  private final Deque<QueuedAlert> queued = new ArrayDeque<>();
  /** When notifications were delivered within the last period of the limit. */
  private final Deque<Instant> delivered = new ArrayDeque<>();
  private final Map<TopicPartition, Long> finished = new HashMap<>();
  private final Map<TopicPartition, Long> lastTaken = new HashMap<>();
  private final Map<TopicPartition, Long> resumedAt = new HashMap<>();
  private final Map<TopicPartition, SortedSet<Long>> asideOffsets = new HashMap<>();
  private final List<SetAside> aside = new ArrayList<>();
  private @Nullable PendingDigest digest;
  private @Nullable SetAside repeated;
  private @Nullable QueuedAlert tried;
  /** Whether the head failed without asking for a pause. */
  private boolean headFailed;
  private boolean headAtFault;
  /** Whether the notification before the head resolved an incident. */
  private boolean lastWasResolved;
  private @Nullable Instant groupWaitSince;
  private Instant notBefore = Instant.MIN;
  private Instant deliveredAt = Instant.MIN;
  private int failures;

  /**
   * An alert that matches the receiver.
   *
   * @param bytes size of the alert's record
   * @param trace the span of the alert; null if it belongs to no trace
   */
  private record QueuedAlert(
      Alert alert, TopicPartition partition, long offset, int bytes, @Nullable TraceParent trace) {

    Notification alone() {
      return new Notification.SingleAlert(alert, trace);
    }
  }

  /** An alert that was set aside, because its delivery failed while other alerts were delivered. */
  private static final class SetAside {

    private final QueuedAlert one;
    private int failures;
    private Instant notBefore;
    /** When it was set aside, or failed for the first time after a restart. */
    private Instant since = Instant.MAX;
    /** When it was rejected last; {@link Instant#MAX} if the last attempt failed in another way. */
    private Instant rejectedAt = Instant.MAX;

    SetAside(QueuedAlert one, Instant notBefore) {
      this.one = one;
      this.notBefore = notBefore;
    }

    void failed(DeliveryResult result, Instant now) {
      since = since.isBefore(now) ? since : now;
      rejectedAt = result instanceof DeliveryResult.RejectedByReceiver ? now : Instant.MAX;
    }

    Alert alert() {
      return one.alert();
    }
  }

  NotificationQueue(Receiver receiver, RandomGenerator random) {
    this.receiver = receiver;
    this.random = random;
  }

  boolean hasCapacity() {
    return hasCapacity(each -> !needsOwnNotification(each), CAPACITY, CAPACITY_BYTES)
        && hasCapacity(this::needsOwnNotification, RESOLVED_CAPACITY, RESOLVED_CAPACITY_BYTES);
  }

  private boolean hasCapacity(Predicate<QueuedAlert> counted, long alerts, long bytes) {
    var sizes = queued.stream().filter(counted).mapToLong(QueuedAlert::bytes).summaryStatistics();
    return sizes.getCount() < alerts && sizes.getSum() < bytes;
  }

  /**
   * Adds an alert that was read from Kafka. An alert that does not match the receiver is finished at once, so that it
   * needs no place in the queue.
   *
   * @param alert null if the alert cannot be decoded and must be skipped
   * @param bytes size of the alert's record
   * @param trace the span of the alert; null if it belongs to no trace
   */
  void add(@Nullable Alert alert, TopicPartition partition, long offset, int bytes, @Nullable TraceParent trace) {
    var isNew = offset >= resumedAt.getOrDefault(partition, 0L);
    if (!isNew && !aside(partition).contains(offset)) {
      return;
    }
    if (alert != null && receiver.match().matches(alert)) {
      var one = new QueuedAlert(alert, partition, offset, bytes, trace);
      if (isNew) {
        queued.add(one);
      } else {
        aside.add(new SetAside(one, Instant.MIN));
      }
    } else if (isNew) {
      finished.merge(partition, offset + 1, Math::max);
    } else {
      finishAside(partition, offset);
    }
  }

  /**
   * Resumes a partition at the position that an earlier session committed. If alerts below this position are added
   * again, only the alerts that were set aside are kept.
   */
  void resume(TopicPartition partition, long position, Collection<Long> setAside) {
    resumedAt.put(partition, position);
    asideOffsets.put(partition, new TreeSet<>(setAside));
    finished.put(partition, position);
    lastTaken.put(partition, position);
  }

  /**
   * Returns the offsets of the alerts in a partition that are set aside. These offsets are below the position to
   * commit, but their alerts are not finished.
   */
  SortedSet<Long> aside(TopicPartition partition) {
    return asideOffsets.getOrDefault(partition, Collections.emptySortedSet());
  }

  /** Returns how many alerts wait for delivery, including alerts set aside or in a digest. */
  int waiting() {
    return queued.size() + aside.size() + (digest == null ? 0 : digest.alerts());
  }

  @Nullable
  Instant oldest() {
    var alone = Stream.concat(queued.stream().map(QueuedAlert::alert), aside.stream().map(SetAside::alert))
        .map(Alert::getEventTime);
    return Stream.concat(alone, Stream.ofNullable(digest).map(PendingDigest::oldest)).min(naturalOrder()).orElse(null);
  }

  /**
   * Returns whether at least the last {@link #SEVERAL_FAILURES} attempts failed, whichever notifications were tried.
   * Attempts to send alerts that were set aside do not count.
   */
  boolean acceptsNothing() {
    return failures >= SEVERAL_FAILURES;
  }

  /** Returns the notification to send now, or null if there is no notification or it must wait. */
  @Nullable
  Notification next(Instant now) {
    tried = null;
    repeated = failures == 0 && !now.isBefore(notBefore) && isOneMoreAllowed(now)
        ? aside.stream().filter(each -> !each.notBefore.isAfter(now)).findFirst().orElse(null)
        : null;
    if (repeated != null) {
      return repeated.one.alone();
    }
    var mayStartDigest = digest == null && failures == 0 && !headAtFault;
    if (mayStartDigest && lastWasResolved && !queued.isEmpty() && needsOwnNotification(queued.element())) {
      moveOtherToHead();
    }
    if (mayStartDigest && !queued.isEmpty() && isLimitReached(now)) {
      digest = startDigest(alert -> true, alert -> false);
    } else if (mayStartDigest && !queued.isEmpty() && isHeadLate(now)) {
      digest = startDigest(alert -> true, this::beginsIncident);
    } else if (digest == null && isInGroupWait(now)) {
      return null;
    } else if (mayStartDigest && isHeadAfterGap()
        && hasSeveral(others().takeWhile(each -> each.alert().getAfterGap()))) {
      digest = startDigest(Alert::getAfterGap, alert -> false);
    }
    fillDigest(now);
    if (now.isBefore(notBefore) || !isOneMoreAllowed(now)) {
      return null;
    }
    tried = acceptsNothing() && failures % 2 == 1 ? behindHead() : null;
    if (digest != null && tried == null) {
      return digest.close();
    }
    var one = tried == null ? queued.peek() : tried;
    return one == null ? null : one.alone();
  }

  /**
   * Moves the first alert that resolves no incident to the head, so that such alerts and resolved incidents take turns.
   * If an earlier alert has the same fingerprint, moves the earlier one, because alerts with the same fingerprint are
   * sent in order.
   */
  private void moveOtherToHead() {
    others().findFirst()
        .flatMap(other -> queued.stream()
            .filter(each -> each.alert().getFingerprint().equals(other.alert().getFingerprint()))
            .findFirst())
        .ifPresent(first -> {
          queued.remove(first);
          queued.addFirst(first);
        });
  }

  /** Returns the queued alerts that may be part of a digest. */
  private Stream<QueuedAlert> others() {
    return queued.stream().filter(each -> !needsOwnNotification(each));
  }

  /**
   * Records the result of sending the notification that {@link #next} returned last.
   *
   * @return id of the notification that was given up and will not be sent again, which may be an alert that was set
   *     aside earlier; null if none was given up
   */
  @Nullable
  String completed(DeliveryResult result, Instant now) {
    if (result instanceof DeliveryResult.RetryLater(var reason, var after) && after != null && after.isPositive()) {
      pauseFor(after, now);
      return null;
    }
    if (repeated != null) {
      return completed(repeated, result, now);
    }
    if (result instanceof DeliveryResult.Delivered) {
      delivered.addLast(now);
      deliveredAt = now;
      if (tried == null) {
        finishHead();
      } else {
        remove(tried);
      }
    } else if (headAtFault && tried == null) {
      return removeHeadAtFault(result, now);
    } else {
      headFailed |= tried == null;
      failures++;
      notBefore = now.plus(pause(failures, LONGEST_PAUSE));
      return null;
    }
    failures = 0;
    notBefore = Instant.MIN;
    return null;
  }

  /**
   * Sends nothing until the pause that the receiver asks for is over. Tries an alert that was set aside later still, so
   * that other notifications are sent before it.
   */
  private void pauseFor(Duration after, Instant now) {
    notBefore = now.plus(after);
    if (repeated != null) {
      repeated.notBefore = notBefore.plus(pause(++repeated.failures, LONGEST_PAUSE_ASIDE));
    } else {
      failures++;
    }
  }

  /**
   * Removes an alert that was delivered instead of the head. If the head failed before and then fails again, the head
   * is at fault.
   */
  private void remove(QueuedAlert one) {
    queued.remove(one);
    finish(one);
    headAtFault = headFailed;
  }

  /**
   * Removes a head that is at fault. Sets its alert aside if the delivery must be retried, otherwise gives the head
   * up. A digest is always given up. If too many alerts are then aside, gives up the one that was set aside first.
   * Returns the id of the notification that was given up, or null if none was.
   */
  private @Nullable String removeHeadAtFault(DeliveryResult result, Instant now) {
    var head = digest == null ? queued.element() : null;
    if (head == null || !isSetAside(head, result)) {
      var givenUp = head == null ? Objects.requireNonNull(digest).close().id() : head.alone().id();
      finishHead();
      return givenUp;
    }
    asideOffsets.computeIfAbsent(head.partition(), partition -> new TreeSet<>()).add(head.offset());
    var setAside = new SetAside(head, now.plus(pause(1, LONGEST_PAUSE_ASIDE)));
    setAside.failed(result, now);
    aside.add(setAside);
    finishHead();
    if (aside.size() <= MOST_ASIDE) {
      return null;
    }
    var oldest = aside.removeFirst().one;
    finishAside(oldest.partition(), oldest.offset());
    return oldest.alone().id();
  }

  private @Nullable String completed(SetAside repeated, DeliveryResult result, Instant now) {
    if (result instanceof DeliveryResult.Delivered) {
      delivered.addLast(now);
      deliveredAt = now;
    } else if (!isGivenUp(repeated, result, now)) {
      repeated.failed(result, now);
      repeated.notBefore = now.plus(pause(++repeated.failures, LONGEST_PAUSE_ASIDE));
      return null;
    }
    aside.remove(repeated);
    finishAside(repeated.one.partition(), repeated.one.offset());
    return result instanceof DeliveryResult.Delivered ? null : repeated.one.alone().id();
  }

  /**
   * Returns whether a head at fault is set aside. A rejected head is set aside only if an incident would otherwise stay
   * open.
   */
  private boolean isSetAside(QueuedAlert failed, DeliveryResult result) {
    return result instanceof DeliveryResult.RetryLater || needsOwnNotification(failed);
  }

  /**
   * Returns whether an alert that was set aside is no longer retried. An alert of an incident counts from the time it
   * was set aside, because its condition may have begun long before. If the receiver rejects such an alert twice in a
   * row, and accepts another notification in between, the alert itself is at fault, and its place is not kept for
   * longer than {@code deliver-within}.
   */
  private boolean isGivenUp(SetAside one, DeliveryResult result, Instant now) {
    if (!isOfIncident(one.one)) {
      return one.alert().getEventTime().plus(receiver.deliverWithin()).isBefore(now);
    }
    var isAtFault = result instanceof DeliveryResult.RejectedByReceiver && deliveredAt.isAfter(one.rejectedAt);
    var within = isAtFault ? receiver.deliverWithin() : INCIDENT_RETRIED_FOR;
    return one.since.isBefore(now.minus(within));
  }

  /**
   * Returns the first alert behind the head that has a different fingerprint, or null if no such alert is queued. If
   * the head is a digest, returns the first queued alert. Alerts with different fingerprints may be sent in any
   * order.
   */
  private @Nullable QueuedAlert behindHead() {
    var head = digest == null ? queued.element().alert().getFingerprint() : "";
    return queued.stream()
        .filter(each -> !each.alert().getFingerprint().equals(head))
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns the positions to commit, for the partitions whose position changed, or in which an alert set aside was
   * finished, since the last call. A position lies after finished alerts, and never beyond an alert that waits in the
   * queue or in a digest.
   */
  Map<TopicPartition, Long> takeCommittable() {
    var positions = new HashMap<TopicPartition, Long>();
    finished.forEach((partition, offset) -> positions.put(partition, Math.min(offset, firstWaiting(partition))));
    positions.entrySet().removeAll(lastTaken.entrySet());
    lastTaken.putAll(positions);
    return positions;
  }

  /** Forgets all alerts. Another consumer, or the next session, delivers the alerts that are not committed. */
  void clear() {
    queued.clear();
    finished.clear();
    lastTaken.clear();
    resumedAt.clear();
    asideOffsets.clear();
    aside.clear();
    digest = null;
    repeated = null;
    tried = null;
    headFailed = false;
    headAtFault = false;
    lastWasResolved = false;
    failures = 0;
    groupWaitSince = null;
  }

  private void finishHead() {
    headFailed = false;
    headAtFault = false;
    if (digest != null) {
      digest.positions().forEach((partition, position) -> finished.merge(partition, position, Math::max));
      digest = null;
      lastWasResolved = false;
    } else {
      finish(queued.remove());
    }
  }

  /** Marks an alert as finished, and finishes the alerts that it replaces. */
  private void finish(QueuedAlert one) {
    finished.merge(one.partition(), one.offset() + 1, Math::max);
    lastWasResolved = needsOwnNotification(one);
    finishReplacedBy(one);
  }

  /**
   * Finishes older alerts of a condition that were set aside and have the same fingerprint, because sending an older
   * alert later would contradict the newer alert. Each event is an alert of its own.
   */
  private void finishReplacedBy(QueuedAlert one) {
    for (var older : List.copyOf(aside)) {
      if (older.one != one && !older.alert().getStatus().equals("fired")
          && older.alert().getFingerprint().equals(one.alert().getFingerprint())) {
        aside.remove(older);
        finishAside(older.one.partition(), older.one.offset());
      }
    }
  }

  /** Finishes an alert that was set aside. The next commit repeats the partition's position with new metadata. */
  private void finishAside(TopicPartition partition, long offset) {
    asideOffsets.getOrDefault(partition, new TreeSet<>()).remove(offset);
    lastTaken.remove(partition);
  }

  private long firstWaiting(TopicPartition partition) {
    var inQueue = queued.stream()
        .filter(one -> one.partition().equals(partition))
        .mapToLong(QueuedAlert::offset)
        .min()
        .orElse(Long.MAX_VALUE);
    return digest == null ? inQueue : Math.min(inQueue, digest.firstOffsets().getOrDefault(partition, inQueue));
  }

  /**
   * Returns whether several alerts wait, and the limit allows no notification now. Alerts that need their own
   * notification do not count.
   */
  private boolean isLimitReached(Instant now) {
    return !needsOwnNotification(queued.element())
        && hasSeveral(queued.stream().filter(each -> !needsOwnNotification(each)))
        && !isOneMoreAllowed(now);
  }

  /**
   * Returns whether the head is too late for a single notification, and several alerts may go into a digest. Alerts of
   * incidents do not count. A condition that begins an incident is never too late: it may have fired long ago under a
   * silence that has just ended. Only the limit puts it into a digest.
   */
  private boolean isHeadLate(Instant now) {
    return isLate(queued.element().alert(), now)
        && !isOfIncident(queued.element())
        && hasSeveral(queued.stream().filter(each -> !isOfIncident(each)));
  }

  /** Returns whether an alert begins or resolves an incident of a receiver that tracks incidents. */
  private boolean isOfIncident(QueuedAlert one) {
    return needsOwnNotification(one) || beginsIncident(one.alert());
  }

  /**
   * Returns whether an alert resolves an incident of a receiver that tracks incidents. Such an alert is sent alone,
   * never within a digest. It is sent even if no incident was opened for it, because after a restart nothing says which
   * conditions were part of a digest.
   */
  private boolean needsOwnNotification(QueuedAlert one) {
    return receiver.format().tracksResolution() && one.alert().getStatus().equals("resolved");
  }

  /** Returns whether an alert is a firing condition, of which a receiver that tracks incidents makes an incident. */
  private boolean beginsIncident(Alert alert) {
    return receiver.format().tracksResolution() && alert.getStatus().equals("firing");
  }

  /**
   * Returns whether the head still waits for other alerts. After a gap, many alerts arrive at the same time. Once this
   * wait is over, those that are still queued are sent without another one.
   */
  private boolean isInGroupWait(Instant now) {
    if (!isHeadAfterGap()) {
      groupWaitSince = queued.stream().anyMatch(each -> each.alert().getAfterGap()) ? groupWaitSince : null;
      return false;
    }
    if (groupWaitSince == null) {
      groupWaitSince = now;
    }
    return now.isBefore(groupWaitSince.plus(GROUP_WAIT));
  }

  private boolean isHeadAfterGap() {
    return !queued.isEmpty() && queued.element().alert().getAfterGap();
  }

  private static boolean hasSeveral(Stream<QueuedAlert> some) {
    return some.limit(2).count() > 1;
  }

  private boolean isOneMoreAllowed(Instant now) {
    while (!delivered.isEmpty() && !delivered.getFirst().plus(receiver.limit().period()).isAfter(now)) {
      delivered.removeFirst();
    }
    return delivered.size() < receiver.limit().notifications();
  }

  private boolean isLate(Alert alert, Instant now) {
    return alert.getEventTime().plus(receiver.deliverWithin()).isBefore(now);
  }

  private PendingDigest startDigest(Predicate<Alert> filter, Predicate<Alert> leftOut) {
    return new PendingDigest(receiver.name(), queued.element().alert().getEventTime(), filter, leftOut);
  }

  private void fillDigest(Instant now) {
    var passed = new HashSet<String>();
    var each = queued.iterator();
    while (digest != null && each.hasNext()) {
      var one = each.next();
      if (needsOwnNotification(one)) {
        passed.add(one.alert().getFingerprint());
        continue;
      }
      if (digest.leavesOut(one.alert()) || passed.contains(one.alert().getFingerprint())) {
        continue;
      }
      if (!digest.accepts(one.alert())) {
        break;
      }
      each.remove();
      digest.cover(one.partition(), one.offset());
      digest.add(one.alert(), isLate(one.alert(), now));
      finishReplacedBy(one);
    }
  }

  /** Returns a pause that doubles with each failure up to {@code longest}, less a random part of up to a half. */
  private Duration pause(int failures, Duration longest) {
    var whole = Math.min(FIRST_PAUSE.toMillis() << Math.min(Math.max(failures, 1) - 1, 10), longest.toMillis());
    return Duration.ofMillis(whole - (long) (random.nextDouble() * whole / 2));
  }
}
