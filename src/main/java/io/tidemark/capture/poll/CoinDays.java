package io.tidemark.capture.poll;

import static java.time.ZoneOffset.UTC;
import static java.util.Comparator.naturalOrder;

import io.tidemark.capture.poll.WatchList.WatchedHistory;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The missing days of a coin's history, in the order in which they are polled. A day is available from 00:35 UTC of
 * the next day. A day observed within 24 hours after it became available is polled once more, because the service may
 * have corrected it. A day whose answer is unreadable, or whose failure looks final, is put aside for a time, while
 * other days are polled. The newest day comes first, then the days that were never put aside, then the put-aside day
 * whose pause ended first.
 */
final class CoinDays {

  private static final Duration AVAILABLE_AFTER = Duration.ofDays(1).plusMinutes(35);
  private static final Duration SETTLED_AFTER = AVAILABLE_AFTER.plusDays(1);

  /** Pause before a day whose answer was unreadable is polled again. */
  private static final Duration UNREADABLE_PAUSE = Duration.ofMinutes(30);

  private final WatchedHistory watched;
  private final Map<LocalDate, Instant> observed = new HashMap<>();
  /**
   * Days that were put aside since they were last observed, each with the time from which it may be polled again,
   * which may be past.
   */
  private final Map<LocalDate, Instant> pausedUntil = new HashMap<>();
  /** Day to poll next; null if no day is due. */
  private @Nullable LocalDate day;
  private Instant nextDayAt = Instant.MIN;
  /**
   * Time at which the next new day becomes available, or at which the newest day is polled again if that is earlier.
   */
  private Instant newDayAt = Instant.MIN;

  CoinDays(WatchedHistory watched, Function<String, @Nullable Instant> lastObserved, Instant start) {
    this.watched = watched;
    watched.daysUpTo(newest(start)).forEach(date -> {
      var at = lastObserved.apply(watched.target().apply(date).name());
      if (at != null) {
        observed.put(date, at);
      }
    });
  }

  /** Returns the target of the day to poll next, or null if no day is due. */
  @Nullable
  Target next(Instant now) {
    if (!now.isBefore(day == null ? nextDayAt : newDayAt)) {
      choose(now);
    }
    return day == null ? null : watched.target().apply(day);
  }

  /** Returns the time at which a day may be due again, or a past time if a day is due now. */
  Instant nextDayAt() {
    return day == null ? nextDayAt : Instant.MIN;
  }

  void observed(Instant at) {
    var answered = Objects.requireNonNull(day);
    observed.put(answered, at);
    pausedUntil.remove(answered);
    choose(at);
  }

  void unreadable(Instant at) {
    putAside(at.plus(UNREADABLE_PAUSE), false, at);
  }

  /**
   * Puts the polled day aside until the given time, because its answer is unreadable or its failure looks final.
   *
   * @param olderToo whether all earlier days are put aside too, because the plan does not include days that old
   */
  void putAside(Instant until, boolean olderToo, Instant now) {
    var refused = Objects.requireNonNull(day);
    watched.daysUpTo(refused).limit(olderToo ? Long.MAX_VALUE : 1).forEach(each -> pausedUntil.put(each, until));
    choose(now);
  }

  private void choose(Instant now) {
    var newest = newest(now);
    var paused = pausedUntil.values().stream().filter(until -> until.isAfter(now));
    var again = pausedUntil(newest);
    newDayAt = again.isAfter(now) && again.isBefore(newDayAt(now)) ? again : newDayAt(now);
    nextDayAt = Stream.concat(Stream.of(newDayAt), paused).min(naturalOrder()).orElseThrow();
    day = watched.daysUpTo(newest).filter(date -> missing(date, now))
        .reduce((one, other) -> !one.equals(newest) && pausedUntil(other).isBefore(pausedUntil(one)) ? other : one)
        .orElse(null);
    observed.keySet().removeIf(date -> date.isBefore(newest.minusDays(watched.days())));
    pausedUntil.keySet().removeIf(date -> date.isBefore(newest.minusDays(watched.days())));
  }

  /** Returns the time at which the pause of a day ends, or a past time if the day was never put aside. */
  private Instant pausedUntil(LocalDate date) {
    return pausedUntil.getOrDefault(date, Instant.MIN);
  }

  /** Returns the time at which the next new day becomes available. */
  static Instant newDayAt(Instant now) {
    return newest(now).plusDays(1).atStartOfDay(UTC).toInstant().plus(AVAILABLE_AFTER);
  }

  /** Returns whether the polled day is the newest one. The service may publish the newest day some minutes late. */
  boolean isNewest(Instant now) {
    return newest(now).equals(day);
  }

  /** Returns the name of the target of the newest day that is no longer watched. */
  String leftLast(Instant now) {
    return watched.target().apply(newest(now).minusDays(watched.days())).name();
  }

  private boolean missing(LocalDate date, Instant now) {
    var at = observed.get(date);
    return !pausedUntil(date).isAfter(now)
        && (at == null || (at.isBefore(settled(date)) && !now.isBefore(settled(date))));
  }

  static LocalDate newest(Instant now) {
    return now.minus(AVAILABLE_AFTER).atZone(UTC).toLocalDate();
  }

  private static Instant settled(LocalDate date) {
    return date.atStartOfDay(UTC).toInstant().plus(SETTLED_AFTER);
  }
}
