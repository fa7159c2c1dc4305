package io.tidemark.serve.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.tidemark.event.TickerQuality;
import io.tidemark.event.TickerState;
import io.tidemark.http.server.MarketRoutes;
import io.tidemark.serve.feed.FeedRefusal;
import io.tidemark.serve.feed.FeedRequest;
import io.tidemark.serve.feed.LatestTable;
import io.tidemark.serve.feed.LatestTable.LatestAnswer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * {@code /v1/latest/{topic}}: the newest records of a compacted topic by key, in the JSON of the feeds. {@code
 * /v1/pairlist}: the pairs of an exchange, largest volume first, in the format of freqtrade's RemotePairList. One
 * thread finds and encodes all answers, so that only one search at a time needs memory and processor time.
 */
public final class LatestRoutes implements Consumer<HttpServerRoutes>, AutoCloseable {

  static final String PATH = "/v1/latest/{topic}";
  static final String PAIRLIST = "/v1/pairlist";

  /**
   * Media type of errors for {@link #PAIRLIST}. RemotePairList ignores the status and takes JSON without pairs for an
   * empty list, but keeps its previous list after a response that is not JSON.
   */
  static final String TEXT = "text/plain; charset=utf-8";

  private static final String OF_SOURCE = "/sources/{source}";
  private static final Duration LOAD_TIMEOUT = Duration.ofSeconds(10);
  private static final int TOP = 100;

  /** The shortest time, in seconds, that RemotePairList may wait between two requests. */
  private static final int REFRESH_SECONDS = 60;

  /** A symbol, as opposed to the address of a token. */
  private static final Pattern SYMBOL = Pattern.compile("[\\p{L}\\p{N}]{1,20}");

  private final FeedRoutes feeds;
  private final AccessControl access;
  private final InstantSource clock;
  private final Scheduler finder = Schedulers.newSingle("latest-finder", true);

  private record Parameters(Map<String, List<String>> values) {

    /** Returns the parameters of a request. Refuses a request with other parameters than the known ones. */
    static Parameters of(HttpServerRequest request, String... known) {
      return new Parameters(FeedRoutes.parameters(request, known));
    }

    @Nullable
    String only(String name) {
      var given = values.getOrDefault(name, List.of());
      if (given.size() > 1) {
        throw FeedRefusal.badRequest(name + ": may be given only once");
      }
      return given.isEmpty() || given.getFirst().isEmpty() ? null : given.getFirst();
    }

    int top(int otherwise) {
      var top = Objects.requireNonNullElse(only("top"), String.valueOf(otherwise));
      if (!top.matches("\\d{1,3}|1000")) {
        throw FeedRefusal.badRequest("top: must be a whole number up to 1000");
      }
      return Integer.parseInt(top);
    }
  }

  /** @param feeds the feeds of all sources, which also read the newest records */
  public LatestRoutes(FeedRoutes feeds, AccessControl access, InstantSource clock) {
    this.feeds = feeds;
    this.access = access;
    this.clock = clock;
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get(PATH, this::latest)
        .get(OF_SOURCE + PATH, this::latest)
        .get(PAIRLIST, this::pairlist)
        .get(OF_SOURCE + PAIRLIST, this::pairlist);
  }

  @Override
  public void close() {
    finder.dispose();
  }

  private Mono<Void> latest(HttpServerRequest request, HttpServerResponse response) {
    var topic = Objects.requireNonNull(request.param("topic"));
    return Mono.fromCallable(() -> Parameters.of(request, "key", "network", "where", "order", "top", "source"))
        .flatMap(parameters -> answer(request, topic, (table, client) -> find(table, topic, parameters, client),
            answer -> send(answer, request, response)));
  }

  private LatestAnswer find(LatestTable table, String topic, Parameters parameters, String client) {
    var ofFeed = new HashMap<>(parameters.values());
    ofFeed.keySet().removeAll(Set.of("order", "top"));
    var wanted = FeedRequest.parse(topic, ofFeed, null, clock).topics().getFirst();
    return table.find(wanted, parameters.only("order"), parameters.top(Math.max(TOP, wanted.keys().size())), client);
  }

