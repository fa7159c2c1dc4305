package io.tidemark.cli.print;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.topic.RecordJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints the result of a backtest: a table with charts for people, or JSON with every alert. */
public final class BacktestPrinter {

  private static final String BARS = " ▁▂▃▄▅▆▇█";

  /** Of the figures of a rule, and the bars beside the chart. */
  private static final int TABLE_COLUMNS = 72;
  private static final int FEWEST_PARTS = 8;

  private BacktestPrinter() {}

  /** A line for each rule, with its figures and a chart of its firings over time. */
  public static String text(BacktestResult result, Terminal terminal) {
    var chartColumns = Math.clamp(terminal.columns() - TABLE_COLUMNS, FEWEST_PARTS, BacktestResult.PARTS);
    var lines = new ArrayList<String>();
    lines.add("%s to %s, %s".formatted(result.from(), result.to(), length(result)));
    lines.add(line("rule", "version", "fires", "resolves", "passed", "per day", "when"));
    result.rules().forEach((name, rule) -> lines.add(line(
        name,
        rule.versions().stream().map(String::valueOf).collect(Collectors.joining(",")),
        Long.toString(rule.fires()),
        Long.toString(rule.resolves()),
        Long.toString(rule.passed()),
        rule.perDay() == null ? "-" : String.format(Locale.ROOT, "%.1f", rule.perDay()),
        rule.fires() == 0 ? "" : "|" + chart(rule.byPart(chartColumns)) + "|")));
    if (result.alerts().isEmpty()) {
      lines.add("nothing fired");
    }
    return String.join("\n", lines);
  }

  private static String length(BacktestResult result) {
    return result.days() < 1
        ? "%.1f minutes".formatted(result.days() * Duration.ofDays(1).toMinutes())
        : "%.2f days".formatted(result.days());
  }

  /** One character for each column, its height relative to the highest. */
  static String chart(long[] parts) {
    var highest = Math.max(1, Arrays.stream(parts).max().orElse(1));
    return Arrays.stream(parts)
        .mapToObj(part -> String.valueOf(BARS.charAt((int) Math.ceil(8.0 * part / highest))))
        .collect(Collectors.joining());
  }

  private static String line(String... cells) {
    return "%-22s %8s %7s %9s %7s %9s  %s".formatted(List.of(cells).toArray()).stripTrailing();
  }

  public static ObjectNode json(BacktestResult result) {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("from", result.from().toString()).put("to", result.to().toString()).put("days", result.days());
    var rules = json.putObject("rules");
    result.rules().forEach((name, rule) -> rules.set(name, json(rule)));
    var alerts = json.putArray("alerts");
    result.alerts().forEach(alert -> alerts.add(RecordJson.value(alert)));
    return json;
  }

  private static ObjectNode json(BacktestResult.RuleResult rule) {
    var json = JsonNodeFactory.instance.objectNode();
    rule.versions().forEach(json.putArray("versions")::add);
    json.put("fires", rule.fires())
        .put("resolves", rule.resolves())
        .put("passed", rule.passed())
        .put("per_day", rule.perDay());
    var days = json.putObject("by_day");
    rule.byDay().forEach((day, fires) -> days.put(day.toString(), fires));
    return json;
  }
}
