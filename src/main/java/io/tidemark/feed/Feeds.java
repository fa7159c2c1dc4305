package io.tidemark.feed;

import io.tidemark.feed.CatchUp.LateReader;
import io.tidemark.feed.FeedRequest.TopicRequest;
import io.tidemark.topic.Quarantine;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The feeds of a source: a client follows one of its topics, or several. Thread-safe. */
public final class Feeds implements AutoCloseable {

  /** Clients that catch up at a time, each with a consumer of its own. */
  static final int MOST_CATCH_UPS = 8;

  private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(8);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  /** A client that goes away makes room within the time of a poll. */
  private static final Duration TURN_TIMEOUT = Duration.ofSeconds(2);

  private static final Duration STALL_LIMIT = Duration.ofSeconds(30);

  private final Quarantine quarantine;
  private final Topics topics;
  private final SchemaRegistry registry;
  private final Map<String, Object> client;
  private final LiveReader live;
  private final Semaphore catchUps = new Semaphore(MOST_CATCH_UPS);
  private final Set<MergedFeed> open = ConcurrentHashMap.newKeySet();
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

  /** Clients that are connected. */
  public int readers() {
    return open.size();
  }

  /** Clients that catch up with a consumer of their own. */
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
   * Opens a feed. Waits for Kafka where nobody else reads a topic.
   *
   * @throws FeedRefusal if it cannot be opened
   */
  public MergedFeed open(FeedRequest request) {
    var filters = filters(request.topics());
    var last = lastEvents(request);
    if (isClosed) {
      throw FeedRefusal.unavailable("shutting down", RETRY_AFTER);
    }
    var readers = new ArrayList<FeedReader>();
    filters.forEach((topic, filter) -> readers.add(new FeedReader(live.acquire(topic), filter, STALL_LIMIT)));
    var feed = new MergedFeed(readers, this::closed);
    open.add(feed);
    try {
      awaitOpen(readers);
      var late = new ArrayList<LateReader>();
      for (var i = 0; i < readers.size(); i++) {
        var reader = new LateReader(readers.get(i), request.topics().get(i), last.get(i));
        if (!shareAtOnce(reader)) {
          late.add(reader);
        }
      }
      if (!late.isEmpty()) {
        catchUp(feed, late);
      }
      return feed;
    } catch (RuntimeException e) {
      feed.close();
      refused.increment();
      throw e;
    }
  }

  /** Ends all feeds; each client can go on elsewhere with its last id. */
  @Override
  public void close() {
    isClosed = true;
    open.forEach(feed -> feed.end("shutdown; connect again with the last id"));
    live.close();
  }

  private Topic<?> topic(String name) {
    return topics.all().stream()
        .filter(topic -> topics.shortName(topic).equals(name) || topic.name().equals(name))
        .findFirst()
        .orElseThrow(() -> FeedRefusal.notFound("no topic has this name; /v1/feeds lists all"));
  }

  /** In the order of the request. */
  private SequencedMap<Topic<?>, FeedFilter> filters(List<TopicRequest> requests) {
    var filters = new LinkedHashMap<Topic<?>, FeedFilter>();
    for (var request : requests) {
      var topic = topic(request.topic());
      var filter = FeedFilter.of(topic, request.keys(), request.network(), request.facets(), request.where());
      if (filters.put(topic, filter) != null) {
        throw FeedRefusal.badRequest("topic: " + topic.name() + " is named twice");
      }
    }
    return filters;
  }

  private static List<@Nullable FeedOffsets> lastEvents(FeedRequest request) {
    var topics = request.topics().size();
    if (request.lastEvent() == null) {
      return Collections.nCopies(topics, null);
    }
    try {
      return MergedFeed.parseId(request.lastEvent(), topics);
    } catch (IllegalArgumentException e) {
      throw FeedRefusal.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static void awaitOpen(List<FeedReader> readers) {
    try {
      CompletableFuture.allOf(
          readers.stream().map(reader -> reader.tail().opened()).toArray(CompletableFuture<?>[]::new))
          .orTimeout(OPEN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof FeedRefusal refusal
          ? refusal
          : FeedRefusal.unavailable("Kafka does not answer; try again later", RETRY_AFTER);
    }
  }

  /** Whether all that the reader wants is in memory, or still to come. */
  private static boolean shareAtOnce(LateReader late) {
    var reader = late.reader();
    var last = late.last();
    var tail = reader.tail();
    var now = tail.end();
    if (last == null && late.request().from() instanceof StartPosition.End) {
      reader.begin(now.offsets());
      return reader.share(now.place(), now.place());
    }
    var place = last != null && last.topicId().equals(now.offsets().topicId()) ? tail.placeFor(last.next()) : null;
    if (last == null || place == null || !reader.share(place, now.place())) {
      return false;
    }
    reader.begin(last);
    return true;
  }

  private void catchUp(MergedFeed feed, List<LateReader> late) {
    if (!hasTurn()) {
      throw FeedRefusal.unavailable(
          MOST_CATCH_UPS + " readers catch up at the moment, and that is the most; try again later", RETRY_AFTER);
    }
    var thread = new Thread(() -> {
      try {
        new CatchUp(feed, quarantine, registry, client).run(late);
      } finally {
        catchUps.release();
      }
    }, "feed-catch-up");
    thread.setDaemon(true);
    thread.start();
  }

  private boolean hasTurn() {
    try {
      return catchUps.tryAcquire(TURN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void closed(MergedFeed feed) {
    open.remove(feed);
    feed.readers().forEach(reader -> live.release(reader.tail()));
    if (feed.isTooSlow()) {
      tooSlow.increment();
    }
  }
}
