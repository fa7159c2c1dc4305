package io.tidemark.app.config;

import io.tidemark.capture.poll.WatchList;
import io.tidemark.capture.poll.WatchList.WatchedHistory;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.PlatformFilter;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.market.Query.Timeframe;
import io.tidemark.market.Query.TokenPoolSort;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.market.Target;
import io.tidemark.market.WireValue;
import io.tidemark.yaml.YamlSection;
import io.tidemark.yaml.YamlValue;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads the section {@code watch} into targets and coin histories. Most parameters are named as in the interface
 * document, but in kebab case and without a leading {@code include_}.
 */
final class WatchListReader {

  private final String source;
  private final RefreshPeriods periods;
  private final List<WatchedTarget> targets = new ArrayList<>();
  private final List<WatchedHistory> histories = new ArrayList<>();

  /**
   * Path of the section that watches each query, except histories, by the subject of the query, to find queries that
   * are watched twice.
   */
  private final Map<String, String> subjects = new HashMap<>();

  WatchListReader(String source, RefreshPeriods periods) {
    this.source = source;
    this.periods = periods;
  }

  WatchList read(YamlSection in) {
    in.only("networks", "searches", "global", "coins", "derivatives", "treasuries", "platforms", "follow");
    in.named("networks").forEach(this::network);
    in.sections("searches").forEach(this::search);
    in.ifPresent("global", global -> add(global.only("weight"), new Query.GlobalMarket()));
    each(in.section("coins"), this::coin);
    each(in.section("derivatives"), this::exchange);
    each(in.section("treasuries"), this::treasury);
    in.ifPresent("platforms", this::platforms);
    if (targets.isEmpty() && histories.isEmpty()) {
      throw in.invalid(
          "nothing is watched; add networks, searches, global, coins, derivatives, treasuries or platforms");
    }
    return new WatchList(targets, histories);
  }

  private void search(YamlSection in) {
    in.only("query", "network", "include", "pages", "weight");
    add(in, new Query.SearchPools(in.required("query").text(), in.text("network"), include(in), 1));
  }

  private void network(String network, YamlSection in) {
    in.only("new-pools", "trending", "dexes", "tokens", "pools");
    in.ifPresent("new-pools", list -> newPools(network, list));
    in.ifPresent("trending", list -> trending(network, list));
    each(in.section("dexes"), (dex, list) -> dex(network, dex, list));
    each(in.section("tokens"), (token, one) -> token(network, token, one));
    each(in.section("pools"), (pool, one) -> pool(network, pool, one));
  }

  private void newPools(String network, YamlSection in) {
    in.only("pages", "include", "gt-community-data", "weight");
    add(in, new Query.NewPools(network, include(in), 1, flag(in, "gt-community-data")));
  }

  private void trending(String network, YamlSection in) {
    in.only("durations", "pages", "include", "gt-community-data", "weight");
    var durations = allOf(in, "durations", TrendingDuration.values());
    for (var duration : durations.isEmpty() ? Set.of(TrendingDuration.H24) : durations) {
      add(in, new Query.TrendingPools(network, include(in), 1, duration, flag(in, "gt-community-data")));
    }
  }

  private void dex(String network, String dex, YamlSection in) {
    in.only("sort", "pages", "include", "gt-community-data", "weight");
    var sort = oneOf(in.get("sort", PoolSort.H24_TX_COUNT_DESC.wire()), PoolSort.values());
    add(in, new Query.DexPools(network, dex, include(in), 1, sort, flag(in, "gt-community-data")));
  }

  private void token(String network, String address, YamlSection in) {
    in.only("top-pools", "composition", "inactive-source", "pools", "weight");
    if (flag(in, "composition") && !flag(in, "top-pools")) {
      throw in.invalid("composition", "needs top-pools: true");
    }
    add(in, new Query.TokenByAddress(
        network, address, flag(in, "top-pools"), flag(in, "composition"), flag(in, "inactive-source")));
    in.ifPresent("pools", pools -> tokenPools(network, address, pools));
  }

  private void tokenPools(String network, String address, YamlSection in) {
    in.only("sort", "pages", "include", "inactive-source", "gt-community-data", "weight");
    var sort = oneOf(in.get("sort", TokenPoolSort.H24_VOLUME_USD_LIQUIDITY_DESC.wire()), TokenPoolSort.values());
    add(in, new Query.TokenPools(
        network, address, include(in), flag(in, "inactive-source"), 1, sort, flag(in, "gt-community-data")));
  }

  private void pool(String network, String address, YamlSection in) {
    in.only("include", "volume-breakdown", "composition", "weight");
    add(in, new Query.PoolByAddress(
        network, address, include(in), flag(in, "volume-breakdown"), flag(in, "composition")));
  }

