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
 * The newest ticks of one part of a task, such as its candles, and the ticks that wait until all work that they cover
 * is done. A tick is a control record with the ledger's time. The task does this work in slices of a bounded size, so
 * that no call takes long. It does one slice for each record or tick that it reads. Everything after a waiting tick
 * waits too, so the order of the records that a task sends does not depend on the size of a slice.
 *
 * <p>Ticks whose work is done within the call that adds them are never stored as waiting.
 */
public final class PendingTicks {

  /** Maximum work of the slice for a tick, counted in figures read or records sent. */
  public static final int SLICE_OF_A_TICK = 2_500;

  /**
   * Maximum work of the slice for any other record. It is small, because Kafka Streams processes hundreds of records in
   * one transaction before it reads its clock.
   */
  public static final int SLICE_OF_A_RECORD = 100;

  private static final String PREFIX = "pending/";
  private static final String NEWEST = "tick";
  private static final String SLOWEST = "now";
  private static final Long NONE = Long.MIN_VALUE;

  private final KeyValueStore<String, Long> store;
  private final Deque<PendingTick> waiting = new ArrayDeque<>();
  private int stored;

  /** A waiting tick, with a number whose meaning the caller defines. */
  public record PendingTick(Instant at, long value) {

    private String key() {
      return PREFIX + "%013d".formatted(at.toEpochMilli());
    }
  }

  /** Restores the ticks that the task stored before it moved to this instance. The store may hold other keys too. */
  public PendingTicks(KeyValueStore<String, Long> store) {
    this.store = store;
    try (var entries = store.range(PREFIX, PREFIX + ":")) { // ':' sorts directly after '9'
      Streams.stream(entries)
          .map(entry -> new PendingTick(time(entry.key), entry.value))
          .forEach(waiting::add);
    }
    stored = waiting.size();
  }

  /**
   * Stores a tick and returns the tick before it, or null for the first tick. Everything that was due by the returned
   * tick is due now.
   *
   * <p>A record that a tick covers may have the timestamp of the tick and be read after the tick. Such a record is
   * read before the next tick.
   */
  public @Nullable Instant previous(Instant tick) {
    var before = newest();
    store.put(NEWEST, tick.toEpochMilli());
    return before;
  }

  /** Returns the tick that was stored last, or null if there was none. */
  public @Nullable Instant newest() {
    var newest = store.get(NEWEST);
    return newest == null ? null : Instant.ofEpochMilli(newest);
  }

  /**
   * Stores the tick of one upstream partition. Returns the smallest of the newest ticks of all upstream partitions, or
   * null if the smallest tick did not advance or a partition has had no tick. The smallest tick is the time of a task
   * after a repartition.
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

  /** Adds a tick that is later than all waiting ticks. */
  public void add(Instant at, long value) {
    waiting.add(new PendingTick(at, value));
  }

  /** Returns the earliest waiting tick, or null if none waits. */
  public @Nullable PendingTick first() {
    return waiting.peekFirst();
  }

  /** Removes the earliest waiting tick. Must be called after all work that the tick covers is done. */
  public void removeFirst() {
    var done = waiting.removeFirst();
    if (stored > 0) {
      store.delete(done.key());
      stored--;
    }
  }

  /** Stores the ticks that still wait at the end of a call. */
  public void save() {
    waiting.stream().skip(stored).forEach(tick -> store.put(tick.key(), tick.value()));
    stored = waiting.size();
  }

  private static Instant time(String key) {
    return Instant.ofEpochMilli(Long.parseLong(key.substring(PREFIX.length())));
  }
}
