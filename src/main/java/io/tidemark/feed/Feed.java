package io.tidemark.feed;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.netty.buffer.ByteBuf;
import io.tidemark.feed.FeedOffsets.LongList;
import io.tidemark.rule.expression.EvaluationFailure;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.Topic;
import io.tidemark.topic.TopicReader.LostRange;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * What one client follows: one or several topics as one stream of events, which wait in one queue until the client takes
 * them. The id of an event has the offsets of all topics, so a client goes on with each of them where it was. A client
 * whose queue grows too long is cut off with a reason. Thread-safe.
 */
public final class Feed implements AutoCloseable {

  /** Stands between the offsets of two topics in an id. */
  static final String SEPARATOR = "~";

  /** Bytes that an event retains in a queue, beside the event itself. */
  static final long QUEUED_BYTES = 40;

  private static final long BYTES = 1_024;
  private static final long CONDITION_WAIT_MILLIS = 50;
  private static final long BYTES_OF_TOPIC = 512;
  private static final long BYTES_OF_PARTITION = 24;

  private final String client;
  private final List<TopicCursor> cursors;
  private final FeedLimits limits;
  private final Duration stallLimit;
  private final Consumer<Feed> onClose;
  private final CompletableFuture<Void> begun = new CompletableFuture<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final Deque<QueuedFrame> queue = new ArrayDeque<>();
  private long queuedBytes;
  private long size;
  private @Nullable String end;
  private boolean isStartWritten;
  private boolean isEndWritten;
  private boolean isTooSlow;
  private boolean isClosed;

  private record QueuedFrame(TopicCursor cursor, FeedFrame frame) {}

  /**
   * @param client the key or address whose slots and time budget it uses
   * @param filters by topic, in the order of the request
   * @param stallLimit how long the client may take nothing while a consumer of its own waits for it
   * @param onClose called once, after it is closed
   */
  Feed(String client, SequencedMap<Topic<?>, FeedFilter> filters, FeedLimits limits, Duration stallLimit,
      Consumer<Feed> onClose) {
    this.client = client;
    var made = new ArrayList<TopicCursor>();
    filters.forEach((topic, filter) -> made.add(new TopicCursor(topic, filter)));
    this.cursors = List.copyOf(made);
    this.limits = limits;
    this.stallLimit = stallLimit;
    this.onClose = onClose;
    this.size = BYTES + BYTES_OF_TOPIC * cursors.size();
    if (!limits.add(this, size)) {
      throw FeedRefusal
          .unavailable("the readers that are connected take all memory that feeds may have; try again later");
    }
    if (isCostly()) {
      limits.conditions().join(client);
    }
  }

  /**
   * The offsets in the id of an event, topic by topic.
   *
   * @return null for a topic without offsets: it begins as at a first request
   * @throws IllegalArgumentException if it is not the id of a feed with this number of topics
   */
  static List<@Nullable FeedOffsets> parseId(String id, int topics) {
    var parts = id.split(SEPARATOR, -1);
    if (parts.length != topics) {
      throw new IllegalArgumentException("Last-Event-ID is of a feed of " + parts.length
          + " topics: send it with the same topics in the same order, or leave it out");
    }
    var offsets = new ArrayList<@Nullable FeedOffsets>();
    Arrays.stream(parts).map(part -> part.isEmpty() ? null : FeedOffsets.parse(part)).forEach(offsets::add);
    return offsets;
  }

  private boolean isCostly() {
    return cursors.stream().anyMatch(cursor -> cursor.filter.isCostly());
  }

  String client() {
    return client;
  }

  /** One for each topic, in the order of the request. */
  List<TopicCursor> cursors() {
    return cursors;
  }

  /** Completes when events may be written; fails with a {@link FeedRefusal} if it cannot be opened. */
  public CompletableFuture<Void> begun() {
    return begun;
  }

  /** Completes when it is closed. */
  CompletableFuture<Void> closed() {
    return closed;
  }

  /**
   * Writes the next events, in the form of Server-Sent Events; nothing if there are none.
   *
   * @param mostBytes that may be exceeded by one event
   * @param heartbeat whether the id alone is written if there is no event
   */
  public synchronized void write(ByteBuf out, int mostBytes, boolean heartbeat) {
    var before = out.readableBytes();
    if (end == null && hasBegun()) {
      if (!isStartWritten) {
        isStartWritten = true;
        writeId(out);
        out.writeByte('\n');
      }
      writeQueued(out, before + mostBytes);
    }
    if (end != null && !isEndWritten) {
      isEndWritten = true;
      out.writeBytes(FeedEvent.END.text(JsonNodeFactory.instance.objectNode().put("reason", end).toString()));
    } else if (heartbeat && !isEndWritten && out.readableBytes() == before) {
      writeHeartbeat(out);
    }
  }

