package io.tidemark.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.tidemark.feed.FeedParameter;
import io.tidemark.feed.FeedRefusal;
import io.tidemark.feed.FeedRequest;
import io.tidemark.feed.Feeds;
import io.tidemark.feed.MergedFeed;
import io.tidemark.topic.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * The feeds as Server-Sent Events: {@code /v1/feeds/{topic}} of the first source, {@code
 * /sources/{source}/v1/feeds/{topic}} of each; without a topic in the path, {@code ?topic=...&topic=...} is several
 * topics as one stream. Fifty times a second each connection gets what is new for it, as long as
 * its client reads; nothing is queued for one that does not.
 */
public final class FeedRoutes implements Consumer<HttpServerRoutes>, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FeedRoutes.class);

  static final String PATH = "/v1/feeds";
  private static final String OF_SOURCE = "/sources/{source}" + PATH;
  private static final Duration PERIOD = Duration.ofMillis(20);
  private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  /** How long a client may take to read the end. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(10);

  private static final int CHUNK_BYTES = 32 << 10;

  /** Chunks that a connection gets at a time, lest one reader that catches up keeps the others waiting. */
  private static final int MOST_CHUNKS = 4;

  private final List<Feeds> feeds;
  private final InstantSource clock;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
    var thread = new Thread(task, "feed-timer");
    thread.setDaemon(true);
    return thread;
  });

  private final Future<?> ticks;

  /** @param feeds of all sources, in the order of the configuration */
  public FeedRoutes(List<Feeds> feeds, InstantSource clock) {
    this.feeds = List.copyOf(feeds);
    this.clock = clock;
    ticks = timer.scheduleAtFixedRate(this::signal, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get(PATH, this::listOrFollow)
        .get(PATH + "/{topic}", this::follow)
        .get(OF_SOURCE, this::listOrFollow)
        .get(OF_SOURCE + "/{topic}", this::follow);
  }

  /** Tells all readers that it ends, within a second. */
  @Override
  public void close() {
    feeds.forEach(Feeds::close);
    CompletableFuture.allOf(connections.stream().map(Connection::ended).toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).join();
    ticks.cancel(false);
    timer.shutdown();
  }

  private void signal() {
    var now = System.nanoTime();
    try {
      connections.forEach(connection -> connection.signal(now));
    } catch (RuntimeException e) { // the timer would stop for all
      LOG.error("a connection of a feed failed with a programming error", e);
    }
  }

  private Mono<Void> listOrFollow(HttpServerRequest request, HttpServerResponse response) {
    return query(request).parameters().containsKey(FeedParameter.TOPIC.wire())
        ? follow(request, response)
        : list(request, response);
  }

  private Mono<Void> list(HttpServerRequest request, HttpServerResponse response) {
    return Mono.fromSupplier(() -> feedsOf(request))
        .flatMap(of -> send(response, topics(of)))
        .onErrorResume(FeedRefusal.class, refusal -> refuse(response, refusal));
  }

  private static String topics(Feeds feeds) {
    var list = JsonNodeFactory.instance.arrayNode();
    for (Topic<?> topic : feeds.topics().all()) {
      list.addObject()
          .put("topic", feeds.topics().shortName(topic))
          .put("schema", topic.schema().getFullName())
          .put("description", topic.description())
          .put("key", topic.key())
          .put("compacted", topic.cleanup().isCompacted());
    }
    return list.toString();
  }

  /** A client may go away at any time, also while its feed is opened: then it is closed at once. */
  private Mono<Void> follow(HttpServerRequest request, HttpServerResponse response) {
    var events = new Connection();
    request.withConnection(connection -> connection.channel().closeFuture().addListener(closed -> events.close()));
    return Mono.fromCallable(() -> events.open(feedsOf(request).open(parse(request))))
        .subscribeOn(Schedulers.boundedElastic())
        .flatMap(opened -> stream(opened, response))
        .onErrorResume(FeedRefusal.class, refusal -> refuse(response, refusal))
        .doFinally(signal -> events.close());
  }

  private FeedRequest parse(HttpServerRequest request) {
    return FeedRequest.parse(request.param("topic"), query(request).parameters(),
        request.requestHeaders().get("last-event-id"), clock);
  }

  private Feeds feedsOf(HttpServerRequest request) {
    var named = query(request).parameters().get("source");
    var name = request.param("source") != null ? decoded(Objects.requireNonNull(request.param("source")))
        : named == null ? null : named.getFirst();
    return feeds.stream()
        .filter(each -> name == null || each.source().equals(name))
        .findFirst()
        .orElseThrow(() -> FeedRefusal.notFound("no source has this name; there are "
            + String.join(", ", feeds.stream().map(Feeds::source).toList())));
  }

  private static String decoded(String segment) {
    return QueryStringDecoder.decodeComponent(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static QueryStringDecoder query(HttpServerRequest request) {
    return new QueryStringDecoder(request.uri());
  }

  private static Mono<Void> stream(Connection events, HttpServerResponse response) {
    return response.sse()
        .keepAlive(false)
        .header(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .header("X-Accel-Buffering", "no")
        .withConnection(connection -> events.start(connection.channel()))
        .send(events.flux(), chunk -> true)
        .then();
  }

  private static Mono<Void> refuse(HttpServerResponse response, FeedRefusal refusal) {
    if (!refusal.retryAfter().isZero()) {
      response.header(HttpHeaderNames.RETRY_AFTER, Long.toString(refusal.retryAfter().toSeconds()));
    }
    var body = JsonNodeFactory.instance.objectNode().put("error", refusal.getMessage());
    return send(response.status(refusal.status()), body.toString());
  }

  private static Mono<Void> send(HttpServerResponse response, String json) {
    return response
        .header(HttpHeaderNames.CONTENT_TYPE, "application/json")
        .header(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .sendString(Mono.just(json))
        .then();
  }

  /** One client of a feed. What writes runs in the event loop of its channel. */
  private final class Connection {

    private final Sinks.Many<ByteBuf> sink = Sinks.many().unicast().onBackpressureBuffer();

    /** Completes when nothing more is written. */
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private @Nullable MergedFeed feed;
    private boolean isClosed;
    private volatile @Nullable Channel channel;
    private volatile long writtenAt = System.nanoTime();
    private long stalledSince;
    private @Nullable Future<?> closing;

    Flux<ByteBuf> flux() {
      return sink.asFlux();
    }

    CompletableFuture<Void> ended() {
      return ended;
    }

    /** Takes the feed, and closes it where the client is gone already. */
    synchronized Connection open(MergedFeed opened) {
      feed = opened;
      if (isClosed) {
        opened.close();
      }
      return this;
    }

    private synchronized MergedFeed feed() {
      return Objects.requireNonNull(feed, "not open");
    }

    void start(Channel opened) {
      channel = opened;
      connections.add(this);
    }

    synchronized void close() {
      isClosed = true;
      if (feed != null) {
        feed.close();
      }
      if (closing != null) {
        closing.cancel(false);
      }
      connections.remove(this);
      ended.complete(null);
    }

    void signal(long now) {
      var to = channel;
      if (to != null && (feed().hasMore() || now - writtenAt >= HEARTBEAT_NANOS)) {
        to.eventLoop().execute(() -> write(feed(), to, System.nanoTime()));
      }
    }

    private void write(MergedFeed from, Channel to, long now) {
      if (from.isEnded()) {
        return;
      }
      if (isStalled(to, now)) {
        from.endTooSlow("it took nothing for " + TimeUnit.NANOSECONDS.toSeconds(STALLED_NANOS) + " s");
      }
      var chunks = 0;
      while (chunks++ < MOST_CHUNKS && (to.isWritable() || from.hasToEnd()) && !from.isEnded()) {
        var chunk = from.next(CHUNK_BYTES, now - writtenAt >= HEARTBEAT_NANOS);
        if (chunk.size() == 0) {
          break;
        }
        writtenAt = now;
        var buffer = to.alloc().directBuffer(chunk.size()); // what a socket takes without another copy
        chunk.forEach(buffer::writeBytes);
        if (sink.tryEmitNext(buffer).isFailure()) {
          buffer.release(); // the client is gone
          return;
        }
      }
      if (from.isEnded()) {
        end(from, to);
      }
    }

    private synchronized void end(MergedFeed from, Channel to) {
      if (sink.tryEmitComplete().isFailure()) {
        LOG.debug("the client of a feed went away before its end");
      }
      connections.remove(this);
      from.close();
      ended.complete(null);
      closing = to.eventLoop().schedule(() -> close(to), LAST_WORDS.toSeconds(), TimeUnit.SECONDS);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the end of the connection
    private static void close(Channel channel) {
      channel.close();
    }

    private boolean isStalled(Channel to, long now) {
      if (to.isWritable()) {
        stalledSince = 0;
        return false;
      }
      stalledSince = stalledSince == 0 ? now : stalledSince;
      return now - stalledSince > STALLED_NANOS;
    }
  }
}
