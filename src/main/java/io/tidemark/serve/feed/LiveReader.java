package io.tidemark.serve.feed;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.SafeText;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicReader.FollowProgress;
import io.tidemark.kafka.TopicReader.LostRange;
import io.tidemark.serve.feed.Feed.TopicCursor;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer that all readers of a source share, in a dedicated thread. It reads the topics that have readers,
 * decodes and encodes each record once, and adds the record to the feeds whose filters the record passes. It stores no
 * records. After a failure it continues at the same offsets, so no record is lost.
 */
final class LiveReader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LiveReader.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
  private static final long PAUSE_MILLIS = 2_000;
  private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int LONGEST_PROBLEM = 200;

  private final Quarantine quarantine;
  private final FeedLimits limits;
  private final Function<Consumer<LostRange>, TopicReader> readers;
  private final Map<String, LiveTopic> topics = new ConcurrentHashMap<>();
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private long checkedAt;

  /** A topic that is being read, with its readers. Thread-safe. */
  static final class LiveTopic {

    private final Topic<?> topic;
    private final CompletableFuture<Void> opened = new CompletableFuture<>();

    /** All cursors that follow the topic. Records are added only to the cursors in {@link #joined}. */
    private final Set<TopicCursor> followers = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<TopicCursor> joined = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable FeedOffsets position;
    private long unusedSince = System.nanoTime();

    LiveTopic(Topic<?> topic) {
      this.topic = topic;
    }

    /**
     * Returns a future that completes when the offsets at which reading begins are known, or fails with a {@link
     * FeedRefusal} if the topic does not exist.
     */
    CompletableFuture<Void> opened() {
      return opened;
    }

    void open(FeedOffsets at) {
      synchronized (this) {
        position = at;
      }
      opened.complete(null);
    }

    synchronized boolean isOpen() {
      return position != null;
    }

    /** Returns the next offsets to read. */
    synchronized FeedOffsets position() {
      return requireNonNull(position, "not open");
    }

    synchronized void follow(TopicCursor cursor) {
      followers.add(cursor);
    }

    synchronized void leave(TopicCursor cursor) {
      followers.remove(cursor);
      joined.remove(cursor);
      unusedSince = System.nanoTime();
    }

    private synchronized boolean isUnused(long now) {
      return followers.isEmpty() && now - unusedSince > UNUSED_NANOS;
    }

    /**
     * Begins to add records at the current position to a reader that requests only new records or has all previous
     * ones.
     */
    synchronized void joinNow(TopicCursor cursor) {
      cursor.begin(position());
      joinIfFollowing(cursor);
    }

    /**
     * Begins to add records to a reader if the reader has all previous records. Returns false if it does not have them.
     */
    synchronized boolean joinAt(TopicCursor cursor, FeedOffsets last) {
      if (!last.equals(position())) {
        return false;
      }
      joinNow(cursor);
      return true;
    }

    /**
     * Begins to add records to a reader, which holds the records back until it has read up to the offsets that this
     * method returns.
     */
    synchronized FeedOffsets join(TopicCursor cursor) {
      cursor.hold();
      joinIfFollowing(cursor);
      return position();
    }

    private void joinIfFollowing(TopicCursor cursor) {
      if (followers.contains(cursor)) {
        joined.add(cursor);
      }
    }

    synchronized void add(CommittedRecord record, FeedLimits limits) {
      var next = record.offset() + 1;
      position = position().with(record.partition(), next);
      var room = joined.size() * Feed.QUEUED_BYTES;
      limits.reserve(room);
      FeedFrame frame = null;
      for (var cursor : joined) {
        var passes = cursor.passes(record);
        if (passes && frame == null) {
          frame = FeedFrame.record(record, limits);
        }
        cursor.add(record.partition(), next, passes ? frame : null);
      }
      limits.release(room);
      if (frame != null) {
        frame.release();
      }
    }

    synchronized void add(LostRange lost, FeedLimits limits) {
      position = position().with(lost.partition().partition(), lost.end());
      var frame = FeedFrame.gap(lost, limits);
      joined.forEach(cursor -> cursor.add(lost, frame));
      frame.release();
    }

    /** Ends all feeds that follow the topic, and fails {@link #opened} if the topic is not open yet. */
    void fail(String reason) {
      opened.completeExceptionally(FeedRefusal.unavailable(reason));
      List<TopicCursor> ended;
      synchronized (this) {
        ended = List.copyOf(followers);
      }
      ended.forEach(cursor -> cursor.feed().end(reason));
    }
  }

  /** @param readers creates a reader of the source's topics that reports lost ranges to the given listener */
  LiveReader(Quarantine quarantine, FeedLimits limits, Function<Consumer<LostRange>, TopicReader> readers) {
    this.quarantine = quarantine;
    this.limits = limits;
    this.readers = readers;
    this.thread = Thread.ofPlatform().daemon().name("feeds-of-" + quarantine.source()).start(this::run);
  }

  /** Returns the cursor's topic, which may not be open yet ({@link LiveTopic#opened}). */
  synchronized LiveTopic follow(TopicCursor cursor) {
    var topic = topics.computeIfAbsent(cursor.topic().name(), name -> new LiveTopic(cursor.topic()));
    topic.follow(cursor);
    notifyAll();
    return topic;
  }

  void leave(TopicCursor cursor) {
    topics.values().forEach(topic -> topic.leave(cursor));
  }

  @Override
  public void close() {
    closing.countDown();
    synchronized (this) {
      notifyAll();
    }
    try {
      thread.join(CLOSE_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private void run() {
    while (awaitReaders()) {
      try (var reader = readers.apply(this::lost)) {
        read(reader);
      } catch (RuntimeException | Error e) { // the thread must survive failures: nothing would start another
        if (!isClosing()) {
          LOG.warn(
              "feeds of source {}: reading failed; readers wait, and reading continues at the same offsets in {} s."
                  + " Cause: {}",
              quarantine.source(), PAUSE_MILLIS / 1_000,
              SafeText.escaped(String.valueOf(e.getMessage()), LONGEST_PROBLEM), e);
          pause();
        }
      }
    }
  }

  /** Waits until a topic has readers. Returns false if this reader is closing. */
  private synchronized boolean awaitReaders() {
    try {
      while (!isClosing() && topics.isEmpty()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return !isClosing();
  }

  private void pause() {
    try {
      if (closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.debug("feeds of source {}: closed during the pause after a failure", quarantine.source());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(TopicReader reader) {
    dropUnused(System.nanoTime());
    dropRecreated(reader);
    openTopics(reader);
    reader.startOnly(positions(), limits.consumer());
    reader.follow(this::add, progress -> goOn(reader, progress));
  }

  /** Updates the topics and offsets to read. Returns false if no topic is open or this reader is closing. */
  private boolean goOn(TopicReader reader, FollowProgress progress) {
    var now = System.nanoTime();
    dropUnused(now);
    if (now - checkedAt > CHECK_NANOS) {
      dropRecreated(reader);
    }
    openTopics(reader);
    var positions = positions();
    if (positions.isEmpty() || isClosing()) {
      return false;
    }
    progress.assign(positions);
    return true;
  }

  private Map<TopicPartition, Long> positions() {
    var positions = new HashMap<TopicPartition, Long>();
    topics.values().stream().filter(LiveTopic::isOpen).forEach(topic -> {
      var next = topic.position().next();
      for (var each = 0; each < next.size(); each++) {
        positions.put(new TopicPartition(topic.topic.name(), each), next.get(each));
      }
    });
    return positions;
  }

  private synchronized void dropUnused(long now) {
    topics.values().removeIf(topic -> topic.isUnused(now));
  }

  private void drop(LiveTopic topic, String reason) {
    synchronized (this) {
      topics.remove(topic.topic.name(), topic);
    }
    topic.fail(reason);
  }

  /** Opens the topics that have readers and are not open. A topic that cannot be opened does not affect the others. */
  private void openTopics(TopicReader reader) {
    topics.values().stream().filter(topic -> !topic.isOpen()).forEach(topic -> {
      try {
        open(topic, reader);
      } catch (InterruptException e) {
        throw e;
      } catch (KafkaException e) {
        LOG.warn("feeds of source {}: cannot open topic {}; its feeds are refused. Cause: {}", quarantine.source(),
            topic.topic.name(), e.toString());
        drop(topic, "topic " + topic.topic.name() + " cannot be read from Kafka");
      }
    });
  }

  private void open(LiveTopic topic, TopicReader reader) {
    var name = topic.topic.name();
    var id = reader.offsets().ids(List.of(name)).get(name);
    if (id == null) {
      drop(topic, "topic " + name + " does not exist yet");
      return;
    }
    var ends = reader.offsets().latest(reader.offsets().partitions(List.of(name)));
    topic.open(new FeedOffsets(id, FeedOffsets.list(ends)));
  }

  /**
   * Drops topics that were deleted or created again and ends their feeds, because the offsets known for them are no
   * longer valid.
   */
  private void dropRecreated(TopicReader reader) {
    checkedAt = System.nanoTime();
    var open = topics.values().stream().filter(LiveTopic::isOpen).toList();
    if (open.isEmpty()) {
      return;
    }
    var ids = reader.offsets().ids(open.stream().map(topic -> topic.topic.name()).toList());
    open.stream()
        .filter(topic -> !topic.position().topicId().equals(ids.get(topic.topic.name())))
        .forEach(topic -> drop(topic, "topic " + topic.topic.name()
            + " was deleted or created anew; connect again to read it from its beginning"));
  }

  private boolean add(CommittedRecord record) {
    quarantine.addOnce(record);
    var topic = topics.get(record.topic());
    if (topic != null && topic.isOpen()) {
      topic.add(record, limits);
    }
    return !isClosing();
  }

  private void lost(LostRange range) {
    LOG.warn("feeds of source {}: records of partition {} from offset {} to {} (exclusive) were deleted;"
        + " reading continues after them", quarantine.source(), range.partition(), range.begin(), range.end());
    var topic = topics.get(range.partition().topic());
    if (topic != null && topic.isOpen()) {
      topic.add(range, limits);
    }
  }
}