  private synchronized void awaitConditionBudget() {
    while (!isDone() && !limits.conditions().hasReserve(client)) {
      try {
        TimeUnit.MILLISECONDS.timedWait(this, CONDITION_WAIT_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void writeQueued(ByteBuf out, int mostBytes) {
    while (!queue.isEmpty() && out.readableBytes() < mostBytes) {
      var next = queue.remove();
      next.frame().advance(next.cursor().written());
      writeId(out);
      next.frame().writeTo(out);
      release(next.frame());
    }
    if (queue.isEmpty()) {
      cursors.forEach(TopicCursor::allWritten);
    }
    notifyAll();
  }

  private void writeId(ByteBuf out) {
    var id = cursors.stream().map(TopicCursor::id).collect(Collectors.joining(SEPARATOR, "id: ", "\n"));
    out.writeCharSequence(id, US_ASCII);
  }

  /** The offsets count what was read, not what passed the filter. An id names all topics: before, nothing has one. */
  private void writeHeartbeat(ByteBuf out) {
    if (hasBegun()) {
      writeId(out);
    } else {
      out.writeByte(':').writeByte('\n');
    }
    out.writeByte('\n');
  }

  private boolean hasBegun() {
    return isStartWritten || cursors.stream().allMatch(TopicCursor::hasBegun);
  }

  /** Whether {@link #write} has events. */
  public synchronized boolean hasMore() {
    return !isEndWritten && (end != null || (hasBegun() && !(isStartWritten && queue.isEmpty())));
  }

  /** Whether the event {@code end} was the last one. */
  public synchronized boolean isEnded() {
    return isEndWritten;
  }

  /** Whether it was ended because the client took too little. */
  synchronized boolean isTooSlow() {
    return isTooSlow;
  }

  /** Whether nobody wants more of it. */
  synchronized boolean isDone() {
    return isClosed || end != null;
  }

  /** Bytes of the events that wait for the client, also of those that wait for others as well. */
  synchronized long queuedBytes() {
    return queuedBytes;
  }

  /** Ends with a reason, without what was not taken yet. */
  synchronized void end(String reason) {
    if (end == null) {
      end = reason;
      releaseAll();
    }
  }

  /** Ends it because the client takes too little. */
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
      releaseAll();
      limits.remove(this, size);
      if (isCostly()) {
        limits.conditions().leave(client);
      }
    }
    onClose.accept(this);
    closed.complete(null);
  }

  private void releaseAll() {
    queue.forEach(queued -> release(queued.frame()));
    queue.clear();
    cursors.forEach(cursor -> cursor.held.forEach(this::release));
    cursors.forEach(cursor -> cursor.held.clear());
    notifyAll();
  }

  private FeedFrame retain(FeedFrame frame) {
    queuedBytes += frame.size() + QUEUED_BYTES;
    limits.retain(QUEUED_BYTES);
    return frame.retain();
  }

  private void release(FeedFrame frame) {
    queuedBytes -= frame.size() + QUEUED_BYTES;
    limits.release(QUEUED_BYTES);
    frame.release();
  }

  /** Waits until the client has taken enough. A client that takes something, however little, is waited for. */
  private boolean awaitRoom() {
    var limit = System.nanoTime() + stallLimit.toNanos();
    var queuedBefore = queuedBytes;
    while (queuedBytes > limits.mostAhead() && !isDone()) {
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

  @Override
  public String toString() {
    return cursors.stream().map(cursor -> cursor.topic().name()).collect(Collectors.joining(", "));
  }

  /**
   * How far the client has come in one topic, and which of its records it gets. First a consumer of its own offers
   * records, and waits for the client after each batch; then the shared consumer adds them. In between, what the shared consumer adds is
   * held back until the other has read up to it.
   */
  final class TopicCursor {

    private final Topic<?> topic;
    private final FeedFilter filter;
    private @Nullable Uuid topicId;

    /** The offsets that are read next, by partition. */
    private long[] read = {};

    /** The offsets behind what the client has. */
    private long[] written = {};

    /** What the shared consumer has read while it is held back; null if it is not. */
    private long @Nullable [] heldOffsets;

    private final Deque<FeedFrame> held = new ArrayDeque<>();

    private TopicCursor(Topic<?> topic, FeedFilter filter) {
      this.topic = topic;
      this.filter = filter;
    }

    Feed feed() {
      return Feed.this;
    }

    Topic<?> topic() {
      return topic;
    }

    private long[] written() {
      return written;
    }

    private boolean hasBegun() {
      return topicId != null;
    }

    private void allWritten() {
      written = read.clone();
    }

    private String id() {
      return topicId + "." + Arrays.stream(written).mapToObj(Long::toString).collect(Collectors.joining("."));
    }

    /** Says where it begins. */
    void begin(FeedOffsets at) {
      synchronized (Feed.this) {
        topicId = at.topicId();
        read = IntStream.range(0, at.next().size()).mapToLong(at.next()::get).toArray();
        written = read.clone();
        if (!isClosed) {
          var partitions = BYTES_OF_PARTITION * read.length;
          size += partitions;
          limits.retain(partitions);
        }
      }
    }

    /** The offsets that are read next. */
    FeedOffsets offsets() {
      synchronized (Feed.this) {
        return new FeedOffsets(requireNonNull(topicId, "not begun"), new LongList(read));
      }
    }

    /**
     * Whether the client gets a record that the shared consumer has read. Ends the feed if its condition exceeds the
     * budget of one record, or if the client has exceeded its time budget.
     */
    boolean passes(CommittedRecord record) {
      if (isDone()) {
        return false;
      }
      if (filter.isCostly() && !limits.conditions().hasTimeLeft(client)) {
        end("where: " + ConditionBudget.EXCEEDED);
        return false;
      }
      return isPassing(record);
    }

    private boolean isPassing(CommittedRecord record) {
      if (!filter.isCostly()) {
        return filter.passes(record);
      }
      var begun = System.nanoTime();
      try {
        return filter.passes(record);
      } catch (EvaluationFailure e) {
        end("where, at " + record.location() + ": " + e.getMessage());
        return false;
      } finally {
        limits.conditions().spend(client, System.nanoTime() - begun);
      }
    }

    /** Adds what its own consumer has read, whatever the filter. Returns whether more is wanted. */
    boolean offer(FeedFrame frame) {
      synchronized (Feed.this) {
        if (!isDone()) {
          frame.advance(read);
          queue.add(new QueuedFrame(this, Feed.this.retain(frame)));
        }
        frame.release();
        return !isDone();
      }
    }

    /** Waits until the client has taken enough of what was offered. Returns whether more is wanted. */
    boolean awaitRoom() {
      synchronized (Feed.this) {
        return Feed.this.awaitRoom();
      }
    }

    /**
     * Adds a record that its own consumer has read, if it passes. Waits while the client has no time budget left. Returns
     * whether more is wanted.
     */
    boolean offer(CommittedRecord record) {
      var passes = isPassing(record);
      if (filter.isCostly()) {
        awaitConditionBudget();
      }
      if (passes) {
        return offer(FeedFrame.record(record, limits));
      }
      synchronized (Feed.this) {
        read[record.partition()] = record.offset() + 1;
        return !isDone();
      }
    }

    boolean offer(LostRange lost) {
      return offer(FeedFrame.gap(lost, limits));
    }

    boolean offerCaughtUp() {
      return offer(FeedFrame.caughtUp(topic.name(), limits));
    }

    /** Has read up to these offsets: behind the last record lie markers of transactions at most. */
    void reached(LongList ends) {
      synchronized (Feed.this) {
        for (var i = 0; i < ends.size() && !isDone(); i++) {
          read[i] = Math.max(read[i], ends.get(i));
        }
      }
    }

    /** Holds back what the shared consumer adds from now on. */
    void hold() {
      synchronized (Feed.this) {
        heldOffsets = read.clone();
      }
    }

    /** Adds what was held back: what is before it is read. */
    void unhold() {
      synchronized (Feed.this) {
        held.forEach(frame -> queue.add(new QueuedFrame(this, frame)));
        held.clear();
        reached(new LongList(requireNonNull(heldOffsets, "not held")));
        heldOffsets = null;
      }
    }

    /**
     * Adds what the shared consumer has read, unless its own was ahead and has it already.
     *
     * @param frame null if the record does not pass
     */
    void add(int partition, long next, @Nullable FeedFrame frame) {
      synchronized (Feed.this) {
        if (next > read[partition]) {
          set(partition, next, frame);
        }
      }
    }

    /** Adds a gap that the shared consumer has found; its offsets may go back. */
    void add(LostRange lost, FeedFrame frame) {
      synchronized (Feed.this) {
        if (heldOffsets == null) {
          set(lost.partition().partition(), lost.end(), frame);
        } else {
          end("records were deleted while they were read; connect again with the last id");
        }
      }
    }

    private void set(int partition, long next, @Nullable FeedFrame frame) {
      if (isDone()) {
        return;
      }
      (heldOffsets == null ? read : heldOffsets)[partition] = next;
      if (frame != null && heldOffsets == null) {
        queue.add(new QueuedFrame(this, Feed.this.retain(frame)));
      } else if (frame != null) {
        held.add(Feed.this.retain(frame));
      }
      if (queuedBytes > limits.mostQueued()) {
        endTooSlow("it did not take the records that wait for it");
      }
    }
  }
}
