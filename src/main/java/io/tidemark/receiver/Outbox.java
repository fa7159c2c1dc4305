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
  private @Nullable Digest digest;
  private @Nullable Instant gathering;
  private Instant notBefore = Instant.MIN;
  private int failures;

  private record Waiting(@Nullable Alert alert, TopicPartition partition, long offset) {}

  /** Alerts told together; nothing joins it once it was tried, so that its name means the same at every attempt. */
  private static final class Digest {
    final Tally tally = new Tally();
    final Map<TopicPartition, Long> offsets = new HashMap<>();
    final String id;
    final Predicate<Waiting> takes;
    final Instant from;
    Instant to;
    boolean tried;

    Digest(String id, Instant from, Predicate<Waiting> takes) {
      this.id = id;
      this.takes = takes;
      this.from = from;
      this.to = from;
    }
  }

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
      digest = begin(each -> true);
    } else if (digest == null && isGathering(now)) {
      return null;
    } else if (digest == null && several(waiting.stream().takeWhile(Outbox::isAfterGap))) {
      digest = begin(Outbox::isAfterGap);
    }
    gather(now);
    if (now.isBefore(notBefore) || !rate.allows(now)) {
      return null;
    }
    if (digest != null) {
      digest.tried = true;
      return new Notice.Many(digest.id, digest.tally, digest.from, digest.to);
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

  /** The positions that what is done leads to; forgotten by the asking. */
  Map<TopicPartition, Long> takeDone() {
    passOver();
    var taken = Map.copyOf(done);
    done.clear();
    return taken;
  }

  /** Of partitions that are others' now: whatever of them waits will be told by them. */
  void drop() {
    waiting.clear();
    done.clear();
    digest = null;
    gathering = null;
  }

  private void told(Instant now) {
    rate.count(now);
    failures = 0;
    notBefore = Instant.MIN;
    gathering = null;
    if (digest != null) {
      done.putAll(digest.offsets);
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
    done.merge(one.partition(), one.offset() + 1, Math::max);
  }

  /** Whether alerts come faster than they may be told, or come too late to be told one by one. */
  private boolean mustWait(Instant now) {
    var head = waiting.element().alert();
    return several(waiting.stream()) && (!rate.allows(now) || (head != null && isLate(head, now)));
  }

  /** After a gap alerts come all at once: the first of them waits a moment, to be told with the others. */
  private boolean isGathering(Instant now) {
    if (waiting.isEmpty() || !isAfterGap(waiting.element())) {
      return false;
    }
    if (gathering == null) {
      gathering = now;
    }
    return now.isBefore(gathering.plus(GATHERING));
  }

  /** What nobody wants does not part those that are. */
  private static boolean isAfterGap(Waiting one) {
    return one.alert() == null || one.alert().getAfterGap();
  }

  private static boolean several(Stream<Waiting> some) {
    return some.filter(each -> each.alert() != null).limit(2).count() > 1;
  }

  private boolean isLate(Alert alert, Instant now) {
    return alert.getEventTime().plus(receiver.deliverWithin()).isBefore(now);
  }

  private Digest begin(Predicate<Waiting> takes) {
    var head = waiting.element();
    var first = Objects.requireNonNull(head.alert()).getEventTime();
    return new Digest("digest/" + receiver.name() + "/" + head.partition() + "@" + head.offset(), first, takes);
  }

  private void gather(Instant now) {
    while (digest != null && !digest.tried && !waiting.isEmpty() && digest.takes.test(waiting.element())) {
      var one = waiting.remove();
      digest.offsets.merge(one.partition(), one.offset() + 1, Math::max);
      if (one.alert() != null) {
        digest.tally.add(one.alert(), isLate(one.alert(), now));
        digest.to = one.alert().getEventTime();
      }
    }
  }

  /** Doubled with each failure, and up to a half shorter by chance. */
  private Duration pause() {
    var whole = Math.min(FIRST_PAUSE.toMillis() << Math.min(failures - 1, 10), LONGEST_PAUSE.toMillis());
    return Duration.ofMillis(whole - (long) (chance.nextDouble() * whole / 2));
  }
}
