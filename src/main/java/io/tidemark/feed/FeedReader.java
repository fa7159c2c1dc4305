package io.tidemark.feed;

import io.tidemark.feed.FeedOffsets.LongList;
import io.tidemark.feed.TopicTail.Entry;
import io.tidemark.rule.expression.EvaluationFailure;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.TopicReader.LostRange;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One reader of a topic: what it has got, and what comes next. First it takes what a consumer of its own has read, a
 * bounded number of bytes ahead of it; from then on it is a place among the newest records, which all readers share.
 * Thread-safe.
 */
final class FeedReader {

  static final int MOST_QUEUED_BYTES = 256 << 10;

  private static final int BATCH = 256;

  private final TopicTail tail;
  private final FeedFilter filter;
  private final Duration stallLimit;
  private final Deque<QueuedEvent> queue = new ArrayDeque<>();
  private int queuedBytes;
  private @Nullable FeedOffsets offsets;

  /** The offsets of the last event that was taken out of the queue. */
  private byte @Nullable [] taken;

  /** Whether the offsets are those of the shared consumer: then its ids are ours. */
  private boolean isShared;

  private long place = -1;
  private long caughtUpAt = -1;
  private @Nullable String end;
  private boolean isClosed;
  private boolean isTooSlow;

  /**
   * An event that its own consumer has read.
   *
   * @param id the offsets behind it, as they are in an id
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record QueuedEvent(byte[] id, byte[] event) {
    int size() {
      return id.length + event.length;
    }
  }

  /** Where events go. */
  interface EventOutput {
    /**
     * Takes an event.
     *
     * @param id the offsets behind it, as they are in an id
     * @param event name and data
     */
    void write(byte[] id, byte[] event);
  }

  /** @param stallLimit how long it may take nothing while its own consumer waits for it */
  FeedReader(TopicTail tail, FeedFilter filter, Duration stallLimit) {
    this.tail = tail;
    this.filter = filter;
    this.stallLimit = stallLimit;
  }

  TopicTail tail() {
    return tail;
  }

  /**
   * Writes the next events, if there are any.
   *
   * @param size of all that is written
   * @param mostBytes that may be exceeded by one event
   */
  synchronized void next(EventOutput out, IntSupplier size, int mostBytes) {
    if (end == null) {
      takeQueued(out, size, mostBytes);
    }
    if (end == null && queue.isEmpty() && place >= 0) {
      readShared(out, size, mostBytes);
    }
  }

  /** Whether {@link #next} has events. */
  synchronized boolean hasMore() {
    return end == null && (!queue.isEmpty() || tail.problem() != null
        || (place >= 0 && (tail.hasMore(place) || caughtUpAt >= 0)));
  }

  /** Why it ends; null where it goes on. */
  synchronized @Nullable String ending() {
    return end;
  }

  /** Whether it is known where it begins. */
  synchronized boolean hasBegun() {
    return offsets != null;
  }

  /** How far its client has come, as it is in an id: behind all that was taken, and behind what did not pass. */
  synchronized byte[] reached() {
    return queue.isEmpty() ? FeedFrame.offsets(offsets()) : Objects.requireNonNull(taken, "not begun");
  }

  /** Whether it was ended because it took too little. */
  synchronized boolean isTooSlow() {
    return isTooSlow;
  }

  /** Whether what is left is the event {@code end}: that it comes too late, the newest records are gone, shows here. */
  synchronized boolean hasToEnd() {
    if (end == null && place >= 0 && !tail.holds(place)) {
      endTooSlow("the records that come next are not in memory any more");
    }
    return end != null;
  }

  /** Ends with a reason, without what was not taken yet. */
  synchronized void end(String reason) {
    if (end == null) {
      end = reason;
      notifyAll();
    }
  }

  /** Ends it because it takes too little. */
  synchronized void endTooSlow(String detail) {
    if (end == null) {
      isTooSlow = true;
      end("too slow: " + detail + "; connect again with the last id to go on from there");
    }
  }

  /** Nobody wants more of it. */
  synchronized void close() {
    isClosed = true;
    notifyAll();
  }

  synchronized boolean isDone() {
    return isClosed || end != null;
  }

  /** Says where it begins. */
  synchronized void begin(FeedOffsets at) {
    offsets = at;
    taken = FeedFrame.offsets(at);
    add(new QueuedEvent(taken, FeedFrame.EMPTY_LINE));
  }

