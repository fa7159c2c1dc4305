package io.tidemark.poll;

import static java.util.Comparator.comparingDouble;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which target is due next. The refresh periods of the service are stretched until the budget suffices, by a larger
 * factor for what weighs less. A target that was taken is not given again before it comes back.
 */
public final class Schedule {

  private static final double LARGEST_STRETCH = 1e6;
  private static final Duration STRETCHED_FOR = Duration.ofSeconds(10);

  private final List<ScheduleRow> rows;
  private double stretch = 1;
  private Instant stretchAgainAt = Instant.MIN;

  /**
   * @param lastObservations looks that were made before: nothing is looked at again before its time because of a restart
   * @param start from when what was never seen is due
   */
  public Schedule(List<WatchedTarget> watched, List<WatchedHistory> days, LastObservations lastObservations,
      Instant start) {
    this.rows = Stream.<ScheduleRow>concat(
        watched.stream()
            .map(each -> new PeriodicRow(each, lastObservations.lastObservedAt(each.target().name()), start)),
        days.stream().map(each -> new CoinHistoryRow(each, lastObservations, start)))
        .toList();
  }

  /** The most urgent of what is due, given so many calls a minute; null where nothing is. */
  synchronized @Nullable DueTarget next(Instant now, double callsPerMinute) {
    idleRows().forEach(row -> row.prepare(now));
    stretchTo(callsPerMinute, now);
    return idleRows()
        .filter(row -> !row.dueAfterBackoff(stretch).isAfter(now))
        .max(comparingDouble(row -> row.urgency(now, stretch)))
        .map(ScheduleRow::dispatch)
        .orElse(null);
  }

  /** Time until something is due that is not being looked at; at most as given. */
  synchronized Duration untilNext(Instant now, Duration most) {
    return idleRows()
        .map(row -> row.dueAfterBackoff(stretch))
        .filter(due -> due.isBefore(now.plus(most)))
        .map(due -> Duration.between(now, due))
        .min(Duration::compareTo)
        .orElse(most);
  }

  /** It was looked at from then on, in so many calls. */
  synchronized void observed(DueTarget due, Instant at, int calls) {
    due.row().succeeded();
    due.row().observed(at, calls);
    due.row().release();
  }

  /** What came in so many calls could not be read. */
  synchronized void unreadable(DueTarget due, Instant at, int calls) {
    due.row().succeeded();
    due.row().unreadable(at, calls);
    due.row().release();
  }

  /** It could not be looked at for a reason that is not its own: it stays due. */
  synchronized void requeue(DueTarget due) {
    due.row().release();
  }

  /** It could not be looked at: later, and later still with every time in a row. */
  synchronized void postpone(DueTarget due, Instant now) {
    due.row().backOff(now);
    due.row().release();
  }

  /** It will never be answered. */
  synchronized void disable(DueTarget due, Instant now) {
    due.row().disable(now);
    due.row().release();
  }

  /** Pages beyond these will never be answered. */
  synchronized void shorten(DueTarget due, Instant at, int pages) {
    due.row().shorten(pages);
    observed(due, at, pages);
  }

  private Stream<ScheduleRow> idleRows() {
    return rows.stream().filter(ScheduleRow::isIdle);
  }

  private void stretchTo(double callsPerMinute, Instant now) {
    if (!now.isBefore(stretchAgainAt) || stretchAgainAt.isAfter(now.plus(STRETCHED_FOR))) {
      stretchAgainAt = now.plus(STRETCHED_FOR);
      stretch = needed(1) <= callsPerMinute ? 1 : smallestStretch(callsPerMinute);
    }
  }

  private double smallestStretch(double callsPerMinute) {
    var low = 1.0;
    var high = LARGEST_STRETCH;
    while (high - low > low / 1000) {
      var middle = Math.sqrt(low * high);
      if (needed(middle) > callsPerMinute) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private double needed(double stretch) {
    return rows.stream().mapToDouble(row -> row.callsPerMinute(stretch)).sum();
  }
}
