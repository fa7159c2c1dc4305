package io.tidemark.receiver;

import io.tidemark.event.Alert;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Alerts on their way to one receiver, in the order of their arrival; one thread's, without clock or I/O. What is taken
 * out counts as done only when its message was delivered or refused for good.
 */
final class Outbox {

  /** So many wait one by one; more than that wait in Kafka. */
  static final int ROOM = 1000;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);

  private final Receiver receiver;
  private final Rate rate;
  private final RandomGenerator chance;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Map<TopicPartition, Long> done = new HashMap<>();
  private final Map<TopicPartition, Long> taken = new HashMap<>();
  private @Nullable Digest digest;
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
  @Nullable Notice next(Instant now) {
    passOver();
    if (digest == null && !waiting.isEmpty() && mustWait(now)) {
      digest = begin();
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
  }

  private void told(Instant now) {
    rate.count(now);
    failures = 0;
    notBefore = Instant.MIN;
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
    var several = waiting.stream().filter(each -> each.alert() != null && !isAlone(each)).limit(2).count() > 1;
    return several && head != null && !isAlone(waiting.element()) && (!rate.allows(now) || isLate(head, now));
  }

  /** What only a message of its own can end. */
  private boolean isAlone(Waiting one) {
    return one.alert() != null && receiver.format().keepsOpen() && one.alert().getStatus().equals("resolved");
  }

  private boolean isLate(Alert alert, Instant now) {
    return alert.getEventTime().plus(receiver.deliverWithin()).isBefore(now);
  }

  private Digest begin() {
    var head = waiting.element();
    var first = Objects.requireNonNull(head.alert()).getEventTime();
    return new Digest("digest/" + receiver.name() + "/" + head.partition() + "@" + head.offset(), first);
  }

  private void gather(Instant now) {
    for (var each = waiting.iterator(); digest != null && digest.takesMore() && each.hasNext(); ) {
      var one = each.next();
      if (!isAlone(one)) {
        each.remove();
        digest.pass(one.partition(), one.offset() + 1);
        if (one.alert() != null) {
          digest.add(one.alert(), isLate(one.alert(), now));
        }
      }
    }
  }

  /** Doubled with each failure, and up to a half shorter by chance. */
  private Duration pause() {
    var whole = Math.min(FIRST_PAUSE.toMillis() << Math.min(failures - 1, 10), LONGEST_PAUSE.toMillis());
    return Duration.ofMillis(whole - (long) (chance.nextDouble() * whole / 2));
  }
}
