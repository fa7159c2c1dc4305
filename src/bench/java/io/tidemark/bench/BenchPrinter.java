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
    return "%-36s %20s %20s %8s %6s %15s %8s".formatted("part", "ours", "limit", "ratio", "rounds", "from, to",
        "reach");
  }

  /** A row of the table. */
  static String text(BenchResult result) {
    return "%-36s %20s %20s %8.2f %6d %15s %8.2f%s".formatted(result.name(), figure(result.ours(), result.unit()),
        figure(result.limit(), result.unit()), result.ratio(), result.rounds(),
        "%.2f to %.2f".formatted(result.lowestRatio(), result.highestRatio()), result.reach(),
        result.isReached() ? "" : "  not reached");
  }

  /** How many reach what they should, and how long all took. */
  static String footer(List<BenchResult> results, Duration taken) {
    return "%d of %d reached; %d min %d s".formatted(
        results.stream().filter(BenchResult::isReached).count(), results.size(), taken.toMinutes(),
        taken.toSecondsPart());
  }

  private static String figure(double value, String unit) {
    return (value >= 100 ? "%,.0f %s" : "%.2f %s").formatted(value, unit);
  }

  /** The same as JSON. */
  static ObjectNode json(BenchResult result) {
    return JsonNodeFactory.instance.objectNode()
        .put("part", result.name())
        .put("unit", result.unit())
        .put("ours", result.ours())
        .put("limit", result.limit())
        .put("ratio", result.ratio())
        .put("rounds", result.rounds())
        .put("lowest_ratio", result.lowestRatio())
        .put("highest_ratio", result.highestRatio())
        .put("reach", result.reach())
        .put("reached", result.isReached());
  }
}