  /**
   * Goes on with the shared records from a place on.
   *
   * @param caughtUpAt the place at which all that was there at the start is read; -1 if that was sent already
   * @return whether the place is still held
   */
  synchronized boolean share(long from, long caughtUpAt) {
    if (!tail.holds(from)) {
      return false;
    }
    this.place = from;
    this.caughtUpAt = caughtUpAt;
    return true;
  }

  synchronized FeedOffsets offsets() {
    return Objects.requireNonNull(offsets, "not begun");
  }

  /** Waits until there is room. Returns whether more is wanted. */
  synchronized boolean offer(CommittedRecord record) {
    var passes = passes(record);
    offsets = offsets().with(record.partition(), record.offset() + 1);
    return !passes || offer(FeedFrame.record(record));
  }

  /** Says what is lost, whatever the filter. */
  synchronized boolean offer(LostRange lost) {
    offsets = offsets().with(lost.partition().partition(), lost.end());
    return offer(FeedFrame.gap(lost));
  }

  /** Has read up to these offsets: behind the last record lie markers of transactions at most. */
  synchronized void reached(LongList ends) {
    for (var i = 0; i < ends.size() && !isDone(); i++) {
      offsets = offsets().with(i, Math.max(offsets().next().get(i), ends.get(i)));
    }
  }

  synchronized boolean offerCaughtUp() {
    return offer(FeedFrame.caughtUp(tail.topic().name()));
  }

  private boolean offer(byte[] event) {
    add(new QueuedEvent(FeedFrame.offsets(offsets()), event));
    return awaitRoom();
  }

  private void add(QueuedEvent event) {
    queue.add(event);
    queuedBytes += event.size();
  }

  /** A reader that takes something, however little, is waited for. */
  private boolean awaitRoom() {
    var limit = System.nanoTime() + stallLimit.toNanos();
    var queuedBefore = queuedBytes;
    while (queuedBytes > MOST_QUEUED_BYTES && !isDone()) {
      var left = limit - System.nanoTime();
      if (left <= 0) {
        endTooSlow("it took nothing for " + stallLimit.toSeconds() + " s");
        break;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
      if (queuedBytes < queuedBefore) {
        queuedBefore = queuedBytes;
        limit = System.nanoTime() + stallLimit.toNanos();
      }
    }
    return !isDone();
  }

  private void takeQueued(EventOutput out, IntSupplier size, int mostBytes) {
    while (!queue.isEmpty() && size.getAsInt() < mostBytes) {
      var next = queue.remove();
      queuedBytes -= next.size();
      taken = next.id();
      out.write(next.id(), next.event());
    }
    notifyAll();
  }

  private void readShared(EventOutput out, IntSupplier size, int mostBytes) {
    while (end == null && size.getAsInt() < mostBytes) {
      if (place >= caughtUpAt && caughtUpAt >= 0) {
        caughtUpAt = -1;
        out.write(FeedFrame.offsets(offsets()), FeedFrame.caughtUp(tail.topic().name()));
      }
      var entries = tail.read(place, BATCH);
      if (entries == null) {
        endTooSlow("the records that come next are not in memory any more");
      } else if (entries.isEmpty()) {
        endWithTail();
        return;
      } else {
        write(entries, out, size, mostBytes);
      }
    }
  }

  private void endWithTail() {
    var problem = tail.problem();
    if (problem != null) {
      end(problem);
    }
  }

  private void write(Iterable<Entry> entries, EventOutput out, IntSupplier size, int mostBytes) {
    for (var entry : entries) {
      if (size.getAsInt() >= mostBytes || end != null || (caughtUpAt >= 0 && place >= caughtUpAt)) {
        return;
      }
      place++;
      if (isShared) {
        offsets = entry.after();
        writeIfPassing(entry, entry.id(), out);
      } else {
        writeIfNew(entry, out);
      }
    }
  }

  /** A reader that was ahead of the shared consumer skips what it has. */
  private void writeIfNew(Entry entry, EventOutput out) {
    var partition = entry.partition();
    var reached = entry.after().next().get(partition);
    if (reached > offsets().next().get(partition)) {
      offsets = offsets().with(partition, reached);
      writeIfPassing(entry, FeedFrame.offsets(offsets), out);
    }
    isShared = offsets().equals(entry.after());
  }

  private void writeIfPassing(Entry entry, byte[] id, EventOutput out) {
    if (entry.record() == null || passes(entry.record())) {
      out.write(id, entry.event());
    }
  }

  private boolean passes(CommittedRecord record) {
    try {
      return filter.passes(record);
    } catch (EvaluationFailure e) {
      end("where, at " + record.location() + ": " + e.getMessage());
      return false;
    }
  }
}
