package io.tidemark.stream.aggregate;

import io.tidemark.event.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A figure over the last day, oldest point first: where it changed, each minute of the last hour and every tenth one
 * before, and the last point that is older than a day.
 */
final class DayHistory {

  private static final Duration DAY = Duration.ofHours(24);
  private static final Duration FINE = Duration.ofMinutes(65);
  private static final Duration COARSE = Duration.ofMinutes(10);

  private DayHistory() {}

  /** The history with a point more, thinned. A point of the same minute is replaced. */
  static List<Point> with(List<Point> history, Instant at, double value) {
    var longer = new ArrayList<>(history);
    longer.removeIf(point -> !point.getAt().isBefore(at));
    if (longer.isEmpty() || longer.getLast().getValue() != value) {
      longer.add(new Point(at, value));
    }
    return thinned(longer, at);
  }

  /** What it was at a time; null where that was not known yet. */
  static @Nullable Double at(List<Point> history, Instant time) {
    Double value = null;
    for (var point : history) {
      if (point.getAt().isAfter(time)) {
        break;
      }
      value = point.getValue();
    }
    return value;
  }

  private static List<Point> thinned(List<Point> history, Instant now) {
    var kept = new ArrayList<Point>();
    for (var n = 0; n < history.size(); n++) {
      var next = n + 1 < history.size() ? history.get(n + 1) : null;
      if (next == null || isWorthKeeping(history.get(n), next, now)) {
        kept.add(history.get(n));
      }
    }
    return kept;
  }

  /** Of old points, the last of each ten minutes; of those older than a day, the last. */
  private static boolean isWorthKeeping(Point point, Point next, Instant now) {
    if (point.getAt().isAfter(now.minus(FINE))) {
      return true;
    }
    var isLastBeforeTheDay = next.getAt().isAfter(now.minus(DAY));
    return isLastBeforeTheDay && tenth(point) != tenth(next);
  }

  private static long tenth(Point point) {
    return Math.floorDiv(point.getAt().toEpochMilli(), COARSE.toMillis());
  }
}
