package io.tidemark.app;

import io.tidemark.capture.poll.PlanLimits;
import io.tidemark.capture.poll.WatchList;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.event.DurationFormat;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.market.Query;
import io.tidemark.rule.Rule;
import io.tidemark.rule.expression.Vocabulary;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The coverage of rules by a watch list. Finds rules that get no data or get data too rarely, and names the targets to
 * watch for them.
 */
public record RuleCoverage(List<PollInterval> intervals) {

  private static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);
  private static final double LARGEST_STRETCH = 1e6;

  /** The terms that ask for trending lists, without spaces. */
  private static final Set<String> TRENDING_LISTS = Set.of("kind==\"trending\"", "\"trending\"==kind");

  /** A query and the time between two of its polls. */
  public record PollInterval(Query<?> query, Duration length) {}

  public static RuleCoverage of(WatchList watch, PlanLimits limits) {
    return new RuleCoverage(intervals(watch, limits));
  }

  /** Returns the reason why the rule cannot work with this watch list and what to do, or null if the rule can work. */
  public @Nullable String problem(Rule rule) {
    var problems = observedTopics(rule.on()).stream().map(topic -> problem(rule, topic)).toList();
    return problems.contains(null) ? null : problems.getFirst();
  }

  /**
   * Returns the topics from which the given topic of aggregates or candles is derived; it has records as soon as one of
   * them has. Returns any other topic unchanged.
   */
  private static List<String> observedTopics(String on) {
    var sources = TOPICS.byShortName(on).madeOf();
    return sources.isEmpty() ? List.of(on) : sources;
  }

  private @Nullable String problem(Rule rule, String topic) {
    return facets(rule, topic)
        .map(facet -> blind(rule, topic, facet))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseGet(() -> tooSlow(rule, topic));
  }

  private @Nullable String blind(Rule rule, String topic, String facet) {
    var source = FacetSource.of(topic, facet);
    return source == null || intervals.stream().anyMatch(each -> source.observes().test(each.query()))
        ? null
        : "%s: gets no data, because no watched target shows %s; watch %s".formatted(
            rule.name(), facet.isEmpty() ? topic : facet + " of " + topic, source.howToWatch());
  }

  private @Nullable String tooSlow(Rule rule, String topic) {
    for (var history : requiredHistory(rule, topic)) {
      var shortest = shortestInterval(topic, history.getKey());
      if (shortest != null && shortest.compareTo(history.getValue()) > 0) {
        return ("%s: gets data too rarely, because it needs two snapshots of %s within %s, but the most frequent target"
            + " is polled every %s; give that target more weight, watch less, or use a longer time in the rule")
            .formatted(
                rule.name(), history.getKey(), DurationFormat.format(history.getValue()), approximate(shortest));
      }
    }
    return null;
  }

  /**
   * Returns the attributes of which the rule needs two observations, each with the time within which it needs both. For
   * an event rule with {@code after} or {@code times}, the topic stands for the attribute.
   */
  private static List<Map.Entry<String, Duration>> requiredHistory(Rule rule, String topic) {
    var arming = rule.isArmed()
        ? Stream.of(Map.entry(topic, rule.within().dividedBy(Math.max(1, rule.times() - 1))))
        : Stream.<Map.Entry<String, Duration>>of();
    return Stream.concat(rule.history().entrySet().stream().filter(entry -> entry.getValue().isPositive()), arming)
        .toList();
  }

  private @Nullable Duration shortestInterval(String topic, String path) {
    var source = FacetSource.of(topic, Vocabulary.partOf(path));
    return intervals.stream()
        .filter(each -> source != null && source.observes().test(each.query()))
        .map(PollInterval::length)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  /**
   * Returns the names of the facets that the rule reads. An empty name stands for the topic itself, and is always
   * returned. For a rule on a derived topic, the only other names are {@code price}, which candles are made of, and
   * {@code trending}.
   */
  private static Stream<String> facets(Rule rule, String topic) {
    var named = rule.on().contains(".candles.")
        ? Stream.of("price")
        : topic.equals(rule.on()) ? rule.names().stream().map(Vocabulary::partOf).distinct() : Stream.<String>of();
    return Stream.concat(Stream.of("", isOfTrendingLists(rule) ? "trending" : ""), named);
  }

  /** Returns whether the rule needs trending lists: one of the terms that {@code &&} connects asks for their kind. */
  private static boolean isOfTrendingLists(Rule rule) {
    if (!rule.on().equals("pool.listing")) {
      return rule.on().equals("trending");
    }
    var condition = rule.when().toString().replaceAll("\\s+", "").replace('\'', '"')
        .replace("(kind==\"trending\")", "kind==\"trending\"");
    var outerTerms = withoutGroups(condition);
    return !outerTerms.contains("||") && !outerTerms.contains("?")
        && Stream.of(outerTerms.split("&&")).anyMatch(TRENDING_LISTS::contains);
  }

  private static String withoutGroups(String condition) {
    var shorter = condition.replaceAll("\\([^()]*\\)", "");
    return shorter.equals(condition) ? condition : withoutGroups(shorter);
  }

  private static String approximate(Duration length) {
    return length.toMinutes() >= 2 ? length.toMinutes() + " minutes" : length.toSeconds() + " seconds";
  }

  /**
   * Computes the time between two polls of each target in the long run, from the watch list and the limits of the plan.
   */
  private static List<PollInterval> intervals(WatchList watch, PlanLimits limits) {
    var watched = watch.targets();
    var stretch = stretch(watched, limits.sustainedPerMinute());
    var intervals = new ArrayList<PollInterval>();
    watched.forEach(each -> intervals.add(
        new PollInterval(each.target().query(), Duration.ofMillis((long) (60_000 * minutes(each, stretch))))));
    var yesterday = LocalDate.now(ZoneOffset.UTC).minusDays(1);
    watch.histories().forEach(days -> intervals.add(
        new PollInterval(days.target().apply(yesterday).query(), Duration.ofDays(1))));
    return intervals;
  }

  /**
   * Returns, to about a thousandth, the smallest stretch with which the polls fit the budget, between 1 and {@link
   * #LARGEST_STRETCH}. The period of a target is multiplied by the stretch divided by its weight, but never by less
   * than 1.
   */
  private static double stretch(List<WatchedTarget> watched, double budget) {
    var low = 1.0;
    var high = LARGEST_STRETCH;
    while (callsPerMinute(watched, low) > budget && high - low > low / 1000) {
      var middle = Math.sqrt(low * high);
      if (callsPerMinute(watched, middle) > budget) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double callsPerMinute(List<WatchedTarget> watched, double stretch) {
    return watched.stream().mapToDouble(each -> each.target().pages() / minutes(each, stretch)).sum();
  }

  private static double minutes(WatchedTarget watched, double stretch) {
    return watched.period().toMillis() / 60_000.0 * Math.max(1, stretch / watched.weight());
  }

  /**
   * The queries that observe a facet of a topic's records.
   *
   * @param facet the facet; empty for all facets of the topic that have no row in {@link #TABLE}
   * @param observes whether snapshots of a query contain the facet
   * @param howToWatch what to write under {@code watch} in the configuration to watch a query that observes the facet
   */
  private record FacetSource(String topic, String facet, Predicate<Query<?>> observes, String howToWatch) {

    private static final String POOLS = "networks.N.new-pools, .trending, .dexes.D, .tokens.A.pools or .pools.A";

    /** The queries that observe each facet, from the tables of the document of the service's interface. */
    private static final List<FacetSource> TABLE = List.of(
        new FacetSource("pool.changes", "", FacetSource::isPools, POOLS),
        new FacetSource("pool.changes", "token_price", q -> q instanceof Query.TokenPools, "networks.N.tokens.A.pools"),
        new FacetSource("pool.changes", "trade", q -> q instanceof Query.TokenPools, "networks.N.tokens.A.pools"),
        new FacetSource("pool.changes", "composition", FacetSource::hasComposition,
            "networks.N.pools.A: { composition: true }"),
        new FacetSource("pool.changes", "flow", q -> q instanceof Query.PoolByAddress one && one.volumeBreakdown(),
            "networks.N.pools.A: { volume-breakdown: true }"),
        new FacetSource("pool.changes", "lock", q -> q instanceof Query.PoolByAddress, "networks.N.pools.A"),
        new FacetSource("pool.changes", "sentiment", q -> q instanceof Query.Paged<?> list && list.community(),
            "a list with gt-community-data, such as networks.N.new-pools: { gt-community-data: true }"),
        new FacetSource("pool.listing", "", q -> isPools(q) && !(q instanceof Query.PoolByAddress),
            "networks.N.trending, .new-pools, .dexes.D or .tokens.A.pools"),
        new FacetSource("pool.listing", "trending", q -> q instanceof Query.TrendingPools, "networks.N.trending"),
        new FacetSource("ranking.changes", "", q -> isPools(q) && !(q instanceof Query.PoolByAddress),
            "networks.N.trending, .new-pools, .dexes.D or .tokens.A.pools"),
        new FacetSource("token.changes", "", q -> q instanceof Query.TokenByAddress || isPools(q), POOLS),
        ofToken("supply"), ofToken("price"), ofToken("valuation"), ofToken("liquidity"), ofToken("activity"),
        ofToken("launchpad"),
        new FacetSource("ticker.changes", "", q -> q instanceof Query.CoinTickers, "coins.C.tickers"),
        new FacetSource("ticker.changes", "depth", q -> q instanceof Query.CoinTickers tickers && tickers.depth(),
            "coins.C.tickers: { depth: true }"),
        new FacetSource("contract.changes", "",
            q -> q instanceof Query.DerivativesExchangeById exchange && exchange.includeTickers() != null,
            "derivatives.E: { tickers: unexpired }"),
        new FacetSource("derivatives-exchange.changes", "", q -> q instanceof Query.DerivativesExchangeById,
            "derivatives.E"),
        new FacetSource("treasury.changes", "", q -> q instanceof Query.PublicTreasury, "treasuries.E"),
        new FacetSource("holding.changes", "", q -> q instanceof Query.PublicTreasury, "treasuries.E"),
        new FacetSource("global.changes", "", q -> q instanceof Query.GlobalMarket, "global"),
        new FacetSource("platform.changes", "", q -> q instanceof Query.AssetPlatforms, "platforms"),
        new FacetSource("coin-day.changes", "", q -> q instanceof Query.CoinHistory, "coins.C.history"));

    private static FacetSource ofToken(String facet) {
      return new FacetSource(
          "token.changes", facet, q -> q instanceof Query.TokenByAddress, "networks.N.tokens.A");
    }

    /**
     * Returns the row of {@link #TABLE} for the facet, or else the row for the whole topic, or null if the topic has no
     * row.
     */
    static @Nullable FacetSource of(String topic, String facet) {
      var rows = TABLE.stream().filter(each -> each.topic().equals(topic)).toList();
      return rows.stream()
          .filter(each -> each.facet().equals(facet))
          .findFirst()
          .or(() -> rows.stream().filter(each -> each.facet().isEmpty()).findFirst())
          .orElse(null);
    }

    private static boolean isPools(Query<?> query) {
      return switch (query) {
        case Query.DexPools q -> true;
        case Query.TrendingPools q -> true;
        case Query.NewPools q -> true;
        case Query.SearchPools q -> true;
        case Query.TokenPools q -> true;
        case Query.PoolByAddress q -> true;
        case Query.TokenByAddress q -> q.topPools();
        default -> false;
      };
    }

    private static boolean hasComposition(Query<?> query) {
      return switch (query) {
        case Query.PoolByAddress q -> q.composition();
        case Query.TokenByAddress q -> q.composition();
        default -> false;
      };
    }
  }
}
