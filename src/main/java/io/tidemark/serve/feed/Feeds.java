package io.tidemark.serve.feed;

import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicReader.LostRange;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.serve.feed.CatchUp.LateTopic;
import io.tidemark.serve.feed.CatchUpLimiter.WaitingReader;
import io.tidemark.serve.feed.FeedRequest.TopicRequest;
import io.tidemark.serve.feed.LiveReader.LiveTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The feeds of a source, through which clients follow one or several of its topics. Thread-safe. */
public final class Feeds implements AutoCloseable {

  private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(8);

  /**
   * How long a feed waits for a slot to catch up. A slot becomes free within one poll of Kafka after the client that
   * holds it disconnects.
   */
  private static final Duration TURN_TIMEOUT = Duration.ofSeconds(2);

  private static final Duration STALL_LIMIT = Duration.ofSeconds(30);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final Quarantine quarantine;
  private final Topics topics;
  private final FeedLimits limits;
  private final LiveReader live;
  private final CatchUp catchUp;
  private final LatestTables latest;
  private final Set<Feed> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger catchingUp = new AtomicInteger();
  private final LongAdder tooSlow = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private volatile boolean isClosed;

  /**
   * Starts the feeds of a source. No topic is read before a client opens a feed.
   *
   * @param quarantine receives records that cannot be decoded; readers get an event {@code unreadable} for each
   * @param client configuration that all Kafka clients share
   * @param limits limits shared by the feeds of all sources
   */
  public Feeds(Quarantine quarantine, Topics topics, SchemaRegistry registry, Map<String, Object> client,
      FeedLimits limits) {
    this.quarantine = quarantine;
    this.topics = topics;
    this.limits = limits;
    Function<Consumer<LostRange>, TopicReader> readers =
        listener -> new TopicReader(client, topics.all(), registry, listener);
    this.live = new LiveReader(quarantine, limits, readers);
    this.catchUp = new CatchUp(quarantine, limits, readers);
    this.latest = new LatestTables(quarantine, limits, readers);
  }

  public String source() {
    return quarantine.source();
  }

  public Topics topics() {
    return topics;
  }

  public FeedLimits limits() {
    return limits;
  }

  /** Returns the number of open feeds, including feeds that have not begun. A client may have several. */
  public int readers() {
    return open.size();
  }

  /** Returns the number of feeds that are catching up with a dedicated consumer. */
  public int catchingUp() {
    return catchingUp.get();
  }

  /** Returns how many readers have been cut off because they were too slow. */
  public long tooSlow() {
    return tooSlow.sum();
  }

  /**
   * Returns how many feeds have been opened but refused before they began, because too many readers were catching up,
   * Kafka did not answer, or a topic did not exist. Requests that {@link #open} itself refuses are not counted.
   */
  public long refused() {
    return refused.sum();
  }

  /**
   * Opens a feed. The feed begins ({@link Feed#begun}) after the shared consumer has begun to read the feed's topics.
   * A feed that does not start at the position of the shared consumer in each topic also waits for a slot for a
   * dedicated consumer. The caller must close the feed even if the feed never begins.
   *
   * @param client the client's key or address, to which slots for catching up and time for conditions are charged
   * @throws FeedRefusal if the request is invalid, if the client has no time left to compile the condition, if the
   *     memory for feeds is used up, or if {@link #close} has been called
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the feed reports failures
  public Feed open(FeedRequest request, String client) {
    var filters = filters(request.topics(), client);
    var last = lastEvents(request);
    if (isClosed) {
      throw FeedRefusal.unavailable("this server is shutting down; try again later");
    }
    var feed = new Feed(client, filters, limits, STALL_LIMIT, this::closed);
    open.add(feed);
    var followed = feed.cursors().stream().map(live::follow).toList();
    CompletableFuture.allOf(followed.stream().map(LiveTopic::opened).toArray(CompletableFuture<?>[]::new))
        .orTimeout(OPEN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .thenAccept(opened -> begin(feed, late(request, last, feed, followed)))
        .exceptionally(failure -> {
          refuse(feed, failure.getCause() instanceof FeedRefusal refusal
              ? refusal : FeedRefusal.unavailable("Kafka does not answer; try again later"));
          return null;
        });
    return feed;
  }

  /**
   * Returns the newest records of a compacted topic, after they have been read. The first request for a topic begins to
   * read it; a topic that was not requested for five minutes is forgotten. The result fails with a {@link FeedRefusal}
   * if the topic cannot be read or its newest records do not fit into memory.
   *
   * @param name name of the topic, with or without its prefix
   * @throws FeedRefusal if no compacted topic has the name, or no memory is left for a further topic
   */
  public CompletableFuture<LatestTable> latest(String name) {
    var topic = find(name).filter(each -> each.cleanup().isCompacted())
        .orElseThrow(() -> FeedRefusal.notFound("no topic with a newest record by key has this name; those topics are "
            + topics.all().stream().filter(each -> each.cleanup().isCompacted()).map(topics::shortName)
                .collect(Collectors.joining(", "))));
    return latest.load(topic);
  }

