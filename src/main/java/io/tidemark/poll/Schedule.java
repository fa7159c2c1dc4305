package io.tidemark.poll;

import static java.util.Comparator.comparingDouble;

import io.tidemark.market.Target;
import io.tidemark.poll.WatchList.WatchedHistory;
import io.tidemark.poll.WatchList.WatchedTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the target to poll next. The refresh periods of the service are stretched until the budget suffices, by a
 * larger factor for targets of less weight. A target is not chosen again while it is being polled.
 */
public final class Schedule {

  private static final double LARGEST_STRETCH = 1e6;
  private static final Duration STRETCHED_FOR = Duration.ofSeconds(10);

  /** A target that is due, and its row of the schedule. */
  record DueTarget(Target target, ScheduleRow row) {}

  private final List<ScheduleRow> rows;
  private double stretch = 1;
  private Instant stretchAgainAt = Instant.MIN;

  /**
   * @param lastObserved time of the last complete snapshot of a target by its name, in earlier sessions too: a restart
   *     polls nothing before it is due
   * @param start when targets that were never observed are due
   */
  public Schedule(List<WatchedTarget> watched, List<WatchedHistory> days,
      Function<String, @Nullable Instant> lastObserved,
      Instant start) {
    this.rows = Stream.<ScheduleRow>concat(
        watched.stream()
            .map(each -> new PeriodicRow(each, lastObserved.apply(each.target().name()), start)),
        days.stream().map(each -> new CoinHistoryRow(each, lastObserved, start)))
        .toList();
  }

  /** The most urgent target that is due, given so many calls a minute; null where none is. */
  synchronized @Nullable DueTarget next(Instant now, double callsPerMinute) {
    idleRows().forEach(row -> row.prepare(now));
    stretchTo(callsPerMinute, now);
    return idleRows()
        .filter(row -> !row.dueAfterBackoff(stretch).isAfter(now))
        .max(comparingDouble(row -> row.urgency(now, stretch)))
        .map(ScheduleRow::dispatch)
        .orElse(null);
  }

  /** Time until a target is due that is not being polled; at most as given. */
  synchronized Duration untilNext(Instant now, Duration most) {
    return idleRows()
        .map(row -> row.dueAfterBackoff(stretch))
        .filter(due -> due.isBefore(now.plus(most)))
        .map(due -> Duration.between(now, due))
        .min(Duration::compareTo)
        .orElse(most);
  }

  /** The target was observed by a poll that started then, in so many calls. */
  synchronized void observed(DueTarget due, Instant at, int calls) {
    due.row().succeeded();
    due.row().observed(at, calls);
    due.row().release();
  }

  /** The answer, which took so many calls, was unreadable. */
  synchronized void unreadable(DueTarget due, Instant at, int calls) {
    due.row().succeeded();
    due.row().unreadable(at, calls);
    due.row().release();
  }

  /** The poll failed for a reason that is not the target's: it stays due. */
  synchronized void requeue(DueTarget due) {
    due.row().release();
  }

  /** The poll failed: the target backs off. */
  synchronized void postpone(DueTarget due, Instant now) {
    due.row().backOff(now);
    due.row().release();
  }

  /** The service will never answer for the target. */
  synchronized void disable(DueTarget due, Instant now) {
    due.row().disable(now);
    due.row().release();
  }

  /** The service will never answer for pages beyond these. */
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
