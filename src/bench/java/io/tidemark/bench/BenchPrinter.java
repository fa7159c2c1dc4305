package io.tidemark.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;

/** Prints the results of the bench, one a line: as a row of a table, or as JSON. */
final class BenchPrinter {
  private BenchPrinter() {}

  /** The names of the columns. */
  static String header() {
    return "%-32s %20s %23s %9s %9s %20s %7s".formatted("part", "measured", "aim", "plans", "a plan", "limit", "ratio");
  }

  /** A row of the table. */
  static String text(BenchResult result) {
    var aim = (result.isMost() ? "<= " : ">= ") + figure(result.aim(), result.unit());
    var isOfPlan = result.plan() > 0;
    return "%-32s %20s %23s %9s %9s %20s %7s%s".formatted(result.name(), figure(result.measured(), result.unit()), aim,
        isOfPlan ? "%,.1f x".formatted(result.timesPlan()) : "",
        isOfPlan ? "%.2f %%".formatted(100 / result.timesPlan()) : "",
        Double.isNaN(result.limit()) ? "" : figure(result.limit(), result.unit()),
        Double.isNaN(result.limit()) ? "" : "%.2f".formatted(result.ratio()), result.isReached() ? "" : "  not held");
  }

  /** How many hold their aim, and how long all took. */
  static String footer(List<BenchResult> results, Duration taken) {
    return "%d of %d held; %d min %d s".formatted(
        results.stream().filter(BenchResult::isReached).count(), results.size(), taken.toMinutes(),
        taken.toSecondsPart());
  }

  private static String figure(double value, String unit) {
    return (value >= 100 ? "%,.0f %s" : "%.2f %s").formatted(value, unit);
  }

  /** The same as JSON. */
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
