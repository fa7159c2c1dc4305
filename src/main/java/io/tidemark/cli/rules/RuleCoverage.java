package io.tidemark.cli.rules;

import io.tidemark.rule.Rule;
import io.tidemark.source.SourceSettings;
import io.tidemark.yaml.DurationFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What rules see under a watch list: those that see nothing, or look too rarely, with what would give them sight. */
record RuleCoverage(List<PollIntervals.PollInterval> intervals) {

  /** What aggregates are made of, first of all. */
  private static final Map<String, String> MADE_OF = Map.of(
      "movers", "pool.changes",
      "launches", "pool.changes",
      "liquidity", "pool.changes",
      "trending", "pool.listing",
      "venues", "ticker.changes",
      "derivatives", "contract.changes",
      "treasuries", "holding.changes",
      "dominance", "global.changes");

  static RuleCoverage of(SourceSettings source) {
    return new RuleCoverage(PollIntervals.of(source));
  }

  /** At most one of each kind; none where the rule can do its work. */
  List<String> problems(Rule rule) {
    var topic = MADE_OF.getOrDefault(rule.on(), source(rule));
    var blind = facets(rule, topic).map(facet -> blind(rule, topic, facet)).filter(each -> each != null).findFirst();
    return blind.isPresent() ? List.of(blind.get()) : slow(rule, topic);
  }

  private @Nullable String blind(Rule rule, String topic, String facet) {
    var shower = facetSource(topic, facet);
    return shower == null || intervals.stream().anyMatch(gap -> shower.shows().test(gap.query()))
        ? null
        : "%s: blind: nothing that is watched shows %s; watch %s".formatted(
            rule.name(), facet.isEmpty() ? topic : facet + " of " + topic, shower.howToWatch());
  }

  private List<String> slow(Rule rule, String topic) {
    var complaints = new ArrayList<String>();
    for (var length : needs(rule, topic)) {
      var quickest = quickest(topic, length.getKey());
      if (quickest != null && quickest.compareTo(length.getValue()) > 0) {
        complaints.add("%s: too slow: it needs two looks at %s within %s, and the quickest target comes round every %s;"
            .formatted(rule.name(), length.getKey(), DurationFormat.format(length.getValue()), rough(quickest))
            + " give it more weight, watch less, or ask for a longer time");
        break;
      }
    }
    return complaints;
  }

  /** Figures, each with the time within which two looks at it are due. */
  private static List<Map.Entry<String, Duration>> needs(Rule rule, String topic) {
    var arming =
        rule.after() == null ? Stream.<Map.Entry<String, Duration>>of() : Stream.of(Map.entry(topic, rule.within()));
    return Stream.concat(rule.history().entrySet().stream().filter(entry -> entry.getValue().isPositive()), arming)
        .toList();
  }

  private @Nullable Duration quickest(String topic, String path) {
    var shower = facetSource(topic, facet(path));
    Predicate<PollIntervals.PollInterval> shows = gap -> shower != null && shower.shows().test(gap.query());
    return intervals.stream().filter(shows).map(PollIntervals.PollInterval::length).min(Comparator.naturalOrder())
        .orElse(null);
  }

  /** The topic itself first. */
  private static Stream<String> facets(Rule rule, String topic) {
    var trending = rule.on().equals("trending")
        || (topic.equals("pool.listing") && rule.when().toString().contains("\"trending\""));
    var named =
        topic.equals(rule.on()) ? rule.names().stream().map(RuleCoverage::facet).distinct() : Stream.<String>of();
    return Stream.concat(Stream.of("", trending ? "trending" : ""), named);
  }

  private static String facet(String path) {
    return path.replaceFirst("^(before|changed)\\.", "").split("\\.", 2)[0];
  }

  private static @Nullable FacetSource facetSource(String topic, String facet) {
    var rows = FacetSource.TABLE.stream().filter(each -> each.topic().equals(topic)).toList();
    return rows.stream().filter(each -> each.facet().equals(facet)).findFirst()
        .or(() -> rows.stream().filter(each -> each.facet().isEmpty()).findFirst())
        .orElse(null);
  }

  private static String source(Rule rule) {
    return rule.on().replaceFirst("\\.candles\\..*", ".changes");
  }

  private static String rough(Duration gap) {
    return gap.toMinutes() >= 2 ? gap.toMinutes() + " minutes" : gap.toSeconds() + " seconds";
  }
}
