package io.tidemark.feed;

import io.tidemark.event.SafeText;
import io.tidemark.feed.FeedOffsets.LongList;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.Quarantine;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.TopicReader;
import io.tidemark.topic.TopicReader.FollowProgress;
import io.tidemark.topic.TopicReader.LostRange;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one consumer that all readers of a source share, in a thread of its own. It reads the topics that have readers,
 * and begins a little before their ends, so that readers that come back after a restart find what they missed. A failure
 * loses nothing: it reads on where it was.
 */
final class LiveReader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LiveReader.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
  private static final long PAUSE_MILLIS = 2_000;
  private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int LONGEST_PROBLEM = 200;

  /** Offsets before the end of each partition at which reading begins. */
  static final long LOOK_BACK = 500;

  private final Quarantine quarantine;
  private final Map<String, Object> client;
  private final Collection<Topic<?>> topics;
  private final SchemaRegistry registry;
  private final Map<String, TopicTail> tails = new ConcurrentHashMap<>();
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private boolean isClosing;
  private volatile @Nullable String problem;
  private long checkedAt;

  LiveReader(Quarantine quarantine, Collection<Topic<?>> topics, SchemaRegistry registry, Map<String, Object> client) {
    this.quarantine = quarantine;
    this.topics = List.copyOf(topics);
    this.registry = registry;
    this.client = client;
    this.thread = new Thread(this::run, "feeds-of-" + quarantine.source());
    this.thread.setDaemon(true);
  }

  LiveReader start() {
    thread.start();
    return this;
  }

  /** The tail of a topic, with a reader more. It opens by and by. */
  synchronized TopicTail acquire(Topic<?> topic) {
    var tail = tails.computeIfAbsent(topic.name(), name -> new TopicTail(topic));
    tail.addReader();
    notifyAll();
    return tail;
  }

  synchronized void release(TopicTail tail) {
    tail.removeReader();
  }

  /** Why it does not read at the moment; null where it does. */
  @Nullable
  String problem() {
    return problem;
  }

  @Override
  public void close() {
    synchronized (this) {
      isClosing = true;
      notifyAll();
    }
    closing.countDown();
    try {
      thread.join(CLOSE_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isClosing() {
    return isClosing;
  }

  private void run() {
    while (awaitReaders()) {
      try (var reader = new TopicReader(client, topics, registry, this::lost)) {
        follow(reader);
      } catch (RuntimeException | Error e) { // its thread survives everything: nobody would start another
        if (!isClosing()) {
          problem = SafeText.escaped(String.valueOf(e.getMessage()), LONGEST_PROBLEM);
          LOG.warn("feeds of {}: reading failed; their readers wait, and reading goes on in {} s where it was",
              quarantine.source(), PAUSE_MILLIS / 1_000, e);
          pause();
        }
      }
    }
  }

  /** Returns false when closing. */
  private synchronized boolean awaitReaders() {
    try {
      while (!isClosing && tails.isEmpty()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return !isClosing;
  }

  private void pause() {
    try {
      if (closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.debug("feeds of {}: closed while they waited", quarantine.source());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void follow(TopicReader reader) {
    dropRecreated(reader);
    openTails(reader);
    reader.startOnly(positions());
    problem = null;
    reader.follow(this::append, progress -> goOn(reader, progress));
  }

  /** Returns whether there is something to read. */
  private boolean goOn(TopicReader reader, FollowProgress progress) {
    var now = System.nanoTime();
    problem = null;
    dropUnused(now);
    if (now - checkedAt > CHECK_NANOS) {
      dropRecreated(reader);
    }
    openTails(reader);
    var positions = positions();
    if (positions.isEmpty() || isClosing()) {
      return false;
    }
    progress.assign(positions);
    tails.values().stream()
        .filter(tail -> tail.isOpen() && !tail.opened().isDone() && progress.remaining(tail.unread()) == 0)
        .forEach(TopicTail::complete);
    return true;
  }

  private Map<TopicPartition, Long> positions() {
    var positions = new HashMap<TopicPartition, Long>();
    tails.values().stream().filter(TopicTail::isOpen).forEach(tail -> positions.putAll(tail.positions()));
    return positions;
  }

  private synchronized void dropUnused(long now) {
    tails.values().removeIf(tail -> tail.isUnusedFor(UNUSED_NANOS, now));
  }

  private synchronized void drop(TopicTail tail, String reason) {
    tails.remove(tail.topic().name(), tail);
    tail.fail(FeedRefusal.unavailable(reason, Duration.ofSeconds(5)));
  }

  private void openTails(TopicReader reader) {
    for (var tail : tails.values()) {
      if (!tail.isOpen()) {
        open(tail, reader);
      }
    }
  }

  private void open(TopicTail tail, TopicReader reader) {
    var name = tail.topic().name();
    var id = reader.offsets().ids(List.of(name)).get(name);
    if (id == null) {
      drop(tail, "topic " + name + " does not exist yet");
      return;
    }
    var partitions = reader.offsets().partitions(List.of(name));
    var earliest = reader.offsets().earliest(partitions);
    var begins = new long[partitions.size()];
    var ends = new long[partitions.size()];
    reader.offsets().latest(partitions).forEach((partition, end) -> {
      ends[partition.partition()] = end;
      begins[partition.partition()] = Math.max(earliest.getOrDefault(partition, end), end - LOOK_BACK);
    });
    tail.open(new FeedOffsets(id, new LongList(begins)), new LongList(ends));
  }

  /** Offsets in another topic of the same name mean something else. */
  private void dropRecreated(TopicReader reader) {
    checkedAt = System.nanoTime();
    var open = tails.values().stream().filter(TopicTail::isOpen).toList();
    if (open.isEmpty()) {
      return;
    }
    var ids = reader.offsets().ids(open.stream().map(tail -> tail.topic().name()).toList());
    open.stream()
        .filter(tail -> !tail.end().offsets().topicId().equals(ids.get(tail.topic().name())))
        .forEach(tail -> drop(tail, "topic " + tail.topic().name()
            + " was deleted or created anew; connect again to read it from its beginning"));
  }

  private boolean append(CommittedRecord record) {
    if (record.unreadable() != null) {
      quarantine.addOnce(record.unreadable());
    }
    var tail = tails.get(record.topic());
    if (tail != null && tail.isOpen()) {
      tail.append(record);
    }
    return !isClosing();
  }

  private void lost(LostRange range) {
    LOG.warn("feeds of {}: {} is read on at offset {}; the offsets from {} on are not there any more",
        quarantine.source(), range.partition(), range.end(), range.begin());
    var tail = tails.get(range.partition().topic());
    if (tail != null && tail.isOpen()) {
      tail.append(range);
    }
  }
}
