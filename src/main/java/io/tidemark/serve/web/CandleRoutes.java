package io.tidemark.serve.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.DecimalMath;
import io.tidemark.event.Pool;
import io.tidemark.event.ResourceKey;
import io.tidemark.event.Ticker;
import io.tidemark.event.Token;
import io.tidemark.http.server.MarketRoutes;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.serve.candle.CandleHistory;
import io.tidemark.serve.candle.CandleHistory.CandlePage;
import io.tidemark.serve.candle.CandleHistory.CandleQuery;
import io.tidemark.serve.feed.FeedRefusal;
import io.tidemark.serve.mirror.Mirror;
import io.tidemark.serve.mirror.MirrorReader;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * The candles of a source in the forms of two other interfaces. {@code
 * /onchain/networks/{network}/pools/{address}/ohlcv/{timeframe}} of the source's mirror answers as the service does; it
 * is not one of the 13 operations of the interface document. {@code /udf} below the paths of the source is a data feed
 * in TradingView's Universal Data Feed protocol. There, a symbol is the kind and the key of a resource, such as {@code
 * POOL:eth_0x88e6}, so that no two resources share one.
 *
 * @param path prefix of the source's paths, such as {@code /sources/main}; empty for the first source
 * @param market routes of the source's mirror, with the same prefix
 * @param mirror what is known of the source's resources
 */
