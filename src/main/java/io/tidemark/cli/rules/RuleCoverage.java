package io.tidemark.cli.rules;

import io.tidemark.cli.rules.PollIntervals.PollInterval;
import io.tidemark.rule.Rule;
import io.tidemark.source.SourceSettings;
import io.tidemark.yaml.DurationFormat;
import java.time.Duration;
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

  static RuleCoverage of(SourceSettings source) {
    return new RuleCoverage(PollIntervals.of(source));
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
}
