package io.tidemark.rule.expression;

import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Which figures must be remembered, and for how long. */
public final class History {

  private History() {}

  public static SortedMap<String, Duration> of(Expression expression) {
    var history = new TreeMap<String, Duration>();
    expression.historyCalls().values().stream()
        .filter(HistoryCall::needsHistory)
        .forEach(recall -> history.merge(recall.term().name(), recall.length(), History::longer));
    return history;
  }

  public static SortedMap<String, Duration> together(Stream<Map<String, Duration>> histories) {
    var together = new TreeMap<String, Duration>();
    histories.forEach(history -> history.forEach((path, length) -> together.merge(path, length, History::longer)));
    return together;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