public record CandleRoutes(String path, MarketRoutes market, MirrorReader mirror, CandleHistory history,
    AccessControl access, InstantSource clock) implements Consumer<HttpServerRoutes> {

  static final String OHLCV = MarketRoutes.ON_CHAIN + "/networks/{network}/pools/{address}/ohlcv/{timeframe}";
  private static final String UDF = "/udf";

  /** A query for a pool. Failures of requests for candles have the form of its failures. */
  private static final Query<?> FORM = new Query.PoolByAddress("eth", "0x0", Set.of(), false, false);

  private static final int LONGEST_QUERY = 200;
  private static final int MOST_LISTED = 1_000;
  private static final int MOST_FOUND = 100;
  private static final List<String> KINDS = List.of("pool", "token", "ticker");
  private static final List<CandleInterval> INTERVALS = List.of(CandleInterval.values());
  private static final List<String> RESOLUTIONS = List.of("1", "5", "15", "60", "240", "1D");
  private static final List<String> TIMEFRAMES =
      List.of("minute/1", "minute/5", "minute/15", "hour/1", "hour/4", "day/1");

  @Override
  public void accept(HttpServerRoutes routes) {
    routes.get(market.prefix() + OHLCV, this::ohlcv)
        .get(path + UDF + "/time", (request, response) -> AccessControl.send(response, 200, "text/plain",
            Long.toString(clock.instant().getEpochSecond())))
        .get(path + UDF + "/config", (request, response) -> send(request, response, asked -> Mono.just(config())))
        .get(path + UDF + "/search", (request, response) -> send(request, response, this::search))
        .get(path + UDF + "/symbols", (request, response) -> send(request, response, this::symbol))
        .get(path + UDF + "/history", (request, response) -> send(request, response, this::bars));
  }

  private record Asked(Map<String, List<String>> parameters, String client) {

    /** Returns the value of a parameter, or the given one if the parameter is missing or empty. */
    String text(String name, String otherwise) {
      var value = parameters.getOrDefault(name, List.of(otherwise)).getFirst();
      return value.isEmpty() ? otherwise : value;
    }

    long number(String name, long otherwise) {
      var text = text(name, Long.toString(otherwise));
      refuse(!text.matches("-?\\d{1,11}"), name + ": must be a whole number of up to 11 digits");
      return Long.parseLong(text);
    }
  }

  private Asked asked(HttpServerRequest request) {
    return new Asked(FeedRoutes.parameters(request), access.client(request));
  }

  private static void refuse(boolean isWrong, String message) {
    if (isWrong) {
      throw FeedRefusal.badRequest(message);
    }
  }

  private Mono<Void> ohlcv(HttpServerRequest request, HttpServerResponse response) {
    return market.answer(request, response, FORM,
        Mono.defer(() -> ohlcv(
            new Query.PoolByAddress(FeedRoutes.segment(request, "network"), FeedRoutes.segment(request, "address"),
                Set.of(), false, false),
            FeedRoutes.segment(request, "timeframe"), asked(request)))
            .onErrorMap(FeedRefusal.class, refusal -> refusal.retryAfter().isZero()
                ? new Failure.BadRequest(String.valueOf(refusal.getMessage()))
                : new Failure.ServerError(String.valueOf(refusal.getMessage()), refusal.retryAfter())));
  }

  private Mono<byte[]> ohlcv(Query.PoolByAddress query, String timeframe, Asked asked) {
    var interval = TIMEFRAMES.indexOf(timeframe + "/" + asked.text("aggregate", "1"));
    var pool = mirror.find("pool", Pool.class, query.network() + "_" + query.address());
    if (interval < 0 || pool == null) {
      throw interval >= 0 && !mirror.isCaughtUp() ? Mirror.notCaughtUp()
          : new Failure.NotFound(
              interval >= 0 ? "This mirror does not know the pool." : "No candles of this timeframe"
                  + " and aggregate; there are those of minute (aggregate 1, 5 or 15), hour (1 or 4) and day (1).");
    }
    var tokens = pool.getDescription();
    var base = tokens == null ? null : tokens.getBaseToken();
    var token = asked.text("token", "base");
    refuse(!asked.text("currency", "usd").equals("usd"), "currency: candles are in usd only");
    refuse(!token.equals("base") && !(query.network() + "_" + token).equalsIgnoreCase(base),
        "token: candles are those of the base token only");
    refuse(asked.text("include_empty_intervals", "false").equals("true"),
        "include_empty_intervals: intervals without a change are left out");
    var limit = asked.number("limit", 100);
    refuse(limit < 1 || limit > MOST_LISTED, "limit: must be 1 to " + MOST_LISTED);
    var before = asked.number("before_timestamp", clock.instant().getEpochSecond() + 1) * 1_000;
    var wanted =
        new CandleQuery("pool", pool.getId(), INTERVALS.get(interval), (int) limit, 0, before);
    return history.newest(wanted, asked.client()).map(page -> {
      if (page.bars().isEmpty() && page.rest() != null) {
        throw new Failure.NotFound("No candle was found before the read had to end. Older ones may exist; go on with"
            + " before_timestamp=" + page.rest() / 1_000);
      }
      var body = JsonNodeFactory.instance.objectNode();
      var list = body.putObject("data").put("id", UUID.nameUUIDFromBytes(pool.getId().getBytes(StandardCharsets.UTF_8))
          .toString()).put("type", "ohlcv_request_response").putObject("attributes").putArray("ohlcv_list");
      page.bars().reversed().forEach(bar -> list.addArray().add(bar.start() / 1_000)
          .add(bar.open()).add(bar.high()).add(bar.low()).add(bar.close()).add(bar.volume()));
      body.putObject("meta").<ObjectNode>set("base", describeToken(query.network(), base))
          .set("quote", describeToken(query.network(), tokens == null ? null : tokens.getQuoteToken()));
      return body.toString().getBytes(StandardCharsets.UTF_8);
    });
  }

  private ObjectNode describeToken(String network, @Nullable String id) {
    var token = id == null ? null : mirror.find("token", Token.class, id);
    var known = token == null ? null : token.getDescription();
    var address = id != null && id.startsWith(network + "_") ? id.substring(network.length() + 1) : id;
    return JsonNodeFactory.instance.objectNode().put("address", address)
        .put("name", known == null ? null : known.getName()).put("symbol", known == null ? null : known.getSymbol())
        .put("coingecko_coin_id", known == null ? null : known.getServiceCoinId());
  }

  /** Sends an answer of the data feed. A refusal has the protocol's form. */
  private Mono<Void> send(HttpServerRequest request, HttpServerResponse response,
      Function<Asked, Mono<? extends JsonNode>> answer) {
    return Mono.defer(() -> answer.apply(asked(request)))
        .subscribeOn(mirror.threads())
        .flatMap(body -> AccessControl.send(response, 200, JsonBody.MEDIA_TYPE, body.toString()))
        .onErrorResume(FeedRefusal.class, refusal -> {
          AccessControl.addRetryAfter(response, refusal.retryAfter());
          return AccessControl.send(response, refusal.status(), JsonBody.MEDIA_TYPE,
              JsonNodeFactory.instance.objectNode().put("s", "error").put("errmsg", refusal.getMessage()).toString());
        });
  }

  private static ObjectNode config() {
    var config = JsonNodeFactory.instance.objectNode()
        .put("supports_search", true).put("supports_group_request", false).put("supports_marks", false)
        .put("supports_timescale_marks", false).put("supports_time", true);
    RESOLUTIONS.forEach(config.putArray("supported_resolutions")::add);
    config.putArray("exchanges");
    var types = config.putArray("symbols_types");
    types.addObject().put("name", "all").put("value", "");
    KINDS.forEach(each -> types.addObject().put("name", each).put("value", each));
    return config;
  }

  private Mono<ArrayNode> search(Asked asked) {
    var limit = Math.clamp(asked.number("limit", 30), 1, MOST_FOUND);
    var type = asked.text("type", "");
    var query = asked.text("query", "");
    refuse(query.length() > LONGEST_QUERY, "query: must have at most " + LONGEST_QUERY + " characters");
    var found = JsonNodeFactory.instance.arrayNode();
    var kinds = KINDS.stream().filter(each -> type.isEmpty() || each.equals(type)).toList();
    kinds.forEach(kind -> mirror.search(kind, query, Math.ceilDiv(limit, kinds.size())).stream()
        .map(key -> describe(kind, key)).filter(Objects::nonNull).limit(limit - found.size()).forEach(found::add));
    return Mono.just(found);
  }

  /** Returns the members that a symbol has in a search result, or null if the resource is not known. */
  private @Nullable ObjectNode describe(String kind, String key) {
    return switch (kind) {
      case "pool" -> {
        var pool = mirror.find(kind, Pool.class, key);
        yield pool == null ? null : describe(kind, key, pool.getNetwork(),
            pool.getDescription() == null ? null : pool.getDescription().getName());
      }
      case "token" -> {
        var token = mirror.find(kind, Token.class, key);
        yield token == null ? null : describe(kind, key, token.getNetwork(), token.getDescription() == null ? null
            : token.getDescription().getSymbol() + ", " + token.getDescription().getName());
      }
      default -> {
        var ticker = mirror.find(kind, Ticker.class, key);
        yield ticker == null ? null : describe(kind, key, ticker.getMarket(),
            ticker.getBase() + "/" + ticker.getTarget() + " of " + ticker.getCoin());
      }
    };
  }

  private static ObjectNode describe(String kind, String key, String exchange, @Nullable String name) {
    var symbol = kind.toUpperCase(Locale.ROOT) + ":" + key;
    return JsonNodeFactory.instance.objectNode().put("symbol", symbol).put("full_name", symbol).put("ticker", symbol)
        .put("description", (name == null ? key : name) + ", a " + kind + " on " + exchange)
        .put("exchange", exchange).put("type", kind);
  }

  /** Returns the members of the symbol that was asked for, in the form of a search result. */
  private ObjectNode known(Asked asked) {
    var symbol = asked.text("symbol", "").split(":", 2);
    var kind = symbol[0].toLowerCase(Locale.ROOT);
    var info = symbol.length < 2 || !KINDS.contains(kind) ? null : describe(kind, ResourceKey.canonical(symbol[1]));
    if (info == null) {
      throw mirror.isCaughtUp() ? FeedRefusal.notFound("unknown_symbol")
          : FeedRefusal.unavailable("the mirror has not read all states yet; try again later");
    }
    return info;
  }

  private static CandleQuery request(
      ObjectNode info, CandleInterval interval, int count, long since, long before) {
    return new CandleQuery(info.path("type").asText(), info.path("symbol").asText().split(":", 2)[1], interval,
        count, since, before);
  }

  private Mono<ObjectNode> symbol(Asked asked) {
    var info = known(asked);
    var request = request(info, CandleInterval.DAY, 1, 0, clock.millis());
    info.put("name", info.path("symbol").asText()).put("listed_exchange", info.path("exchange").asText())
        .put("session", "24x7").put("timezone", "Etc/UTC").put("format", "price").put("minmov", 1)
        .put("has_intraday", true).put("has_daily", true).put("volume_precision", 2).put("data_status", "pulsed");
    RESOLUTIONS.forEach(info.putArray("supported_resolutions")::add);
    RESOLUTIONS.subList(0, RESOLUTIONS.size() - 1).forEach(info.putArray("intraday_multipliers")::add);
    return history.newest(request, asked.client()).map(page -> info.put("pricescale",
        (long) Math.pow(10, digits(page.bars().isEmpty() ? price(request) : page.bars().getLast().close()))));
  }

  /** Returns the newest known price of a resource, in the unit of its candles, or 0 if no price is known. */
  private double price(CandleQuery query) {
    var key = query.key();
    var price = DecimalMath.number(switch (query.resource()) {
      case "pool" -> AvroRecords.at(mirror.find("pool", Pool.class, key), "price.base_token_price_usd");
      case "token" -> AvroRecords.at(mirror.find("token", Token.class, key), "price.price_usd");
      default -> AvroRecords.at(mirror.find("ticker", Ticker.class, key), "price.last");
    });
    return price == null ? 0 : price;
  }

  /** Returns how many digits after the point show four significant digits of a price. */
  private static int digits(double price) {
    return price > 0 ? Math.clamp(3 - (long) Math.floor(Math.log10(price)), 2, 16) : 2;
  }

  /** Answers with the bars before {@code to}: {@code countback} bars or, without it, those from {@code from} on. */
  private Mono<ObjectNode> bars(Asked asked) {
    var resolution = RESOLUTIONS.indexOf(asked.text("resolution", "").replaceFirst("^D$", "1D"));
    refuse(resolution < 0, "resolution: must be one of " + String.join(", ", RESOLUTIONS));
    var interval = INTERVALS.get(resolution);
    refuse(asked.text("to", "").isEmpty(), "to: is missing");
    var before = asked.number("to", 0) * 1_000;
    var count = Math.clamp(asked.number("countback", 0), 0, CandleHistory.MOST);
    var since = count > 0 ? 0 : asked.number("from", 0) * 1_000;
    var info = known(asked);
    return history
        .newest(request(info, interval, count > 0 ? count : CandleHistory.MOST, since, before), asked.client())
        .flatMap(page -> !page.bars().isEmpty() ? Mono.just(columns(page))
            : count > 0 || page.rest() != null ? Mono.just(noData(page))
                : history.newest(request(info, interval, 1, 0, Math.min(since, before)), asked.client())
                    .map(CandleRoutes::noData));
  }

  /** Tells the time of the next bar before the range, or the time before which to look further. */
  private static ObjectNode noData(CandlePage older) {
    var answer = JsonNodeFactory.instance.objectNode().put("s", "no_data");
    var next = older.bars().isEmpty() ? older.rest() : Long.valueOf(older.bars().getLast().start());
    return next == null ? answer : answer.put("nextTime", next / 1_000);
  }

  private static ObjectNode columns(CandlePage page) {
    var answer = JsonNodeFactory.instance.objectNode().put("s", "ok");
    page.bars().forEach(bar -> {
      answer.withArray("t").add(bar.start() / 1_000);
      answer.withArray("o").add(bar.open());
      answer.withArray("h").add(bar.high());
      answer.withArray("l").add(bar.low());
      answer.withArray("c").add(bar.close());
      answer.withArray("v").add(bar.volume());
    });
    return answer;
  }
}
