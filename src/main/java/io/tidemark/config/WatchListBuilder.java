package io.tidemark.config;

import io.tidemark.market.Query;
import io.tidemark.market.Target;
import io.tidemark.poll.WatchList;
import io.tidemark.poll.WatchList.WatchedHistory;
import io.tidemark.poll.WatchList.WatchedTarget;
import io.tidemark.yaml.YamlSection;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Collects the targets of a watch list: their pages, weights and periods. Rejects a target that is watched twice. */
final class WatchListBuilder {

  private final String source;
  private final RefreshPeriods periods;
  private final Function<Query<?>, String> nameOf;
  private final List<WatchedTarget> targets = new ArrayList<>();
  private final List<WatchedHistory> histories = new ArrayList<>();

  /** What is watched, and the path of its section. */
  private final Map<String, String> subjects = new HashMap<>();

  WatchListBuilder(String source, RefreshPeriods periods, Function<Query<?>, String> nameOf) {
    this.source = source;
    this.periods = periods;
    this.nameOf = nameOf;
  }

  /** Adds a target with the section's pages and weight. */
  void add(YamlSection in, Query<?> query) {
    var before = subjects.putIfAbsent(subject(query), in.path());
    if (before != null) {
      throw in.invalid("watched twice, here and at " + before + "; its parameters can be set once");
    }
    var weight = in.get("weight", "1");
    var number = weight.number();
    var target = target(query, query instanceof Query.Paged<?> ? pages(in) : 1);
    targets.add(weight.as(text -> new WatchedTarget(target, periods.of(query.operation()), number)));
  }

  /** Adds as many days of a coin's history as the section names. */
  void addHistory(YamlSection in, Function<LocalDate, Query.CoinHistory> query) {
    var days = in.get("days", "1");
    if (days.integer() < 1 || days.integer() > 10_000) {
      throw days.invalid("1 to 10000 days, not " + days.written());
    }
    histories.add(new WatchedHistory(days.integer(), periods.betweenDays(), date -> target(query.apply(date), 1)));
  }

  WatchList build(YamlSection in) {
    if (targets.isEmpty() && histories.isEmpty()) {
      throw in.invalid(
          "nothing is watched; name networks, searches, global, coins, derivatives, treasuries or platforms");
    }
    return new WatchList(targets, histories);
  }

  private Target target(Query<?> query, int pages) {
    return new Target(source, nameOf.apply(query), query, pages);
  }

  private static int pages(YamlSection in) {
    var pages = in.get("pages", "1");
    if (pages.integer() < 1 || pages.integer() > 500) {
      throw pages.invalid("1 to 500, not " + pages.written());
    }
    return pages.integer();
  }

  /** What a query is about, without the parameters that are part of no resource's key. */
  private static String subject(Query<?> query) {
    return query.operation().wire() + " " + switch (query) {
      case Query.TokenByAddress q -> q.network() + " " + q.address();
      case Query.DexPools q -> q.network() + " " + q.dex() + " " + q.sort();
      case Query.TrendingPools q -> q.network() + " " + q.duration();
      case Query.NewPools q -> q.network();
      case Query.SearchPools q -> q.network() + " " + q.query();
      case Query.TokenPools q -> q.network() + " " + q.tokenAddress() + " " + q.sort();
      case Query.PoolByAddress q -> q.network() + " " + q.address();
      case Query.GlobalMarket q -> "";
      case Query.CoinHistory q -> q.id() + " " + q.date();
      case Query.CoinTickers q -> q.id();
      case Query.DerivativesExchangeById q -> q.id();
      case Query.PublicTreasury q -> q.entityId();
      case Query.AssetPlatforms q -> String.valueOf(q.filter());
    };
  }
}
