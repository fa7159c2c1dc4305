package io.tidemark.feed;

import static java.util.Comparator.comparingLong;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits what the feeds of a process retain together, over all sources, topics and readers, how many readers catch up at
 * once, and how long the conditions of each client take. Counts objects as long as they are reachable: an event that
 * several readers wait for counts once, in full.
 * Thread-safe.
 */
public final class FeedLimits implements AutoCloseable {

  private static final int PART_OF_HEAP = 10;
  private static final int LEAST_FETCH = 64 << 10;
  private static final int MOST_FETCH = 256 << 10;
  private static final int POLLED_RECORDS = 50;
  private static final long MOST_QUEUED_OF_A_READER = 4L << 20;
  private static final long MOST_AHEAD_OF_A_READER = 256L << 10;

  private final long mostBytes;
  private final AtomicLong bytes = new AtomicLong();
  private final Set<Feed> open = ConcurrentHashMap.newKeySet();
  private final CatchUpLimiter catchUps = new CatchUpLimiter();
  private final ConditionBudget conditions = new ConditionBudget(System::nanoTime);

  FeedLimits(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** A tenth of the heap. */
  public static FeedLimits ofHeap() {
    return new FeedLimits(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /** Bytes that are retained now. */
  public long bytes() {
    return bytes.get();
  }

  /** Bytes that may be retained. */
  public long mostBytes() {
    return mostBytes;
  }

  /** Half of the bytes are for events; the other half is for the consumers: what they fetched and did not return yet. */
  private long mostBytesOfEvents() {
    return mostBytes / 2;
  }

  /** Configuration of a consumer that keeps what it fetches within its part of the limit. */
  Map<String, Object> consumer() {
    var fetch = Math.clamp(mostBytes / (4 * (CatchUpLimiter.MOST + 1)), LEAST_FETCH, MOST_FETCH);
    return Map.of("fetch.max.bytes", fetch, "max.partition.fetch.bytes", fetch, "max.poll.records", POLLED_RECORDS);
  }

  /** Bytes that may wait for one reader before it is too slow. */
  long mostQueued() {
    return Math.min(MOST_QUEUED_OF_A_READER, mostBytesOfEvents() / 4);
  }

  /** Bytes that a consumer of its own reads ahead of a reader. */
  long mostAhead() {
    return Math.min(MOST_AHEAD_OF_A_READER, mostBytesOfEvents() / (2 * CatchUpLimiter.MOST));
  }

  CatchUpLimiter catchUps() {
    return catchUps;
  }

  ConditionBudget conditions() {
    return conditions;
  }

  /** Counts an open feed with what it retains as long as it is open; false if there is no room for it. */
  boolean add(Feed feed, long size) {
    if (!tryAdd(size)) {
      return false;
    }
    open.add(feed);
    return true;
  }

  void remove(Feed feed, long size) {
    open.remove(feed);
    release(size);
  }

  /**
   * Counts bytes that are retained from now on. If there is no room for them, the readers that hold the most are cut off
   * until there is. Not to be called by a thread that holds the lock of a feed.
   */
  void reserve(long size) {
    while (!tryAdd(size)) {
      var largest = open.stream().filter(feed -> feed.queuedBytes() > 0).max(comparingLong(Feed::queuedBytes));
      if (largest.isEmpty()) {
        bytes.addAndGet(size); // nobody waits for anything: it is released at once
        return;
      }
      largest.get()
          .endTooSlow("all readers together wait for more than there is memory for, and this one for the most");
    }
  }

  private boolean tryAdd(long size) {
    var now = bytes.addAndGet(size);
    if (now <= mostBytesOfEvents()) {
      return true;
    }
    bytes.addAndGet(-size);
    return false;
  }

  /** Counts bytes of a queue, for which {@link #reserve} has made room. */
  void retain(long size) {
    bytes.addAndGet(size);
  }

  void release(long size) {
    bytes.addAndGet(-size);
  }

  @Override
  public void close() {
    catchUps.close();
  }
}
