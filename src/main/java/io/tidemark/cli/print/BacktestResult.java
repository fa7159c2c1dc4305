package io.tidemark.cli.print;

import io.tidemark.event.Alert;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The alerts that rules fired between two times.
 *
 * @param names of the rules; those that did not fire are listed, too
 */
public record BacktestResult(Instant from, Instant to, List<Alert> alerts, Set<String> names) {

  /** Columns of the chart. */
  static final int PARTS = 48;

  /** A shorter range says nothing of a whole day. */
  private static final Duration SHORTEST_OF_RATES = Duration.ofHours(1);

  /** The alerts of each rule, by its name. */
  SortedMap<String, RuleResult> rules() {
    var rules = new TreeMap<String, RuleResult>();
    names.forEach(name -> rules.put(name, new RuleResult(this, List.of())));
    alerts.stream()
        .collect(Collectors.groupingBy(Alert::getRule))
        .forEach((name, own) -> rules.put(name, new RuleResult(this, own)));
    return rules;
  }

  double days() {
    return Duration.between(from, to).toMillis() / (double) Duration.ofDays(1).toMillis();
  }

  /** The alerts of one rule. */
  record RuleResult(BacktestResult result, List<Alert> alerts) {

    /** Counts fired events and conditions that began to fire. */
    long fires() {
      return alerts.stream().filter(RuleResult::isFiring).count();
    }

    /** Counts conditions that fired and resolved. */
    long resolves() {
      return alerts.stream()
          .filter(alert -> alert.getStatus().equals("resolved") && alert.getFiredAt() != null)
          .count();
    }

    /** Counts conditions that were pending and resolved without firing. */
    long passed() {
      return alerts.stream()
          .filter(alert -> alert.getStatus().equals("resolved") && alert.getFiredAt() == null)
          .count();
    }

    /** Null where the range is too short to say. */
    @Nullable
    Double perDay() {
      return Duration.between(result.from, result.to).compareTo(SHORTEST_OF_RATES) < 0
          ? null
          : (Double) (fires() / result.days());
    }

    SortedSet<Long> versions() {
      return alerts.stream().map(Alert::getRuleVersion).collect(Collectors.toCollection(TreeSet::new));
    }

    SortedMap<LocalDate, Long> byDay() {
      return alerts.stream()
          .filter(RuleResult::isFiring)
          .collect(Collectors.groupingBy(RuleResult::day, TreeMap::new, Collectors.counting()));
    }

    /** Firings in each column of the chart. */
    long[] byPart(int columns) {
      var parts = new long[columns];
      var length = Math.max(1, Duration.between(result.from, result.to).toMillis());
      alerts.stream().filter(RuleResult::isFiring).forEach(alert -> {
        var since = Duration.between(result.from, alert.getEventTime()).toMillis();
        parts[Math.clamp(since * columns / length, 0, columns - 1)]++;
      });
      return parts;
    }

    private static boolean isFiring(Alert alert) {
      return alert.getStatus().equals("fired") || alert.getStatus().equals("firing");
    }

    private static LocalDate day(Alert alert) {
      return alert.getEventTime().atZone(ZoneOffset.UTC).toLocalDate();
    }
  }
}