  private void coin(String coin, YamlSection in) {
    in.only("history", "tickers");
    if (!in.has("history") && !in.has("tickers")) {
      throw in.invalid("coin has no history or tickers; add at least one");
    }
    in.ifPresent("history", history -> history(coin, history));
    in.ifPresent("tickers", tickers -> tickers(coin, tickers));
  }

  private void history(String coin, YamlSection in) {
    in.only("days", "localization");
    var localization = in.get("localization", "true").flag();
    addHistory(in, coin, date -> new Query.CoinHistory(coin, date, localization));
  }

  /**
   * Adds a coin's tickers. The service is asked to name pairs of decentralised exchanges by address, because the pair
   * is part of a ticker's key and symbols are not unique.
   */
  private void tickers(String coin, YamlSection in) {
    in.only("exchange-ids", "logo", "pages", "order", "depth", "weight");
    var order = oneOf(in.get("order", TickerOrder.TRUST_SCORE_DESC.wire()), TickerOrder.values());
    add(in, new Query.CoinTickers(
        coin,
        in.text("exchange-ids"),
        flag(in, "logo"),
        1,
        order,
        flag(in, "depth"),
        DexPairFormat.CONTRACT_ADDRESS));
  }

  private void exchange(String exchange, YamlSection in) {
    in.only("tickers", "weight");
    var tickers = in.find("tickers");
    add(in, new Query.DerivativesExchangeById(
        exchange, tickers == null ? null : oneOf(tickers, IncludeTickers.values())));
  }

  private void treasury(String entity, YamlSection in) {
    in.only("holding-amount-change", "holding-change-percentage", "weight");
    add(in, new Query.PublicTreasury(
        entity,
        allOf(in, "holding-amount-change", Timeframe.values()),
        allOf(in, "holding-change-percentage", Timeframe.values())));
  }

  /**
   * Adds the platforms. The whole list is always watched, because only the whole list shows removals. If a filter is
   * set, the filtered list is watched too.
   */
  private void platforms(YamlSection in) {
    in.only("filter", "weight");
    add(in, new Query.AssetPlatforms(null));
    var filter = in.find("filter");
    if (filter != null) {
      add(in, new Query.AssetPlatforms(oneOf(filter, PlatformFilter.values())));
    }
  }

  /** Adds a target for a query, with the pages and the weight of a section. */
  private void add(YamlSection in, Query<?> query) {
    var before = subjects.putIfAbsent(query.subject(), in.path());
    if (before != null) {
      throw in.invalid("watched twice, here and at " + before + "; remove one of the two");
    }
    var weight = in.get("weight", "1");
    var number = weight.number();
    var pages = query instanceof Query.Paged<?> ? in.get("pages", "1").integer(1, 500, "1 to 500") : 1;
    var target = target(query, pages);
    targets.add(weight.as(text -> new WatchedTarget(target, periods.of(query.operation()), number)));
  }

  private void addHistory(YamlSection in, String coin, Function<LocalDate, Query.CoinHistory> query) {
    var days = in.get("days", "1").integer(1, 10_000, "1 to 10000 days");
    histories.add(new WatchedHistory(coin, days, periods.betweenDays(), date -> target(query.apply(date), 1)));
  }

  private Target target(Query<?> query, int pages) {
    return new Target(source, Endpoints.targetName(query), query, pages);
  }

  /**
   * Reads each entry of a section, and each entry of the file that the key {@code file} of the section names. All
   * entries of that file have the options under the key {@code each}.
   */
  private static void each(YamlSection in, BiConsumer<String, YamlSection> read) {
    in.keys().stream()
        .filter(name -> !name.equals("file") && !name.equals("each"))
        .forEach(name -> read.accept(name, in.section(name)));
    var file = in.find("file");
    if (file != null) {
      in.fileLines(file).forEach(name -> read.accept(name, in.section("each")));
    } else if (in.has("each")) {
      throw in.invalid("each", "sets options for the entries of a file; set file too");
    }
  }

  private static Set<IncludedResource> include(YamlSection in) {
    return in.has("include") ? allOf(in, "include", IncludedResource.values()) : IncludedResource.ALL;
  }

  private static boolean flag(YamlSection in, String key) {
    return in.get(key, "false").flag();
  }

  private static <E extends WireValue> Set<E> allOf(YamlSection in, String key, E[] values) {
    return in.list(key).stream().map(value -> oneOf(value, values)).collect(Collectors.toUnmodifiableSet());
  }

  private static <E extends WireValue> E oneOf(YamlValue value, E[] values) {
    return value.oneOf(values, WireValue::wire);
  }
}
