package io.tidemark.serve.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader.LostRange;
import io.tidemark.rule.expression.EvaluationFailure;
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
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * The stream of events of one client, from one or several topics. Events wait in one queue until the client takes them.
 * The id of an event contains the offsets of all topics, so that a client that reconnects continues each topic after
 * its last event. A client whose queue grows too long is cut off with a reason. Thread-safe.
 */
public final class Feed implements AutoCloseable {

  /** Separates the offsets of two topics in an id. */
  static final String SEPARATOR = "~";

  /** Bytes that a queue entry retains in addition to its event. */
  static final long QUEUED_BYTES = 40;

  private static final long BYTES = 1_024;
  private static final byte[] NO_DATA = {};
  private static final long CONDITION_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
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
  private boolean isStartTaken;
  private boolean isEndTaken;
  private boolean isTooSlow;
  private boolean isClosed;

  /**
   * An event for one client.
   *
   * @param id the id from which a client that reconnects goes on; null in {@code end} and {@code status}
   * @param kind null in an event that is an id alone
   * @param data JSON in UTF-8, shared with other clients; empty in an event that is an id alone
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Event(@Nullable String id, @Nullable FeedEvent kind, byte[] data) {}

  private record QueuedFrame(TopicCursor cursor, FeedFrame frame) {}

  /**
   * @param client the client's key or address, to which slots for catching up and time for conditions are charged
   * @param filters filter of each topic, in the order of the request
   * @param stallLimit maximum time that the dedicated consumer waits for the client to take an event
   * @param onClose called once, after the feed is closed
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
          .unavailable("the connected readers use all memory available to feeds; try again later");
    }
    if (isCostly()) {
      limits.conditions().join(client);
    }
  }

  /**
   * Parses the id of an event into the offsets of each topic.
   *
   * @return the offsets of each topic; null for a topic without offsets, which is read as if the client connected for
   *     the first time
   * @throws FeedRefusal if the text is not an id from a feed with the given number of topics
   */
  static List<@Nullable FeedOffsets> parseId(String id, int topics) {
    var parts = id.split(SEPARATOR, -1);
    if (parts.length != topics) {
      throw FeedRefusal.badRequest("Last-Event-ID is from a feed of " + parts.length
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

  /** Returns the cursor of each topic, in the order of the request. */
  List<TopicCursor> cursors() {
    return cursors;
  }

  /**
   * Returns a future that completes when events may be taken, or fails with a {@link FeedRefusal} if the feed
   * cannot be opened. The future is cancelled if the feed is closed first.
   */
  public CompletableFuture<Void> begun() {
    return begun;
  }

  CompletableFuture<Void> closed() {
    return closed;
  }

  /**
   * Takes the next event. Returns null if there is none, and until reading of all topics has begun. The first event is
   * an id alone. If the feed has ended, the only event left is {@code end}.
   *
   * @param heartbeat whether to return an id alone instead of null; that id also advances past records that did not
   *     pass a filter
   */
  public synchronized @Nullable Event next(boolean heartbeat) {
    if (isEndTaken || (end == null && !hasBegun())) {
      return null;
    }
    if (end != null) {
      isEndTaken = true;
      return new Event(null, FeedEvent.END,
          JsonNodeFactory.instance.objectNode().put("reason", end).toString().getBytes(UTF_8));
    }
    if (!isStartTaken) {
      isStartTaken = true;
      return new Event(id(), null, NO_DATA);
    }
    var queued = queue.poll();
    var next = queued == null ? null : take(queued);
    if (queue.isEmpty()) {
      cursors.forEach(TopicCursor::allTaken);
    }
    return next == null && heartbeat ? new Event(id(), null, NO_DATA) : next;
  }

  private Event take(QueuedFrame queued) {
    queued.frame().advance(queued.cursor().taken());
    release(queued.frame());
    notifyAll();
    return queued.frame().withId(id());
  }

  private synchronized void awaitConditionBudget() {
    while (!isDone() && !limits.conditions().hasReserve(client) && await(CONDITION_WAIT_NANOS)) {
      // reads on as soon as there is time again
    }
  }

  /** Waits until the client has taken an event, or until the time has passed. Returns false if interrupted. */
  private synchronized boolean await(long nanos) {
    try {
      TimeUnit.NANOSECONDS.timedWait(this, nanos);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private String id() {
    return cursors.stream().map(TopicCursor::id).collect(Collectors.joining(SEPARATOR));
  }

  private boolean hasBegun() {
    return isStartTaken || cursors.stream().allMatch(TopicCursor::hasBegun);
  }

  /** Returns whether {@link #next} has an event, apart from a heartbeat. */
  public synchronized boolean hasMore() {
    return !isEndTaken && (end != null || (hasBegun() && !(isStartTaken && queue.isEmpty())));
  }

  /** Returns whether {@link #next} has returned {@code end}, the last event of the feed. */
  public synchronized boolean isEnded() {
    return isEndTaken;
  }

  synchronized boolean isTooSlow() {
    return isTooSlow;
  }

  /** Returns whether the feed has ended or is closed, so that it takes no more records. */
  synchronized boolean isDone() {
    return isClosed || end != null;
  }

  /** Returns the bytes of the events that wait for the client, including events shared with other readers. */
  synchronized long queuedBytes() {
    return queuedBytes;
  }

  /** Ends the feed with a reason and drops the events that the client has not taken yet. */
  synchronized void end(String reason) {
    if (end == null) {
      end = reason;
      releaseAll();
    }
  }

  /** Ends the feed because the client is too slow. */
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

  /**
   * Waits until the client has taken enough queued events for the dedicated consumer to read on. If the client takes
   * nothing for the stall limit, ends the feed as too slow. Returns whether the feed takes more events.
   */
  synchronized boolean awaitRoom() {
    var limit = System.nanoTime() + stallLimit.toNanos();
    var queuedBefore = queuedBytes;
    while (queuedBytes > limits.mostAhead() && !isDone()) {
      var left = limit - System.nanoTime();
      if (left <= 0) {
        endTooSlow("it took nothing for " + stallLimit.toSeconds() + " s");
        break;
      }
      if (!await(left)) {
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
   * The position of the client in one topic, and the filter for the records of that topic. If the client starts at an
   * earlier offset than the shared consumer, a dedicated consumer first offers records, and after each batch waits
   * for the client if too many events are queued. Later, the shared consumer adds records. During the change between
   * the consumers, the records of the shared consumer are held back until the dedicated consumer has read all records
   * before them.
   */
  final class TopicCursor {

    private final Topic<?> topic;
    private final FeedFilter filter;
    private @Nullable Uuid topicId;

    /** The next offsets to read, by partition. */
    private long[] read = {};

    /**
     * The offsets that follow the events the client has taken, by partition. When {@link Feed#next} finds or leaves
     * the queue empty, they advance to {@link #read}, past records that did not pass the filter.
     */
    private long[] taken = {};

    /** The next offsets of the shared consumer while its records are held back; null while no records are held back. */
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

    private long[] taken() {
      return taken;
    }

    private boolean hasBegun() {
      return topicId != null;
    }

    private void allTaken() {
      taken = read.clone();
    }

    private String id() {
      return topicId + "." + Arrays.stream(taken).mapToObj(Long::toString).collect(Collectors.joining("."));
    }

    void begin(FeedOffsets at) {
      synchronized (Feed.this) {
        topicId = at.topicId();
        read = at.next().stream().mapToLong(Long::longValue).toArray();
        taken = read.clone();
        if (!isClosed) {
          var partitions = BYTES_OF_PARTITION * read.length;
          size += partitions;
          limits.retain(partitions);
        }
      }
    }

    /** Returns the next offsets to read. */
    FeedOffsets offsets() {
      synchronized (Feed.this) {
        return new FeedOffsets(requireNonNull(topicId, "not begun"), Arrays.stream(read).boxed().toList());
      }
    }

    /**
     * Returns whether the client gets a record that the shared consumer has read. Ends the feed if the condition
     * exceeds its budget for one record, or if the client has no time budget left.
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

    /**
     * Adds an event without filtering it, and advances past it. Releases the caller's hold on the frame. Returns
     * whether the feed takes more events.
     */
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

    /**
     * Adds a record from the dedicated consumer if it passes the filter. If the filter is costly, waits until the
     * client has time budget in reserve. Returns whether the feed takes more events.
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
      synchronized (Feed.this) {
        return offer(FeedFrame.caughtUp(topic.name(), read.clone(), limits));
      }
    }

    /**
     * Advances to the given offsets, but never moves back. All records before these offsets must have been added or
     * filtered out; between the last record and these offsets, only transaction markers can lie.
     */
    void reached(List<Long> ends) {
      synchronized (Feed.this) {
        for (var i = 0; i < ends.size() && !isDone(); i++) {
          read[i] = Math.max(read[i], ends.get(i));
        }
      }
    }

    /** Holds back the events that the shared consumer adds from now on. */
    void hold() {
      synchronized (Feed.this) {
        heldOffsets = read.clone();
      }
    }

    /** Adds the events that were held back. Must be called after all records before these events have been read. */
    void unhold() {
      synchronized (Feed.this) {
        held.forEach(frame -> queue.add(new QueuedFrame(this, frame)));
        held.clear();
        reached(Arrays.stream(requireNonNull(heldOffsets, "not held")).boxed().toList());
        heldOffsets = null;
      }
    }

    /**
     * Adds a record from the shared consumer, unless the dedicated consumer has already read that record.
     *
     * @param frame null if the record does not pass the filter
     */
    void add(int partition, long next, @Nullable FeedFrame frame) {
      synchronized (Feed.this) {
        if (next > read[partition]) {
          set(partition, next, frame);
        }
      }
    }

    /**
     * Adds a gap that the shared consumer has found. If events are being held back, ends the feed instead. The offset
     * after the gap is lower than the offset before the gap if the log has become shorter.
     */
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