  /**
   * Ends all feeds, waits up to a second for the clients to disconnect, and then up to two seconds for the shared
   * consumer to stop. A client can continue at another instance with the id of its last event.
   */
  @Override
  public void close() {
    isClosed = true;
    open.forEach(feed -> feed.end("shutdown; connect again with the last id"));
    CompletableFuture.allOf(open.stream().map(Feed::closed).toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).join();
    latest.close();
    live.close();
  }

  private Optional<Topic<?>> find(String name) {
    return topics.all().stream()
        .filter(topic -> topics.shortName(topic).equals(name) || topic.name().equals(name))
        .findFirst();
  }

  /** Returns the filters by topic, in the order of the request. */
  private SequencedMap<Topic<?>, FeedFilter> filters(List<TopicRequest> requests, String client) {
    var filters = new LinkedHashMap<Topic<?>, FeedFilter>();
    for (var request : requests) {
      var topic = find(request.topic())
          .orElseThrow(() -> FeedRefusal.notFound("no topic has this name; /v1/feeds lists all topics"));
      if (filters.put(topic, filter(topic, request, client)) != null) {
        throw FeedRefusal.badRequest("topic: " + topic.name() + " is named twice");
      }
    }
    return filters;
  }

  private FeedFilter filter(Topic<?> topic, TopicRequest request, String client) {
    Supplier<FeedFilter> filter = () -> FeedFilter.of(topic, request);
    return request.where() == null ? filter.get() : limits.conditions().compile(client, filter);
  }

  private static List<@Nullable FeedOffsets> lastEvents(FeedRequest request) {
    var topics = request.topics().size();
    return request.lastEvent() == null ? Collections.nCopies(topics, null) : Feed.parseId(request.lastEvent(), topics);
  }

  /**
   * Lets the shared consumer add the records of each topic in which the client has missed nothing. Returns the other
   * topics, in which the client must catch up.
   */
  private static List<LateTopic> late(
      FeedRequest request, List<@Nullable FeedOffsets> last, Feed feed, List<LiveTopic> followed) {
    var late = new ArrayList<LateTopic>();
    for (var i = 0; i < followed.size(); i++) {
      var cursor = feed.cursors().get(i);
      var from = request.topics().get(i).from();
      var offsets = last.get(i);
      if (offsets == null && from instanceof StartPosition.End) {
        followed.get(i).joinNow(cursor);
        cursor.offerCaughtUp();
      } else if (offsets != null && followed.get(i).joinAt(cursor, offsets)) {
        cursor.offerCaughtUp();
      } else {
        late.add(new LateTopic(cursor, followed.get(i), from, offsets));
      }
    }
    return late;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the feed reports failures
  private void begin(Feed feed, List<LateTopic> late) {
    if (late.isEmpty()) {
      feed.begun().complete(null);
      return;
    }
    var waiting = new WaitingReader(feed.client(), () -> {
      if (feed.begun().complete(null)) {
        catchingUp.incrementAndGet();
        try {
          catchUp.run(feed, late);
        } finally {
          catchingUp.decrementAndGet();
        }
      }
    });
    limits.catchUps().add(waiting);
    feed.begun().exceptionally(failure -> {
      limits.catchUps().remove(waiting);
      return null;
    });
    CompletableFuture.delayedExecutor(TURN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> refuse(feed, FeedRefusal.unavailable("too many readers are catching up (limit: "
            + CatchUpLimiter.MOST + " in total, " + CatchUpLimiter.MOST_PER_CLIENT
            + " per client, fewer while other clients catch up); try again later")));
  }

  /** Refuses the feed, unless it has begun or its client has disconnected. */
  private void refuse(Feed feed, FeedRefusal refusal) {
    if (feed.begun().completeExceptionally(refusal)) {
      refused.increment();
    }
  }

  private void closed(Feed feed) {
    feed.begun().cancel(false);
    open.remove(feed);
    feed.cursors().forEach(live::leave);
    if (feed.isTooSlow()) {
      tooSlow.increment();
    }
  }
}
