package io.tidemark.cli.settings;

import io.tidemark.market.DexPairFormat;
import io.tidemark.market.Include;
import io.tidemark.market.IncludeTickers;
import io.tidemark.market.Operation;
import io.tidemark.market.PlatformFilter;
import io.tidemark.market.PoolSort;
import io.tidemark.market.Query;
import io.tidemark.market.Target;
import io.tidemark.market.TickerOrder;
import io.tidemark.market.Timeframe;
import io.tidemark.market.TokenPoolSort;
import io.tidemark.market.TrendingDuration;
import io.tidemark.market.Wire;
import io.tidemark.poll.Watched;
import io.tidemark.poll.WatchedDays;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads the section {@code watch}: parameters bear the document's names in kebab case, a leading include_ left out. */
final class WatchListReader {

  private static final Set<Include> ALL = Set.of(Include.values());

  private final String source;
  private final Periods periods;
  private final Function<Query<?>, String> nameOf;
  private final List<Watched> targets = new ArrayList<>();
  private final List<WatchedDays> days = new ArrayList<>();
  /** What is watched, and where that was said. */
  private final Map<String, String> things = new HashMap<>();

  private WatchListReader(String source, Periods periods, Function<Query<?>, String> nameOf) {
    this.source = source;
    this.periods = periods;
    this.nameOf = nameOf;
  }

  static WatchList read(Section in, String source, Periods periods, Function<Query<?>, String> nameOf) {
    var reader = new WatchListReader(source, periods, nameOf);
    reader.all(in);
    if (reader.targets.isEmpty() && reader.days.isEmpty()) {
      throw in.refused("nothing is watched; name networks, searches, global, coins, derivatives, treasuries or platforms");
    }
    return new WatchList(reader.targets, reader.days);
  }

  private void all(Section in) {
    in.only("networks", "searches", "global", "coins", "derivatives", "treasuries", "platforms", "follow");
    in.notYet("follow");
    in.named("networks").forEach(this::network);
    in.sections("searches").forEach(this::search);
    if (in.has("global")) {
      watch(in.section("global").only("weight"), new Query.GlobalMarket());
    }
    each(in.section("coins"), this::coin);
    each(in.section("derivatives"), this::exchange);
    each(in.section("treasuries"), this::treasury);
    if (in.has("platforms")) {
      platforms(in.section("platforms").only("filter", "weight"));
    }
  }

  private void network(String network, Section in) {
    in.only("new-pools", "trending", "dexes", "tokens", "pools");
    if (in.has("new-pools")) {
      var list = in.section("new-pools").only("pages", "include", "gt-community-data", "weight");
      watch(list, new Query.NewPools(network, include(list), 1, flag(list, "gt-community-data")));
    }
    if (in.has("trending")) {
      trending(network, in.section("trending"));
    }
    each(in.section("dexes"), (dex, list) -> dex(network, dex, list));
    each(in.section("tokens"), (token, one) -> token(network, address(token), one));
    each(in.section("pools"), (pool, one) -> pool(network, address(pool), one));
  }

  private void trending(String network, Section in) {
    in.only("durations", "pages", "include", "gt-community-data", "weight");
    var durations = words(in, "durations", TrendingDuration.values());
    for (var duration : durations.isEmpty() ? Set.of(TrendingDuration.H24) : durations) {
      watch(in, new Query.TrendingPools(network, include(in), 1, duration, flag(in, "gt-community-data")));
    }
  }

  private void dex(String network, String dex, Section in) {
    in.only("sort", "pages", "include", "gt-community-data", "weight");
    var sort = in.get("sort", PoolSort.H24_TX_COUNT_DESC.wire()).word(PoolSort.values());
    watch(in, new Query.DexPools(network, dex, include(in), 1, sort, flag(in, "gt-community-data")));
  }

  private void token(String network, String address, Section in) {
    in.only("top-pools", "composition", "inactive-source", "pools", "weight");
    if (flag(in, "composition") && !flag(in, "top-pools")) {
      throw in.refused("composition", "needs top-pools: true");
    }
    watch(in, new Query.TokenByAddress(
        network, address, flag(in, "top-pools"), flag(in, "composition"), flag(in, "inactive-source")));
    if (in.has("pools")) {
      tokenPools(network, address, in.section("pools"));
    }
  }

  private void tokenPools(String network, String address, Section in) {
    in.only("sort", "pages", "include", "inactive-source", "gt-community-data", "weight");
    var sort = in.get("sort", TokenPoolSort.H24_VOLUME_USD_LIQUIDITY_DESC.wire()).word(TokenPoolSort.values());
    watch(in, new Query.TokenPools(
        network, address, include(in), flag(in, "inactive-source"), 1, sort, flag(in, "gt-community-data")));
  }

