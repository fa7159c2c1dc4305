package io.tidemark.stream.tick;

import static java.util.Objects.requireNonNullElse;

import com.google.common.collect.Streams;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.IntStream;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The newest ticks of a part of a task, and those that wait, in order, until all that they cover is done. A task does that
 * in slices of a bounded size, one with each record and tick that it reads, so that no call takes long; what is behind a
 * tick waits with it. So the order of what a task sends does not depend on the size of a slice.
 *
 * <p>Ticks that are done within the call that adds them are never stored.
 */
public final class PendingTicks {

  /** What is done at most when a tick is read: figures read or records sent. */
  public static final int SLICE_OF_A_TICK = 2_500;

  /**
   * What is done at most when any other record is read. Kafka Streams reads some hundred records before it reads its
   * clock, all in one transaction.
   */
  public static final int SLICE_OF_A_RECORD = 100;

  private static final String PREFIX = "pending/";
  private static final String NEWEST = "tick";
  private static final String SLOWEST = "now";
  private static final Long NONE = Long.MIN_VALUE;

  private final KeyValueStore<String, Long> store;
  private final Deque<PendingTick> waiting = new ArrayDeque<>();
  private int stored;

  /** A tick that waits, with a number of its owner's. */
  public record PendingTick(Instant at, long value) {

    private String key() {
      return PREFIX + "%013d".formatted(at.toEpochMilli());
    }
  }

  /** Those that were stored when the task ended elsewhere; the store may hold other keys too. */
  public PendingTicks(KeyValueStore<String, Long> store) {
    this.store = store;
    try (var entries = store.range(PREFIX, PREFIX + ":")) { // ':' is next to '9'
      Streams.stream(entries)
          .map(entry -> new PendingTick(time(entry.key), entry.value))
          .forEach(waiting::add);
    }
    stored = waiting.size();
  }

  /**
   * Stores a tick and gives the one before it: what was due by then is due now. Null for the first tick.
   *
   * <p>A record that a tick covers may have the timestamp of the tick, and then be read behind it. By the next tick it is
   * read.
   */
  public @Nullable Instant previous(Instant tick) {
    var before = store.get(NEWEST);
    store.put(NEWEST, tick.toEpochMilli());
    return before == null ? null : Instant.ofEpochMilli(before);
  }

  /**
   * Stores the tick of one upstream partition; gives the smallest of the newest ticks of all of them where it advanced,
   * else null: that is the time of a task behind a repartition.
   */
  public @Nullable Instant slowest(int partition, int partitions, Instant tick) {
    store.put(key(partition), tick.toEpochMilli());
    var now = IntStream.range(0, partitions).mapToLong(each -> read(key(each))).min().orElse(NONE);
    if (now <= read(SLOWEST)) {
      return null;
    }
    store.put(SLOWEST, now);
    return Instant.ofEpochMilli(now);
  }

  private long read(String key) {
    return requireNonNullElse(store.get(key), NONE);
  }

  private static String key(int partition) {
    return "partition/" + partition;
  }

  /** Adds a tick that is later than those that wait. */
  public void add(Instant at, long value) {
    waiting.add(new PendingTick(at, value));
  }

  /** The earliest; null where none waits. */
  public @Nullable PendingTick first() {
    return waiting.peekFirst();
  }

  /** Removes the earliest: all that it covers is done. */
  public void removeFirst() {
    var done = waiting.removeFirst();
    if (stored > 0) {
      store.delete(done.key());
      stored--;
    }
  }

  /** Stores those that still wait, at the end of a call. */
  public void save() {
    waiting.stream().skip(stored).forEach(tick -> store.put(tick.key(), tick.value()));
    stored = waiting.size();
  }

  private static Instant time(String key) {
    return Instant.ofEpochMilli(Long.parseLong(key.substring(PREFIX.length())));
  }
}
