package io.tidemark.feed;

import io.tidemark.feed.FeedOffsets.LongList;
import io.tidemark.feed.TopicTail.Entry;
import io.tidemark.rule.expression.EvaluationFailure;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.TopicReader.LostRange;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One reader of a feed: what it has got, and what comes next. First it takes what a consumer of its own has read, a
 * bounded number of bytes ahead of it; from then on it is a place among the newest records, which all readers share.
 * Thread-safe.
 */
public final class FeedReader implements AutoCloseable {

  static final int MOST_QUEUED_BYTES = 256 << 10;

  private static final int BATCH = 256;

  private final TopicTail tail;
  private final FeedFilter filter;
  private final Duration stallLimit;
  private final Consumer<FeedReader> onClose;
  private final Deque<byte[]> queue = new ArrayDeque<>();
  private int queuedBytes;
  private @Nullable FeedOffsets offsets;

  /** Whether the offsets are those of the shared consumer: then its ids are ours. */
  private boolean isShared;

  private long place = -1;
  private long caughtUpAt = -1;
  private @Nullable String end;
  private boolean isEnded;
  private boolean isClosed;
  private boolean isTooSlow;

  /**
   * @param stallLimit how long it may take nothing while its own consumer waits for it
   * @param onClose hears once that it is closed
   */
  FeedReader(TopicTail tail, FeedFilter filter, Duration stallLimit, Consumer<FeedReader> onClose) {
    this.tail = tail;
    this.filter = filter;
    this.stallLimit = stallLimit;
    this.onClose = onClose;
  }

  TopicTail tail() {
    return tail;
  }

  /**
   * The next events, in the form of Server-Sent Events; empty where there are none.
   *
   * @param mostBytes that may be exceeded by one event
   * @param heartbeat whether the id alone is to be said where there is no event
   */
  public synchronized byte[] next(int mostBytes, boolean heartbeat) {
    var out = new ByteArrayOutputStream();
    if (end == null) {
      takeQueued(out, mostBytes);
    }
    if (end == null && queue.isEmpty() && place >= 0) {
      readShared(out, mostBytes);
    }
    if (end != null && !isEnded) {
      isEnded = true;
      out.writeBytes(FeedFrame.end(end));
    } else if (heartbeat && !isEnded && out.size() == 0 && queue.isEmpty() && offsets != null) {
      out.writeBytes(FeedFrame.id(offsets));
      out.writeBytes(FeedFrame.EMPTY_LINE);
    }
    return out.toByteArray();
  }

  /** Whether {@link #next} has events. */
  public synchronized boolean hasMore() {
    return !isEnded && (end != null || !queue.isEmpty() || tail.problem() != null
        || (place >= 0 && (tail.hasMore(place) || caughtUpAt >= 0)));
  }

  /** Whether the event {@code end} was the last one. */
  public synchronized boolean isEnded() {
    return isEnded;
  }

  /** Whether it was ended because it took too little. */
  public synchronized boolean isTooSlow() {
    return isTooSlow;
  }

  /** Whether what is left is the event {@code end}: that it comes too late, the newest records are gone, shows here. */
  public synchronized boolean hasToEnd() {
    if (end == null && place >= 0 && !tail.holds(place)) {
      endTooSlow("the records that come next are not in memory any more");
    }
    return end != null;
  }

  /** Ends with a reason, without what was not taken yet. */
  public synchronized void end(String reason) {
    if (end == null) {
      end = reason;
      notifyAll();
    }
  }

  /** Ends it because it takes too little. */
  public synchronized void endTooSlow(String detail) {
    if (end == null) {
      isTooSlow = true;
      end("too slow: " + detail + "; connect again with the last id to go on from there");
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      notifyAll();
    }
    onClose.accept(this);
  }

  synchronized boolean isDone() {
    return isClosed || end != null;
  }

  /** Says where it begins. */
  synchronized void begin(FeedOffsets at) {
    offsets = at;
    var id = new ByteArrayOutputStream();
    id.writeBytes(FeedFrame.id(at));
    id.writeBytes(FeedFrame.EMPTY_LINE);
    add(id.toByteArray());
  }

  /**
   * Goes on with the shared records from a place on.
   *
   * @param caughtUpAt the place at which all that was there at the start is read; -1 if that was said already
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
    return offer(FeedFrame.caughtUp());
  }

  private boolean offer(byte[] event) {
    var id = FeedFrame.id(offsets());
    var frame = new byte[id.length + event.length];
    System.arraycopy(id, 0, frame, 0, id.length);
    System.arraycopy(event, 0, frame, id.length, event.length);
    add(frame);
    return awaitRoom();
  }

  private void add(byte[] frame) {
    queue.add(frame);
    queuedBytes += frame.length;
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

  private void takeQueued(ByteArrayOutputStream out, int mostBytes) {
    while (!queue.isEmpty() && out.size() < mostBytes) {
      var frame = queue.remove();
      queuedBytes -= frame.length;
      out.writeBytes(frame);
    }
    notifyAll();
  }

  private void readShared(ByteArrayOutputStream out, int mostBytes) {
    while (end == null && out.size() < mostBytes) {
      if (place >= caughtUpAt && caughtUpAt >= 0) {
        caughtUpAt = -1;
        out.writeBytes(FeedFrame.id(offsets()));
        out.writeBytes(FeedFrame.caughtUp());
      }
      var entries = tail.read(place, BATCH);
      if (entries == null) {
        endTooSlow("the records that come next are not in memory any more");
      } else if (entries.isEmpty()) {
        endWithTail();
        return;
      } else {
        write(entries, out, mostBytes);
      }
    }
  }

  private void endWithTail() {
    var problem = tail.problem();
    if (problem != null) {
      end(problem);
    }
  }

  private void write(Iterable<Entry> entries, ByteArrayOutputStream out, int mostBytes) {
    for (var entry : entries) {
      if (out.size() >= mostBytes || end != null || (caughtUpAt >= 0 && place >= caughtUpAt)) {
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
  private void writeIfNew(Entry entry, ByteArrayOutputStream out) {
    var partition = entry.partition();
    var reached = entry.after().next().get(partition);
    if (reached > offsets().next().get(partition)) {
      offsets = offsets().with(partition, reached);
      writeIfPassing(entry, FeedFrame.id(offsets), out);
    }
    isShared = offsets().equals(entry.after());
  }

  private void writeIfPassing(Entry entry, byte[] id, ByteArrayOutputStream out) {
    if (entry.record() == null || passes(entry.record())) {
      out.writeBytes(id);
      out.writeBytes(entry.event());
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
