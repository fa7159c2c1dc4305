package io.tidemark.feed;

import io.tidemark.topic.Quarantine;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The feeds of a source: one for each topic. Thread-safe. */
public final class Feeds implements AutoCloseable {

  /** Readers that catch up at a time, each with a consumer of its own. */
  static final int MOST_CATCH_UPS = 8;

  private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(8);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final Duration STALL_LIMIT = Duration.ofSeconds(30);

  private final Quarantine quarantine;
  private final Topics topics;
  private final SchemaRegistry registry;
  private final Map<String, Object> client;
  private final LiveReader live;
  private final Semaphore catchUps = new Semaphore(MOST_CATCH_UPS);
  private final Set<FeedReader> readers = ConcurrentHashMap.newKeySet();
  private final LongAdder tooSlow = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private volatile boolean isClosed;

  private Feeds(
      Quarantine quarantine, Topics topics, SchemaRegistry registry, Map<String, Object> client, LiveReader live) {
    this.quarantine = quarantine;
    this.topics = topics;
    this.registry = registry;
    this.client = client;
    this.live = live;
  }

  /**
   * Starts the feeds of a source. They read nothing until somebody asks for one.
   *
   * @param quarantine of the records that cannot be read; they are events of their own
   * @param client configuration that all clients of the cluster share
   */
  public static Feeds start(
      Quarantine quarantine, Topics topics, SchemaRegistry registry, Map<String, Object> client) {
    var live = new LiveReader(quarantine, topics.all(), registry, client);
    return new Feeds(quarantine, topics, registry, client, live.start());
  }

  public String source() {
    return quarantine.source();
  }

  public Topics topics() {
    return topics;
  }

  /** Readers that are connected. */
  public int readers() {
    return readers.size();
  }

  /** Readers that catch up with a consumer of their own. */
  public int catchingUp() {
    return MOST_CATCH_UPS - catchUps.availablePermits();
  }

  /** Readers that were cut off because they were too slow. */
  public long tooSlow() {
    return tooSlow.sum();
  }

  /** Readers that were refused because too many catch up, or because Kafka does not answer. */
  public long refused() {
    return refused.sum();
  }

  /** Why the shared consumer does not read at the moment; null where it does. */
  public @Nullable String problem() {
    return live.problem();
  }

  /**
   * Opens a feed. Waits for Kafka where nobody else reads the topic.
   *
   * @throws FeedRefusal if it cannot be opened
   */
  public FeedReader open(FeedRequest request) {
    var topic = topic(request.topic());
    var filter = FeedFilter.of(topic, request.keys(), request.network(), request.facets(), request.where());
    var last = request.lastEvent() == null ? null : lastEvent(request.lastEvent());
    if (isClosed) {
      throw FeedRefusal.unavailable("shutting down", RETRY_AFTER);
    }
    var reader = new FeedReader(live.acquire(topic), filter, STALL_LIMIT, this::closed);
    readers.add(reader);
    try {
      awaitOpen(reader.tail());
      if (!shareAtOnce(reader, request, last)) {
        catchUp(reader, request);
      }
      return reader;
    } catch (RuntimeException e) {
      reader.close();
      refused.increment();
      throw e;
    }
  }

  /** Ends all readers; each can go on elsewhere with its last id. */
  @Override
  public void close() {
    isClosed = true;
    readers.forEach(reader -> reader.end("shutdown; connect again with the last id"));
    live.close();
  }

  private Topic<?> topic(String name) {
    return topics.all().stream()
        .filter(topic -> topics.shortName(topic).equals(name) || topic.name().equals(name))
        .findFirst()
        .orElseThrow(() -> FeedRefusal.notFound("no topic has this name; /v1/feeds lists all"));
  }

  private static FeedOffsets lastEvent(String id) {
    try {
      return FeedOffsets.parse(id);
    } catch (IllegalArgumentException e) {
      throw FeedRefusal.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static void awaitOpen(TopicTail tail) {
    try {
      tail.opened().copy().orTimeout(OPEN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof FeedRefusal refusal
          ? refusal
          : FeedRefusal.unavailable("Kafka does not answer; try again later", RETRY_AFTER);
    }
  }

  /** Whether all that the reader wants is in memory, or still to come. */
  private static boolean shareAtOnce(FeedReader reader, FeedRequest request, @Nullable FeedOffsets last) {
    var tail = reader.tail();
    if (last == null && request.from() instanceof StartPosition.End) {
      var now = tail.end();
      reader.begin(now.offsets());
      return reader.share(now.place(), now.place());
    }
    var now = tail.end();
    var place = last != null && last.topicId().equals(now.offsets().topicId()) ? tail.placeFor(last.next()) : null;
    if (last == null || place == null || !reader.share(place, now.place())) {
      return false;
    }
    reader.begin(last);
    return true;
  }

  private void catchUp(FeedReader reader, FeedRequest request) {
    if (!catchUps.tryAcquire()) {
      throw FeedRefusal.unavailable(
          MOST_CATCH_UPS + " readers catch up at the moment, and that is the most; try again later", RETRY_AFTER);
    }
    var thread = new Thread(() -> {
      try {
        new CatchUp(reader, quarantine, registry, client).run(request);
      } finally {
        catchUps.release();
      }
    }, "feed-catch-up");
    thread.setDaemon(true);
    thread.start();
  }

  private void closed(FeedReader reader) {
    readers.remove(reader);
    live.release(reader.tail());
    if (reader.isTooSlow()) {
      tooSlow.increment();
    }
  }
}
