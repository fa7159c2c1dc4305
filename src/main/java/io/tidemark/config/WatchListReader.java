package io.tidemark.config;

import io.tidemark.market.DexPairFormat;
import io.tidemark.market.Include;
import io.tidemark.market.IncludeTickers;
import io.tidemark.market.PlatformFilter;
import io.tidemark.market.PoolSort;
import io.tidemark.market.Query;
import io.tidemark.market.TickerOrder;
import io.tidemark.market.Timeframe;
import io.tidemark.market.TokenPoolSort;
import io.tidemark.market.TrendingDuration;
import io.tidemark.market.WireValue;
import io.tidemark.poll.WatchList;
import io.tidemark.yaml.YamlSection;
import io.tidemark.yaml.YamlValue;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Reads the section {@code watch}. Parameters have the names of the interface document in kebab case, without a leading
 * {@code include_}.
 */
record WatchListReader(WatchListBuilder watched) {

  private static final Set<Include> ALL_INCLUDES = Set.of(Include.values());

  static WatchList read(YamlSection in, WatchListBuilder watched) {
    new WatchListReader(watched).all(in);
    return watched.build(in);
  }

  private void all(YamlSection in) {
    in.only("networks", "searches", "global", "coins", "derivatives", "treasuries", "platforms", "follow");
    in.notYet("follow");
    in.named("networks").forEach(this::network);
    in.sections("searches").forEach(this::search);
    if (in.has("global")) {
      watched.add(in.section("global").only("weight"), new Query.GlobalMarket());
    }
    each(in.section("coins"), this::coin);
    each(in.section("derivatives"), this::exchange);
    each(in.section("treasuries"), this::treasury);
    if (in.has("platforms")) {
      platforms(in.section("platforms").only("filter", "weight"));
    }
  }

  private void search(YamlSection in) {
    in.only("query", "network", "include", "pages", "weight");
    var network = in.find("network");
    watched.add(in, new Query.SearchPools(
        in.required("query").text(), network == null ? null : network.text(), include(in), 1));
  }

  private void network(String network, YamlSection in) {
    in.only("new-pools", "trending", "dexes", "tokens", "pools");
    if (in.has("new-pools")) {
      var list = in.section("new-pools").only("pages", "include", "gt-community-data", "weight");
      watched.add(list, new Query.NewPools(network, include(list), 1, flag(list, "gt-community-data")));
    }
    if (in.has("trending")) {
      trending(network, in.section("trending"));
    }
    each(in.section("dexes"), (dex, list) -> dex(network, dex, list));
    each(in.section("tokens"), (token, one) -> token(network, address(token), one));
    each(in.section("pools"), (pool, one) -> pool(network, address(pool), one));
  }

  private void trending(String network, YamlSection in) {
    in.only("durations", "pages", "include", "gt-community-data", "weight");
    var durations = allOf(in, "durations", TrendingDuration.values());
    for (var duration : durations.isEmpty() ? Set.of(TrendingDuration.H24) : durations) {
      watched.add(in, new Query.TrendingPools(network, include(in), 1, duration, flag(in, "gt-community-data")));
    }
  }

  private void dex(String network, String dex, YamlSection in) {
    in.only("sort", "pages", "include", "gt-community-data", "weight");
    var sort = oneOf(in.get("sort", PoolSort.H24_TX_COUNT_DESC.wire()), PoolSort.values());
    watched.add(in, new Query.DexPools(network, dex, include(in), 1, sort, flag(in, "gt-community-data")));
  }

  private void token(String network, String address, YamlSection in) {
    in.only("top-pools", "composition", "inactive-source", "pools", "weight");
    if (flag(in, "composition") && !flag(in, "top-pools")) {
      throw in.invalid("composition", "needs top-pools: true");
    }
    watched.add(in, new Query.TokenByAddress(
        network, address, flag(in, "top-pools"), flag(in, "composition"), flag(in, "inactive-source")));
    if (in.has("pools")) {
      tokenPools(network, address, in.section("pools"));
    }
  }

