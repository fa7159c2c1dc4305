package io.tidemark.serve.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.tidemark.kafka.Topic;
import io.tidemark.serve.feed.Feed;
import io.tidemark.serve.feed.FeedEvent;
import io.tidemark.serve.feed.FeedParameter;
import io.tidemark.serve.feed.FeedRefusal;
import io.tidemark.serve.feed.FeedRequest;
import io.tidemark.serve.feed.Feeds;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.FutureMono;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;
import reactor.util.retry.Retry;

/**
 * The feeds as Server-Sent Events: {@code /v1/feeds/{topic}} for the source in the parameter {@code source} or,
 * without it, the first source; {@code /sources/{source}/v1/feeds/{topic}} for any source. Without a topic in the
 * path, {@code ?topic=...&topic=...} requests several topics as one stream, and without that parameter the topics are
 * listed. Fifty times a second, each connection whose client has taken the previous events gets its new events, so
 * that no more than one chunk is in flight. With {@code status=true} the stream also contains the content of {@code
 * /v1/status}, sent immediately and after each change, at most every two seconds.
 */
public final class FeedRoutes implements Consumer<HttpServerRoutes>, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FeedRoutes.class);

  static final String PATH = "/v1/feeds";
  private static final String OF_SOURCE = "/sources/{source}" + PATH;
  private static final Duration PERIOD = Duration.ofMillis(20);
  private static final Duration STATUS_PERIOD = Duration.ofSeconds(2);
  static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(60);

  /**
   * Time after which a stalled connection is closed. It is ten seconds longer than {@link #STALLED_NANOS}, after which
   * the feed ends, so that the client can read the reason.
   */
  private static final long CLOSED_NANOS = TimeUnit.SECONDS.toNanos(70);

  static final int CHUNK_BYTES = 32 << 10;

  private final List<Feeds> feeds;
  private final StatusRoutes status;
  private final AccessControl access;
  private final InstantSource clock;
  private final Scheduler timer = Schedulers.newSingle("feed-timer", true);
  private final Scheduler openers = Schedulers.newParallel("feed-opener", Schedulers.DEFAULT_POOL_SIZE, true);
  private final Scheduler writers = Schedulers.newParallel("feed-writer", Schedulers.DEFAULT_POOL_SIZE, true);
  private final Sinks.Empty<Void> ended = Sinks.empty();
  private final Flux<Long> ticks = Flux.interval(PERIOD, timer).onBackpressureDrop().share();

  /** The newest status, which is read only while a connection with {@code status=true} is open. */
  private final Flux<ObjectNode> statuses;

  /** @param feeds the feeds of all sources, in the order of the configuration */
  public FeedRoutes(List<Feeds> feeds, StatusRoutes status, AccessControl access, InstantSource clock) {
    this.feeds = List.copyOf(feeds);
    this.status = status;
    this.access = access;
    this.statuses = Flux.interval(Duration.ZERO, STATUS_PERIOD, timer)
        .onBackpressureDrop()
        .publishOn(Schedulers.boundedElastic(), 1)
        .map(tick -> status.content())
        .doOnError(failure -> LOG.error("cannot read the status for the feeds; trying again", failure))
        .retryWhen(Retry.fixedDelay(Long.MAX_VALUE, STATUS_PERIOD))
        .distinctUntilChanged()
        .replay(1)
        .refCount();
    this.clock = clock;
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get(PATH, this::listOrFollow)
        .get(PATH + "/{topic}", this::follow)
        .get(OF_SOURCE, this::listOrFollow)
        .get(OF_SOURCE + "/{topic}", this::follow);
  }

  /**
   * Ends all feeds. Waits for each source, one after the other, up to a second for the readers to take the last event
   * and disconnect, and up to two seconds for the shared consumer to stop.
   */
  @Override
  public void close() {
    feeds.forEach(Feeds::close);
    ended.tryEmitEmpty();
    timer.dispose();
    openers.dispose();
    writers.dispose();
  }

  private Mono<Void> listOrFollow(HttpServerRequest request, HttpServerResponse response) {
    return parameters(request).containsKey(FeedParameter.TOPIC.wire())
        ? follow(request, response)
        : AccessControl.send(response, 200, JsonBody.MEDIA_TYPE, topics(feedsOf(request)));
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

  /** Streams a feed. If the client disconnects, even while the feed is being opened, the feed is closed immediately. */
  private Mono<Void> follow(HttpServerRequest request, HttpServerResponse response) {
    var channel = new AtomicReference<Channel>();
    request.withConnection(connection -> channel.set(connection.channel()));
    return Mono.fromCallable(() -> parse(request))
        .flatMap(wanted -> Mono.using(() -> feedsOf(request).open(wanted, access.client(request)),
            feed -> Mono.fromFuture(feed.begun(), true)
                .then(stream(new Events(feed), channel.get(), wanted.hasStatus(), response)),
            Feed::close))
        .subscribeOn(openers)
        .takeUntilOther(FutureMono.deferFuture(() -> channel.get().closeFuture()))
        .onErrorResume(FeedRoutes::isGone, failure -> {
          LOG.debug("the client of a feed went away", failure);
          return Mono.empty();
        });
  }

  private FeedRequest parse(HttpServerRequest request) {
    return FeedRequest.parse(request.param("topic"), parameters(request),
        request.requestHeaders().get("last-event-id"), clock);
  }

  /** Returns the feeds of the source that the path or the parameter {@code source} names, or else of the first one. */
  Feeds feedsOf(HttpServerRequest request) {
    return ofSource(request, feeds, Feeds::source);
  }

  /** Returns the feeds of a source, or of the first one if no name is given. */
  Feeds feedsOf(@Nullable String name) {
    return named(name, feeds, Feeds::source);
  }

  /** Returns what belongs to the source that the path or the parameter {@code source} names, or else the first one. */
  static <T> T ofSource(HttpServerRequest request, List<T> all, Function<T, String> source) {
    var named = parameters(request).get("source");
    return named(request.param("source") != null ? segment(request, "source")
        : named == null ? null : named.getFirst(), all, source);
  }

  private static <T> T named(@Nullable String name, List<T> all, Function<T, String> source) {
    return all.stream()
        .filter(each -> name == null || source.apply(each).equals(name))
        .findFirst()
        .orElseThrow(() -> FeedRefusal.notFound("no source has this name; the sources are "
            + String.join(", ", all.stream().map(source).toList())));
  }

  /** Returns a part of the path. Refuses one with a malformed escape. */
  static String segment(HttpServerRequest request, String name) {
    return unescaped(Objects.requireNonNull(request.param(name)));
  }

  /** Returns the text of a part of a path. Refuses one with a malformed escape. */
  static String unescaped(String part) {
    return decoded(() -> QueryStringDecoder.decodeComponent(part.replace("+", "%2B"), UTF_8));
  }

  /** Returns the parameters of a query. Refuses a query with a malformed escape. */
  static Map<String, List<String>> parameters(HttpServerRequest request) {
    return decoded(new QueryStringDecoder(request.uri())::parameters);
  }

  /** Returns the parameters of a query. Refuses a query with other parameters than the known ones. */
  static Map<String, List<String>> parameters(HttpServerRequest request, String... known) {
    var parameters = parameters(request);
    if (!Set.of(known).containsAll(parameters.keySet())) {
      throw FeedRefusal.badRequest("unknown parameter; the parameters are " + String.join(", ", known));
    }
    return parameters;
  }

  private static <T> T decoded(Supplier<T> parts) {
    try {
      return parts.get();
    } catch (IllegalArgumentException e) {
      throw FeedRefusal.badRequest("the path or query has a malformed escape");
    }
  }

  private static boolean isGone(Throwable failure) {
    return failure instanceof IOException || AbortedException.isConnectionReset(failure);
  }

  private Mono<Void> stream(Events events, Channel channel, boolean hasStatus, HttpServerResponse response) {
    var sent = send(channel, events);
    return Mono.defer(() -> response.sse()
        .keepAlive(false)
        .header(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .header("X-Accel-Buffering", "no")
        .sendHeaders()
        .then(!hasStatus ? sent
            : Flux.using(() -> statuses.subscribe(events.newStatus::set), subscribed -> sent, Disposable::dispose)
                .then())
        .then());
  }

  /** Writes to a client until there is nothing more to come or the client goes away. */
  Mono<Void> send(Channel channel, Outgoing outgoing) {
    return new Connection(outgoing, channel).chunks();
  }

  /** Returns a signal fifty times a second. */
  Flux<Long> ticks() {
    return ticks.onBackpressureDrop();
  }

  /** Completes after {@link #close} has ended all feeds. */
  Mono<Void> ended() {
    return ended.asMono();
  }

  Scheduler openers() {
    return openers;
  }

  /** The output for one client. One thread at a time writes. */
  interface Outgoing {

    /** Returns whether {@link #write} has anything to write, apart from a heartbeat. */
    boolean hasMore();

    /** Returns whether everything is written and nothing more will come. */
    boolean isEnded();

    /** Ends the feeds of a client that reads nothing. */
    void endTooSlow(String detail);

    /**
     * Writes a chunk, or returns null if there is nothing to write.
     *
     * @param heartbeat whether to write something in any case, because nothing was written for a while
     */
    @Nullable
    ChannelFuture write(Channel channel, boolean heartbeat);
  }

  /** A feed as Server-Sent Events, and the status each time it has changed. */
  private final class Events implements Outgoing {

    private final Feed feed;
    private final AtomicReference<@Nullable ObjectNode> newStatus = new AtomicReference<>();

    Events(Feed feed) {
      this.feed = feed;
    }

    @Override
    public boolean hasMore() {
      return feed.hasMore() || newStatus.get() != null;
    }

    @Override
    public boolean isEnded() {
      return feed.isEnded();
    }

    @Override
    public void endTooSlow(String detail) {
      feed.endTooSlow(detail);
    }

    @Override
    public @Nullable ChannelFuture write(Channel channel, boolean heartbeat) {
      var chunk = channel.alloc().directBuffer(CHUNK_BYTES); // direct memory: the socket needs no further copy
      var changed = newStatus.getAndSet(null);
      if (changed != null) {
        write(new Feed.Event(null, FeedEvent.STATUS, status.json(changed).getBytes(UTF_8)), chunk);
      }
      var next = feed.next(heartbeat);
      for (; next != null; next = chunk.readableBytes() < CHUNK_BYTES ? feed.next(false) : null) {
        write(next, chunk);
      }
      if (heartbeat && !chunk.isReadable()) { // reading has not begun
        chunk.writeCharSequence(":\n\n", US_ASCII);
      }
      if (!chunk.isReadable()) {
        chunk.release();
        return null;
      }
      return channel.writeAndFlush(chunk);
    }

    private static void write(Feed.Event event, ByteBuf out) {
      if (event.id() != null) {
        out.writeCharSequence("id: " + event.id() + "\n", US_ASCII);
      }
      var kind = event.kind();
      if (kind != null) {
        out.writeCharSequence("event: " + kind.wire() + "\ndata: ", US_ASCII);
        out.writeBytes(event.data()).writeByte('\n');
      }
      out.writeByte('\n');
    }
  }

  /** A client. The client gets one chunk at a time, each after it has taken the previous chunk. */
  private final class Connection {

    private final Outgoing outgoing;
    private final Channel channel;
    private volatile long writtenAt = System.nanoTime();
    private volatile boolean isWriting;

    Connection(Outgoing outgoing, Channel channel) {
      this.outgoing = outgoing;
      this.channel = channel;
    }

    Mono<Void> chunks() {
      return ticks()
          .filter(this::isDue)
          .publishOn(writers, 1)
          .concatMap(tick -> Mono.defer(this::writeChunk).repeat(outgoing::hasMore), 1)
          .takeUntil(written -> outgoing.isEnded())
          .then();
    }

    /**
     * Returns whether to write now. If the client takes nothing, first ends its feeds with a reason, and later closes
     * the connection.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the end of the connection
    private boolean isDue(long tick) {
      var silence = System.nanoTime() - writtenAt;
      if (isWriting && silence > CLOSED_NANOS) {
        channel.close();
      } else if (isWriting && silence > STALLED_NANOS) {
        outgoing.endTooSlow("it took nothing for " + TimeUnit.NANOSECONDS.toSeconds(STALLED_NANOS) + " s");
      }
      return !isWriting && (outgoing.hasMore() || silence >= HEARTBEAT_NANOS);
    }

    private Mono<Boolean> writeChunk() {
      var written = outgoing.write(channel, System.nanoTime() - writtenAt >= HEARTBEAT_NANOS);
      if (written == null) {
        return Mono.just(false);
      }
      writtenAt = System.nanoTime();
      isWriting = true;
      return FutureMono.from(written)
          .doOnSuccess(sent -> isWriting = false)
          .thenReturn(true)
          .onErrorResume(FeedRoutes::isGone, failure -> Mono.never()); // the end of the connection ends the feed
    }
  }
}