  private void pool(String network, String address, Section in) {
    in.only("include", "volume-breakdown", "composition", "weight");
    watch(in, new Query.PoolByAddress(
        network, address, include(in), flag(in, "volume-breakdown"), flag(in, "composition")));
  }

  private void search(Section in) {
    in.only("query", "network", "include", "pages", "weight");
    var network = in.find("network");
    watch(in, new Query.SearchPools(
        in.required("query").text(), network == null ? null : network.text(), include(in), 1));
  }

  private void coin(String coin, Section in) {
    in.only("history", "tickers");
    if (!in.has("history") && !in.has("tickers")) {
      throw in.refused("nothing is watched of it; name history, tickers or both");
    }
    if (in.has("history")) {
      history(coin, in.section("history"));
    }
    if (in.has("tickers")) {
      tickers(coin, in.section("tickers"));
    }
  }

  private void history(String coin, Section in) {
    in.only("days", "localization");
    var localization = in.get("localization", "true").flag();
    var depth = in.get("days", "1");
    if (depth.whole() < 1 || depth.whole() > 10_000) {
      throw depth.refused("1 to 10000 days, not " + depth.shown());
    }
    days.add(new WatchedDays(depth.whole(), periods.of(Operation.COIN_HISTORY),
        date -> target(new Query.CoinHistory(coin, date, localization), 1)));
  }

  /** Decentralised pairs are named by addresses: symbols are not unique, and the pair is part of a ticker's key. */
  private void tickers(String coin, Section in) {
    in.only("exchange-ids", "logo", "pages", "order", "depth", "weight");
    var exchanges = in.find("exchange-ids");
    var order = in.get("order", TickerOrder.TRUST_SCORE_DESC.wire()).word(TickerOrder.values());
    watch(in, new Query.CoinTickers(coin, exchanges == null ? null : exchanges.text(), flag(in, "logo"), 1, order,
        flag(in, "depth"), DexPairFormat.CONTRACT_ADDRESS));
  }

  private void exchange(String exchange, Section in) {
    in.only("tickers", "weight");
    var tickers = in.find("tickers");
    watch(in, new Query.DerivativesExchangeById(
        exchange, tickers == null ? null : tickers.word(IncludeTickers.values())));
  }

  private void treasury(String entity, Section in) {
    in.only("holding-amount-change", "holding-change-percentage", "weight");
    watch(in, new Query.PublicTreasury(
        entity,
        words(in, "holding-amount-change", Timeframe.values()),
        words(in, "holding-change-percentage", Timeframe.values())));
  }

  /** The list limited to those with NFTs comes on top: what is gone can be told from the whole one alone. */
  private void platforms(Section in) {
    watch(in, new Query.AssetPlatforms(null));
    var filter = in.find("filter");
    if (filter != null) {
      watch(in, new Query.AssetPlatforms(filter.word(PlatformFilter.values())));
    }
  }

  /** The things named in a section, those of its {@code file} too, all with the options under {@code each}. */
  private static void each(Section in, BiConsumer<String, Section> read) {
    in.keys().stream()
        .filter(name -> !name.equals("file") && !name.equals("each"))
        .forEach(name -> read.accept(name, in.section(name)));
    var file = in.find("file");
    if (file != null) {
      TextFile.lines(in.file(file), file).forEach(name -> read.accept(name, in.section("each")));
    } else if (in.has("each")) {
      throw in.refused("each", "options of what a file lists; name the file too");
    }
  }

  private void watch(Section in, Query<?> query) {
    var before = things.putIfAbsent(Subject.of(query), in.path());
    if (before != null) {
      throw in.refused("watched twice, here and at " + before + "; its parameters can be set once");
    }
    var weight = in.get("weight", "1");
    var pages = query instanceof Query.Paged<?> ? pages(in) : 1;
    targets.add(weight.made(text ->
        new Watched(target(query, pages), periods.of(query.operation()), weight.number())));
  }

  private Target target(Query<?> query, int pages) {
    return new Target(source, nameOf.apply(query), query, pages);
  }

  private static int pages(Section in) {
    var pages = in.get("pages", "1");
    if (pages.whole() < 1 || pages.whole() > 500) {
      throw pages.refused("1 to 500, not " + pages.shown());
    }
    return pages.whole();
  }

  private static Set<Include> include(Section in) {
    return in.has("include") ? words(in, "include", Include.values()) : ALL;
  }

  private static boolean flag(Section in, String key) {
    return in.get(key, "false").flag();
  }

  private static <E extends Wire> Set<E> words(Section in, String key, E[] words) {
    return in.list(key).stream().map(value -> value.word(words)).collect(Collectors.toSet());
  }

  /** Addresses in hexadecimal are lower case on the wire, whatever case people copy them in. */
  private static String address(String address) {
    return address.matches("0[xX][0-9a-fA-F]+") ? address.toLowerCase(Locale.ROOT) : address;
  }
}
