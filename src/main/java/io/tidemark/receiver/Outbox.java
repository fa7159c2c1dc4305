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
final class Outbox {

  /** So many wait one by one; more than that wait in Kafka. */
  static final int ROOM = 1000;

  /** So long the first alert after a gap waits for others. */
  private static final Duration GATHERING = Duration.ofSeconds(10);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);

  private final Receiver receiver;
  private final Rate rate;
  private final RandomGenerator chance;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Map<TopicPartition, Long> done = new HashMap<>();
  private final Map<TopicPartition, Long> taken = new HashMap<>();
  private @Nullable Digest digest;
  private @Nullable Instant gathering;
  private Instant notBefore = Instant.MIN;
  private int failures;

  private record Waiting(@Nullable Alert alert, TopicPartition partition, long offset) {}

  Outbox(Receiver receiver, RandomGenerator chance) {
    this.receiver = receiver;
    this.rate = new Rate(receiver.atMost());
    this.chance = chance;
  }

  boolean hasRoom() {
    return waiting.size() < ROOM;
  }

  /** @param alert null for what cannot be read: it is passed over */
  void add(@Nullable Alert alert, TopicPartition partition, long offset) {
    waiting.add(new Waiting(alert != null && receiver.match().wants(alert) ? alert : null, partition, offset));
  }

  /** What is to be sent now; null where there is nothing, or not yet. */
  @Nullable
  Notice next(Instant now) {
    passOver();
    if (digest == null && !waiting.isEmpty() && mustWait(now)) {
      digest = begin(alert -> true);
    } else if (digest == null && isGathering(now)) {
      return null;
    } else if (digest == null && several(waiting.stream().takeWhile(each -> isAfterGap(each.alert())))) {
      digest = begin(Outbox::isAfterGap);
    }
    gather(now);
    if (now.isBefore(notBefore) || !rate.allows(now)) {
      return null;
    }
    if (digest != null) {
      return digest.tried();
    }
    var head = waiting.peek();
    return head == null || head.alert() == null ? null : new Notice.One(head.alert());
  }

  /** What became of the message that {@link #next} gave last. */
  void answered(Reply reply, Instant now) {
    switch (reply) {
      case Reply.Later later -> {
        failures++;
        notBefore = now.plus(later.after() == null ? pause() : later.after());
      }
      case Reply.Delivered delivered -> told(now);
      case Reply.Refused refused -> told(now);
    }
  }

  /** The positions that what is done leads to, never beyond what waits; those that are others than when last asked. */
  Map<TopicPartition, Long> takeDone() {
    passOver();
    var news = new HashMap<TopicPartition, Long>();
    done.forEach((partition, offset) -> news.put(partition, Math.min(offset, firstWaiting(partition))));
    news.entrySet().removeAll(taken.entrySet());
    taken.putAll(news);
    return news;
  }

  /** Of partitions that are others' now: whatever of them waits will be told by them. */
  void drop() {
    waiting.clear();
    done.clear();
    taken.clear();
    digest = null;
    gathering = null;
  }

  private void told(Instant now) {
    rate.count(now);
    failures = 0;
    notBefore = Instant.MIN;
    gathering = null;
    if (digest != null) {
      digest.positions().forEach(this::finish);
      digest = null;
    } else {
      finish(waiting.remove());
    }
  }

  /** What nobody wants is done when its turn comes, never before what came before it. */
  private void passOver() {
    for (var head = waiting.peek(); digest == null && head != null && head.alert() == null; head = waiting.peek()) {
      finish(waiting.remove());
    }
  }

  private void finish(Waiting one) {
    finish(one.partition(), one.offset() + 1);
  }

  private void finish(TopicPartition partition, long position) {
    done.merge(partition, position, Math::max);
  }

  private long firstWaiting(TopicPartition partition) {
    return waiting.stream()
        .filter(one -> one.partition().equals(partition))
        .mapToLong(Waiting::offset)
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }

  /** Whether alerts come faster than they may be told, or come too late to be told one by one. */
  private boolean mustWait(Instant now) {
    var head = waiting.element().alert();
    var several = several(waiting.stream().filter(each -> !isAlone(each)));
    return several && head != null && !isAlone(waiting.element()) && (!rate.allows(now) || isLate(head, now));
  }

  /** What only a message of its own can end. */
  private boolean isAlone(Waiting one) {
    return one.alert() != null && receiver.format().keepsOpen() && one.alert().getStatus().equals("resolved");
  }

  /** After a gap alerts come all at once: the first of them waits a moment, to be told with the others. */
  private boolean isGathering(Instant now) {
    if (waiting.isEmpty() || !isAfterGap(waiting.element().alert())) {
      return false;
    }
    if (gathering == null) {
      gathering = now;
    }
    return now.isBefore(gathering.plus(GATHERING));
  }

  /** What nobody wants does not part those that are. */
  private static boolean isAfterGap(@Nullable Alert alert) {
    return alert == null || alert.getAfterGap();
  }

  private static boolean several(Stream<Waiting> some) {
    return some.filter(each -> each.alert() != null).limit(2).count() > 1;
  }

  private boolean isLate(Alert alert, Instant now) {
    return alert.getEventTime().plus(receiver.deliverWithin()).isBefore(now);
  }

  private Digest begin(Predicate<@Nullable Alert> takes) {
    var head = waiting.element();
    var first = Objects.requireNonNull(head.alert()).getEventTime();
    return new Digest("digest/" + receiver.name() + "/" + head.partition() + "@" + head.offset(), first, takes);
  }

  private void gather(Instant now) {
    var each = waiting.iterator();
    while (digest != null && each.hasNext()) {
      var one = each.next();
      if (isAlone(one)) {
        continue;
      }
      if (!digest.takes(one.alert())) {
        break;
      }
      each.remove();
      digest.pass(one.partition(), one.offset() + 1);
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
