package io.tidemark.stream.aggregate;

import io.tidemark.event.Origin;
import io.tidemark.event.Point;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The history of one figure, such as a price, over the last day: a list of points, oldest first. Each change of the
 * figure adds a point, but the history has at most one point per minute in the last 65 minutes, and one point per ten
 * minutes before that. The newest point that is a day old or older is also kept. A point of {@code NaN} says that the
 * figure was not known from then on, such as while its resource was not visible.
 */
final class DayHistory {

  private static final Duration DAY = Duration.ofHours(24);
  private static final Duration FINE = Duration.ofMinutes(65);
  private static final Duration COARSE = Duration.ofMinutes(10);

  /**
   * Longest time between two observations for which the first value is assumed to hold until the second one. It is
   * longer than the gaps of small plans.
   */
  private static final Duration LONGEST_GAP = Duration.ofHours(3);

  /**
   * Time from the minute of an observation to a full minute after the observation's point. The point is at the end of
   * the minute of the commit, which may be the next minute.
   */
  private static final Duration AFTER_ITS_POINT = Duration.ofMinutes(3);

  private DayHistory() {}

  /**
   * Returns a copy of a history to which a value is added, if the value changed, and from which unneeded points are
   * removed. Points at {@code at} or later are removed first. {@code at} is a full minute. The value is {@code NaN} if
   * it is not known.
   *
   * @param gapSince the last observation before a gap, within which the value is not known; null if there was no gap. A
   *     gap before the last point of the history is ignored, because the history has it already
   */
  static List<Point> with(List<Point> history, Instant at, double value, @Nullable Instant gapSince) {
    var longer = new ArrayList<>(history);
    longer.removeIf(point -> !point.getAt().isBefore(at));
    var unknownFrom = gapSince == null ? at : gapSince.truncatedTo(ChronoUnit.MINUTES).plus(AFTER_ITS_POINT);
    if (!longer.isEmpty() && unknownFrom.isAfter(longer.getLast().getAt()) && unknownFrom.isBefore(at)) {
      longer.add(new Point(unknownFrom, Double.NaN));
    }
    if (longer.isEmpty() ? !Double.isNaN(value) : Double.compare(longer.getLast().getValue(), value) != 0) {
      longer.add(new Point(at, value));
    }
    return thinned(longer, at);
  }

  /**
   * Returns the last observation before a gap that ends with a change, or the start of an earlier gap, {@code known},
   * if no gap ends with it.
   *
   * @param before last observation of the published value before the change; null if unknown. Later observations of a
   *     withheld value do not count in it, so the target's previous observation is considered, too
   */
  static @Nullable Instant gapStart(@Nullable Instant before, Origin change, @Nullable Instant known) {
    var previous = change.getPreviousObservedAt();
    var last = before == null || (previous != null && previous.isAfter(before)) ? previous : before;
    return last != null && last.plus(LONGEST_GAP).isBefore(change.getObservedAt()) ? last : known;
  }

  /** Returns the value at a time, or null if no value was known at that time. */
  static @Nullable Double at(List<Point> history, Instant time) {
    var after = firstAfter(history, time);
    var value = after == 0 ? Double.NaN : history.get(after - 1).getValue();
    return Double.isNaN(value) ? null : Double.valueOf(value);
  }

  /** Returns the time of the first point after a time, or null if there is no such point. */
  static @Nullable Instant timeAfter(List<Point> history, Instant time) {
    var after = firstAfter(history, time);
    return after == history.size() ? null : history.get(after).getAt();
  }

  private static int firstAfter(List<Point> history, Instant time) {
    var index = history.size();
    while (index > 0 && history.get(index - 1).getAt().isAfter(time)) {
      index--;
    }
    return index;
  }

  private static List<Point> thinned(List<Point> history, Instant now) {
    var thinned = new ArrayList<Point>();
    for (var n = 0; n < history.size(); n++) {
      var next = n + 1 < history.size() ? history.get(n + 1) : null;
      if (next == null || isNeeded(history.get(n), next, now)) {
        thinned.add(history.get(n));
      }
    }
    return thinned;
  }

  /**
   * Returns whether a point must be kept. All points of the last 65 minutes are kept. An older point is kept only if
   * it is the last point of its ten minutes. Of the points that are a day old or older, only the newest is kept.
   */
  private static boolean isNeeded(Point point, Point next, Instant now) {
    if (point.getAt().isAfter(now.minus(FINE))) {
      return true;
    }
    var dayAgo = now.minus(DAY);
    return point.getAt().isAfter(dayAgo) ? tenth(point) != tenth(next) : next.getAt().isAfter(dayAgo);
  }

  private static long tenth(Point point) {
    return Math.floorDiv(point.getAt().toEpochMilli(), COARSE.toMillis());
  }
}
