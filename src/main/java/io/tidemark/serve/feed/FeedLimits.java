package io.tidemark.serve.feed;

import static java.util.Comparator.comparingLong;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits on the feeds of a process, over all sources, topics and readers: the memory that all feeds retain together,
 * the number of readers that catch up at the same time, and the time that the conditions of each client take. Counts
 * objects as long as they are reachable, so an event that waits for several readers counts once, in full.
 * Thread-safe.
 */
public final class FeedLimits {

  private static final int PART_OF_HEAP = 10;
  private static final int LEAST_FETCH = 64 << 10;
  private static final int MOST_FETCH = 256 << 10;
  private static final int POLLED_RECORDS = 50;
  private static final long MOST_QUEUED_OF_A_READER = 4L << 20;
  private static final long MOST_AHEAD_OF_A_READER = 256L << 10;

  private final long mostBytes;
  private final AtomicLong bytes = new AtomicLong();

  /** Bytes that {@link #tryRetainLatest} counts now. */
  final AtomicLong bytesOfLatest = new AtomicLong();
  private final Set<Feed> open = ConcurrentHashMap.newKeySet();
  private final CatchUpLimiter catchUps = new CatchUpLimiter();
  private final ConditionBudget conditions = new ConditionBudget(System::nanoTime);

  FeedLimits(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Returns limits that allow feeds to retain a tenth of the maximum heap size. */
  public static FeedLimits ofHeap() {
    return new FeedLimits(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /**
   * Returns the number of bytes that feeds and their events retain now. Records that consumers have fetched but not
   * returned yet are not counted.
   */
  public long bytes() {
    return bytes.get();
  }

  /**
   * Returns the maximum number of bytes that may be retained, including fetched records, which {@link #bytes} does
   * not count.
   */
  public long mostBytes() {
    return mostBytes;
  }

  /**
   * Returns the maximum number of bytes for feeds and their events, which is half of {@link #mostBytes}. The other
   * half is for records that consumers have fetched but not returned yet.
   */
  private long mostBytesOfEvents() {
    return mostBytes / 2;
  }

  /** Returns consumer configuration that keeps the fetched records within one consumer's share of the memory limit. */
  public Map<String, Object> consumer() {
    var fetch = Math.clamp(mostBytes / (4 * (CatchUpLimiter.MOST + 1)), LEAST_FETCH, MOST_FETCH);
    return Map.of("fetch.max.bytes", fetch, "max.partition.fetch.bytes", fetch, "max.poll.records", POLLED_RECORDS);
  }

  /** Returns the number of bytes that may wait for one reader before the reader counts as too slow. */
  long mostQueued() {
    return Math.min(MOST_QUEUED_OF_A_READER, mostBytesOfEvents() / 4);
  }

  /** Returns the number of bytes that a dedicated consumer may read ahead of its reader. */
  long mostAhead() {
    return Math.min(MOST_AHEAD_OF_A_READER, mostBytesOfEvents() / (2 * CatchUpLimiter.MOST));
  }

  public CatchUpLimiter catchUps() {
    return catchUps;
  }

  ConditionBudget conditions() {
    return conditions;
  }

  /**
   * Counts an open feed and the bytes that it retains while open. Returns false and counts nothing if too little
   * memory is left for the feed.
   */
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
   * Counts bytes that are retained from now on. If too little memory is left, cuts off readers until the bytes fit or
   * no events wait, beginning with the reader for which the most bytes wait. Must not be called by a thread that
   * holds the lock of a feed.
   */
  void reserve(long size) {
    while (!tryAdd(size)) {
      var largest = open.stream().filter(feed -> feed.queuedBytes() > 0).max(comparingLong(Feed::queuedBytes));
      if (largest.isEmpty()) {
        bytes.addAndGet(size); // no reader has events waiting, so these bytes are released immediately
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

  /**
   * Counts bytes without checking the limit. Unlike {@link #reserve}, may be called by a thread that holds the lock
   * of a feed.
   */
  void retain(long size) {
    bytes.addAndGet(size);
  }

  void release(long size) {
    bytes.addAndGet(-size);
  }

  /**
   * Counts bytes that the newest records of topics and answers with them retain, which have a limit of their own, also
   * of {@link #mostBytes}. Returns false and counts nothing if too little memory is left.
   *
   * @param isLoaded whether twice the limit applies, because a loaded table that does not fit is lost. Answers have the
   *     same limit, so that a loaded table can be read
   */
  boolean tryRetainLatest(long size, boolean isLoaded) {
    if (bytesOfLatest.addAndGet(size) <= (isLoaded ? 2 : 1) * mostBytes || size <= 0) {
      return true;
    }
    bytesOfLatest.addAndGet(-size);
    return false;
  }

  void releaseLatest(long size) {
    bytesOfLatest.addAndGet(-size);
  }
}
