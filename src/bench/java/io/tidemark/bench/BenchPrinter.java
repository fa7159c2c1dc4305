package io.tidemark.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.print.TerminalText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A printer of the results of the bench, as rows of a table or as lines of JSON. */
final class BenchPrinter {

  private static final int COLUMNS = 80;
  private static final String INDENT = "    ";

  private BenchPrinter() {}

  /** Returns the names of the columns. */
  static String header() {
    return "%-32s %20s %23s".formatted("part", "measured", "aim");
  }

  /** Returns a row of the table and, below it, the values that the measured value is compared with. */
  static String text(BenchResult result) {
    var aim = (result.isMost() ? "<= " : ">= ") + figure(result.aim(), result.unit());
    var row = "%-32s %20s %23s".formatted(result.name(), figure(result.measured(), result.unit()), aim);
    var notes = String.join("; ", notes(result));
    return notes.isEmpty() ? row
        : row + TerminalText.wrapped(notes, COLUMNS - INDENT.length()).stream().map(line -> "\n" + INDENT + line)
            .collect(Collectors.joining());
  }

  private static List<String> notes(BenchResult result) {
    var notes = new ArrayList<String>();
    if (!result.isReached()) {
      notes.add("not held");
    }
    if (result.plan() > 0) {
      notes.add("%,.1f plans, %.2f %% of a core a plan".formatted(result.timesPlan(), 100 / result.timesPlan()));
    }
    if (!Double.isNaN(result.limit())) {
      notes.add("limit %s, ratio %.2f".formatted(figure(result.limit(), result.unit()), result.ratio()));
    }
    return notes;
  }

  /** Returns a line with the number of results that reach their aim, and the total time. */
  static String footer(List<BenchResult> results, Duration taken) {
    return "%d of %d held; %d min %d s".formatted(
        results.stream().filter(BenchResult::isReached).count(), results.size(), taken.toMinutes(),
        taken.toSecondsPart());
  }

  private static String figure(double value, String unit) {
    return (value >= 100 ? "%,.0f %s" : "%.2f %s").formatted(value, unit);
  }

  /** Returns the result as JSON. */
  static ObjectNode json(BenchResult result) {
    var json = JsonNodeFactory.instance.objectNode()
        .put("part", result.name())
        .put("unit", result.unit())
        .put("measured", result.measured())
        .put(result.isMost() ? "at_most" : "at_least", result.aim())
        .put("held", result.isReached())
        .put("rounds", result.rounds());
    if (result.plan() > 0) {
      json.put("times_plan", result.timesPlan());
    }
    if (!Double.isNaN(result.limit())) {
      json.put("limit", result.limit())
          .put("ratio", result.ratio())
          .put("lowest_ratio", result.lowestRatio())
          .put("highest_ratio", result.highestRatio());
    }
    return json;
  }
}
