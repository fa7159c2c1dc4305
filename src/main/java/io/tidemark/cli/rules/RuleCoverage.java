package io.tidemark.cli.rules;

import io.tidemark.market.Query;
import io.tidemark.poll.PlanLimits;
import io.tidemark.poll.WatchList.WatchedTarget;
import io.tidemark.rule.Rule;
import io.tidemark.source.SourceSettings;
import io.tidemark.yaml.DurationFormat;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a watch list gives rules their data: finds rules that are blind or too slow, and names the targets that would
 * help.
 */
record RuleCoverage(List<PollInterval> intervals) {

  private static final double MINUTES_A_MONTH = 30 * 24 * 60;
  private static final double LARGEST_STRETCH = 1e6;

  /** A query and the time between two polls of it. */
  record PollInterval(Query<?> query, Duration length) {}

  static RuleCoverage of(SourceSettings source) {
    return new RuleCoverage(intervals(source));
  }

  /** Why the rule cannot work under this watch list, and what to do; null where it can. */
  @Nullable
  String problem(Rule rule) {
    var topic = observedTopic(rule.on());
    return facets(rule, topic)
        .map(facet -> blind(rule, topic, facet))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseGet(() -> tooSlow(rule, topic));
  }

  /** The topic of changes that a topic of aggregates or candles is made of; any other topic itself. */
  private static String observedTopic(String on) {
    var sources = RulesCommand.TOPICS.byShortName(on).madeOf();
    return sources.isEmpty() ? on : sources.getFirst();
  }

  private @Nullable String blind(Rule rule, String topic, String facet) {
    var source = FacetSource.of(topic, facet);
    return source == null || intervals.stream().anyMatch(each -> source.observes().test(each.query()))
        ? null
        : "%s: blind: no watched target shows %s; watch %s".formatted(
            rule.name(), facet.isEmpty() ? topic : facet + " of " + topic, source.howToWatch());
  }

  private @Nullable String tooSlow(Rule rule, String topic) {
    for (var history : requiredHistory(rule, topic)) {
      var shortest = shortestInterval(topic, history.getKey());
      if (shortest != null && shortest.compareTo(history.getValue()) > 0) {
        return ("%s: too slow: it needs two snapshots of %s within %s, and the most frequent target is polled every %s;"
            + " give it more weight, watch less, or use a longer time").formatted(
                rule.name(), history.getKey(), DurationFormat.format(history.getValue()), approximate(shortest));
      }
    }
    return null;
  }

  /** Attributes, each with the time within which the rule needs two observations of it. */
  private static List<Map.Entry<String, Duration>> requiredHistory(Rule rule, String topic) {
    var arming = rule.after() == null
        ? Stream.<Map.Entry<String, Duration>>of()
        : Stream.of(Map.entry(topic, rule.within()));
    return Stream.concat(rule.history().entrySet().stream().filter(entry -> entry.getValue().isPositive()), arming)
        .toList();
  }

  private @Nullable Duration shortestInterval(String topic, String path) {
    var source = FacetSource.of(topic, facet(path));
    return intervals.stream()
        .filter(each -> source != null && source.observes().test(each.query()))
        .map(PollInterval::length)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  /** The facets that the rule reads; first the empty name, for the topic itself. */
  private static Stream<String> facets(Rule rule, String topic) {
    var trending = rule.on().equals("trending")
        || (topic.equals("pool.listing") && rule.when().toString().contains("\"trending\""));
    var named = topic.equals(rule.on())
        ? rule.names().stream().map(RuleCoverage::facet).distinct()
        : Stream.<String>of();
    return Stream.concat(Stream.of("", trending ? "trending" : ""), named);
  }

  private static String facet(String path) {
    return path.replaceFirst("^(before|changed)\\.", "").split("\\.", 2)[0];
  }

  private static String approximate(Duration length) {
    return length.toMinutes() >= 2 ? length.toMinutes() + " minutes" : length.toSeconds() + " seconds";
  }

  /** How often each target is polled in the long run, by the watch list and the limits of the plan. */
  private static List<PollInterval> intervals(SourceSettings source) {
    var watched = source.watch().targets();
    var stretch = stretch(watched, budget(source.limits()));
    var intervals = new ArrayList<PollInterval>();
    watched.forEach(each -> intervals.add(
        new PollInterval(each.target().query(), Duration.ofMillis((long) (60_000 * minutes(each, stretch))))));
    var yesterday = LocalDate.now(ZoneOffset.UTC).minusDays(1);
    source.watch().histories().forEach(days -> intervals.add(
        new PollInterval(days.target().apply(yesterday).query(), Duration.ofDays(1))));
    return intervals;
  }

  /** In calls per minute. */
  private static double budget(PlanLimits limits) {
    return limits.share() * Math.min(limits.perMinute(), limits.perMonth() / MINUTES_A_MONTH);
  }

  /** The smallest stretch of all periods with which the polls fit the budget. */
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
}
