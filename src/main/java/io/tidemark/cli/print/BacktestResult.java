package io.tidemark.cli.print;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.Alert;
import io.tidemark.kafka.RecordJson;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The alerts that rules fired between two times, as a table with charts for people, or as JSON with every alert.
 *
 * @param names names of the rules, including those that did not fire
 */
public record BacktestResult(Instant from, Instant to, List<Alert> alerts, Set<String> names) {

  /** Maximum number of columns of the chart. */
  static final int PARTS = 48;
  private static final int FEWEST_PARTS = 8;

  /** Columns of a line except the chart: the figures of a rule, and the bars around the chart. */
  private static final int TABLE_COLUMNS = 72;
  private static final String BARS = " ▁▂▃▄▅▆▇█";

  /** Shortest time range for which a rate per day is meaningful. */
  private static final Duration SHORTEST_OF_RATES = Duration.ofHours(1);

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

  /**
   * Returns a line with the time range, a line with the heads, and a line for each rule, with its figures and a chart
   * of its firings over time.
   */
  public String text(Terminal terminal) {
    var chartColumns = Math.clamp(terminal.columns() - TABLE_COLUMNS, FEWEST_PARTS, PARTS);
    var lines = new ArrayList<String>();
    lines.add("%s to %s, %s".formatted(from.truncatedTo(ChronoUnit.SECONDS), to.truncatedTo(ChronoUnit.SECONDS),
        days() < 1
            ? "%.1f minutes".formatted(days() * Duration.ofDays(1).toMinutes())
            : "%.2f days".formatted(days())));
    lines.add(line("rule", "version", "fires", "resolves", "passed", "per day", "when"));
    rules().forEach((name, rule) -> lines.add(line(
        name,
        rule.versions().stream().map(String::valueOf).collect(Collectors.joining(",")),
        rule.fires(),
        rule.resolves(),
        rule.passed(),
        rule.perDay() == null ? "-" : String.format(Locale.ROOT, "%.1f", rule.perDay()),
        rule.fires() == 0 ? "" : "|" + chart(rule.byPart(chartColumns)) + "|")));
    if (alerts.isEmpty()) {
      lines.add("nothing fired");
    }
    return String.join("\n", lines);
  }

  private static String line(Object... cells) {
    return "%-22s %8s %7s %9s %7s %9s  %s".formatted(cells).stripTrailing();
  }

  /**
   * Returns a chart with one bar for each part of the time range. {@code parts} are the numbers of firings in the
   * parts; the heights are relative to the largest number.
   */
  static String chart(long[] parts) {
    var highest = Math.max(1, Arrays.stream(parts).max().orElse(1));
    return Arrays.stream(parts)
        .mapToObj(part -> String.valueOf(BARS.charAt((int) Math.ceil(8.0 * part / highest))))
        .collect(Collectors.joining());
  }

  public ObjectNode json() {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("from", from.toString()).put("to", to.toString()).put("days", days());
    var rules = json.putObject("rules");
    rules().forEach((name, rule) -> rules.set(name, rule.json()));
    var all = json.putArray("alerts");
    alerts.forEach(alert -> all.add(RecordJson.value(alert)));
    return json;
  }

  record RuleResult(BacktestResult result, List<Alert> alerts) {

    /** Counts fired events and conditions that began to fire. */
    long fires() {
      return alerts.stream().filter(RuleResult::isFiring).count();
    }

    /** Returns the number of conditions that fired and later resolved. */
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

    /** Returns the firings per day, or null if the time range is too short. */
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

    /** Counts the firings in each column of the chart. */
    long[] byPart(int columns) {
      var parts = new long[columns];
      var length = Math.max(1, Duration.between(result.from, result.to).toMillis());
      alerts.stream().filter(RuleResult::isFiring).forEach(alert -> {
        var since = Duration.between(result.from, alert.getEventTime()).toMillis();
        parts[Math.clamp(since * columns / length, 0, columns - 1)]++;
      });
      return parts;
    }

    private ObjectNode json() {
      var json = JsonNodeFactory.instance.objectNode();
      versions().forEach(json.putArray("versions")::add);
      json.put("fires", fires()).put("resolves", resolves()).put("passed", passed()).put("per_day", perDay());
      var days = json.putObject("by_day");
      byDay().forEach((day, fires) -> days.put(day.toString(), fires));
      return json;
    }

    private static boolean isFiring(Alert alert) {
      return alert.getStatus().equals("fired") || alert.getStatus().equals("firing");
    }

    private static LocalDate day(Alert alert) {
      return alert.getEventTime().atZone(ZoneOffset.UTC).toLocalDate();
    }
  }
}