  private void tokenPools(String network, String address, YamlSection in) {
    in.only("sort", "pages", "include", "inactive-source", "gt-community-data", "weight");
    var sort = oneOf(in.get("sort", TokenPoolSort.H24_VOLUME_USD_LIQUIDITY_DESC.wire()), TokenPoolSort.values());
    watched.add(in, new Query.TokenPools(
        network, address, include(in), flag(in, "inactive-source"), 1, sort, flag(in, "gt-community-data")));
  }

  private void pool(String network, String address, YamlSection in) {
    in.only("include", "volume-breakdown", "composition", "weight");
    watched.add(in, new Query.PoolByAddress(
        network, address, include(in), flag(in, "volume-breakdown"), flag(in, "composition")));
  }

  /** Hexadecimal addresses are lower case on the wire, in whatever case people copy them. */
  private static String address(String address) {
    return address.matches("0[xX][0-9a-fA-F]+") ? address.toLowerCase(Locale.ROOT) : address;
  }

  private void coin(String coin, YamlSection in) {
    in.only("history", "tickers");
    if (!in.has("history") && !in.has("tickers")) {
      throw in.invalid("nothing is watched of it; name history, tickers or both");
    }
    if (in.has("history")) {
      history(coin, in.section("history"));
    }
    if (in.has("tickers")) {
      tickers(coin, in.section("tickers"));
    }
  }

  private void history(String coin, YamlSection in) {
    in.only("days", "localization");
    var localization = in.get("localization", "true").flag();
    watched.addHistory(in, date -> new Query.CoinHistory(coin, date, localization));
  }

  /** Decentralised pairs are named by addresses: symbols are not unique, and the pair is part of a ticker's key. */
  private void tickers(String coin, YamlSection in) {
    in.only("exchange-ids", "logo", "pages", "order", "depth", "weight");
    var exchanges = in.find("exchange-ids");
    var order = oneOf(in.get("order", TickerOrder.TRUST_SCORE_DESC.wire()), TickerOrder.values());
    watched.add(in, new Query.CoinTickers(
        coin,
        exchanges == null ? null : exchanges.text(),
        flag(in, "logo"),
        1,
        order,
        flag(in, "depth"),
        DexPairFormat.CONTRACT_ADDRESS));
  }

  private void exchange(String exchange, YamlSection in) {
    in.only("tickers", "weight");
    var tickers = in.find("tickers");
    watched.add(in, new Query.DerivativesExchangeById(
        exchange, tickers == null ? null : oneOf(tickers, IncludeTickers.values())));
  }

  private void treasury(String entity, YamlSection in) {
    in.only("holding-amount-change", "holding-change-percentage", "weight");
    watched.add(in, new Query.PublicTreasury(
        entity,
        allOf(in, "holding-amount-change", Timeframe.values()),
        allOf(in, "holding-change-percentage", Timeframe.values())));
  }

  /** The whole list is always watched: only it shows which platforms are removed. A filtered one comes on top. */
  private void platforms(YamlSection in) {
    watched.add(in, new Query.AssetPlatforms(null));
    var filter = in.find("filter");
    if (filter != null) {
      watched.add(in, new Query.AssetPlatforms(oneOf(filter, PlatformFilter.values())));
    }
  }

  /** Reads each entry of a section, those of its {@code file} too, which all have the options under {@code each}. */
  private static void each(YamlSection in, BiConsumer<String, YamlSection> read) {
    in.keys().stream()
        .filter(name -> !name.equals("file") && !name.equals("each"))
        .forEach(name -> read.accept(name, in.section(name)));
    var file = in.find("file");
    if (file != null) {
      in.fileLines(file).forEach(name -> read.accept(name, in.section("each")));
    } else if (in.has("each")) {
      throw in.invalid("each", "options of what a file lists; name the file too");
    }
  }

  private static Set<Include> include(YamlSection in) {
    return in.has("include") ? allOf(in, "include", Include.values()) : ALL_INCLUDES;
  }

  private static boolean flag(YamlSection in, String key) {
    return in.get(key, "false").flag();
  }

  private static <E extends WireValue> Set<E> allOf(YamlSection in, String key, E[] values) {
    return in.list(key).stream().map(value -> oneOf(value, values)).collect(Collectors.toSet());
  }

  private static <E extends WireValue> E oneOf(YamlValue value, E[] values) {
    return value.oneOf(values, WireValue::wire);
  }
}