  /** Waits until a topic has been read, then finds records and sends them. */
  private Mono<Void> answer(HttpServerRequest request, String topic,
      BiFunction<LatestTable, String, LatestAnswer> find, Function<LatestAnswer, Mono<Void>> send) {
    return Mono.fromFuture(() -> feeds.feedsOf(request).latest(topic), true)
        .timeout(LOAD_TIMEOUT, Mono.error(() -> FeedRefusal.unavailable(
            "the topic is still being read after " + LOAD_TIMEOUT.toSeconds() + " s; try again")))
        .publishOn(finder)
        .flatMap(table -> Mono.using(() -> find.apply(table, access.client(request)), send, LatestAnswer::close));
  }

  private Mono<Void> send(LatestAnswer answer, HttpServerRequest request, HttpServerResponse response) {
    response
        .header(HttpHeaderNames.ETAG, answer.tag())
        .header(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_CACHE)
        .header("Last-Event-ID", answer.lastEvent());
    var newest = answer.newest();
    if (newest != null) {
      var age = Duration.between(newest, clock.instant()).toSeconds();
      response.header(HttpHeaderNames.AGE, Long.toString(Math.max(0, age)));
    }
    if (MarketRoutes.isNamed(answer.tag(), request.requestHeaders().get(HttpHeaderNames.IF_NONE_MATCH, ""))) {
      return response.status(304).send();
    }
    var body = Unpooled.wrappedBuffer(answer.json());
    return response
        .header(HttpHeaderNames.CONTENT_TYPE, JsonBody.MEDIA_TYPE)
        .header(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.readableBytes()))
        .sendObject(body)
        .then();
  }

  private Mono<Void> pairlist(HttpServerRequest request, HttpServerResponse response) {
    return Mono.fromCallable(() -> Parameters.of(request, "exchange", "quote", "top", "source"))
        .flatMap(parameters -> answer(request, "ticker.state", (table, client) -> tickers(table, parameters, client),
            tickers -> AccessControl.send(response, 200, JsonBody.MEDIA_TYPE, pairs(tickers, parameters.top(TOP)))));
  }

  private LatestAnswer tickers(LatestTable table, Parameters parameters, String client) {
    var exchange = parameters.only("exchange");
    var quote = parameters.only("quote");
    var all = FeedRequest.parse("ticker.state", Map.of(), null, clock).topics().getFirst();
    return table.find(all, record -> record.value() instanceof TickerState state && isTraded(state)
        && (exchange == null || exchange.equals(state.getKnown().getMarket()))
        && (quote == null || quote.equalsIgnoreCase(state.getKnown().getTarget())),
        "-known.converted.converted_volume.usd", Integer.MAX_VALUE, client);
  }

  private static boolean isTraded(TickerState state) {
    var known = state.getKnown();
    var quality = Objects.requireNonNullElse(known.getQuality(), new TickerQuality());
    return state.getVisible()
        && !Boolean.TRUE.equals(quality.getIsStale()) && !Boolean.TRUE.equals(quality.getIsAnomaly())
        && SYMBOL.matcher(known.getBase()).matches() && SYMBOL.matcher(known.getTarget()).matches();
  }

  /** Returns the pairs as RemotePairList reads them, each once, since both coins of a pair may list its ticker. */
  private static String pairs(LatestAnswer tickers, int top) {
    var pairs = tickers.records().map(record -> ((TickerState) Objects.requireNonNull(record.value())).getKnown())
        .map(known -> (known.getBase() + "/" + known.getTarget()).toUpperCase(Locale.ROOT))
        .distinct().limit(top).toList();
    if (pairs.isEmpty()) {
      throw FeedRefusal.notFound("no such ticker is known; watch the tickers of coins, and name the exchange as in the"
          + " keys of the topic ticker.state");
    }
    var json = JsonNodeFactory.instance.objectNode();
    pairs.forEach(json.putArray("pairs")::add);
    return json.put("refresh_period", REFRESH_SECONDS).toString();
  }
}
