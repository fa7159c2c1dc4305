package io.tidemark.poll;

import static java.time.ZoneOffset.UTC;
import static java.util.Comparator.naturalOrder;

import io.tidemark.market.Target;
import io.tidemark.poll.WatchList.WatchedHistory;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The days of a coin's history that are missing, newest first. A day is available from 00:35 UTC of the next one. A
 * day observed within 24 hours of that is polled once more, because it may have been corrected. A day that was not
 * answered is put aside for a time, and others go on.
 */
final class CoinDays {

  private static final Duration AVAILABLE_AFTER = Duration.ofDays(1).plusMinutes(35);
  private static final Duration SETTLED_AFTER = AVAILABLE_AFTER.plusDays(1);

  /** How long a day whose answer was unreadable is not polled again. */
  private static final Duration UNREADABLE_PAUSE = Duration.ofMinutes(30);

  private final WatchedHistory watched;
  private final Map<LocalDate, Instant> observed = new HashMap<>();
  /** Days that are put aside, each with the time of its next poll. */
  private final Map<LocalDate, Instant> pausedUntil = new HashMap<>();
  /** The day to poll next; null while no day is due. */
  private @Nullable LocalDate day;
  private Instant nextDayAt = Instant.MIN;

  CoinDays(WatchedHistory watched, Function<String, @Nullable Instant> lastObserved, Instant start) {
    this.watched = watched;
    days(newest(start)).forEach(date -> {
      var at = lastObserved.apply(watched.target().apply(date).name());
      if (at != null) {
        observed.put(date, at);
      }
    });
  }

  /** The day to poll next; null while none is due. */
  @Nullable
  Target next(Instant now) {
    if (day == null && !now.isBefore(nextDayAt)) {
      choose(now);
    }
    return day == null ? null : watched.target().apply(day);
  }

  /** When a day may be due again; the past while one is. */
  Instant nextDayAt() {
    return day == null ? nextDayAt : Instant.MIN;
  }

  /** The day was observed. */
  void observed(Instant at) {
    observed.put(Objects.requireNonNull(day), at);
    choose(at);
  }

  /** The answer of the day was unreadable. */
  void unreadable(Instant at) {
    putAside(at.plus(UNREADABLE_PAUSE), false, at);
  }

  /**
   * The day was not answered: it is polled again then.
   *
   * @param olderToo whether that is so for all days before it, such as beyond the plan
   */
  void putAside(Instant until, boolean olderToo, Instant now) {
    var refused = Objects.requireNonNull(day);
    days(refused).limit(olderToo ? Long.MAX_VALUE : 1).forEach(each -> pausedUntil.put(each, until));
    choose(now);
  }

  private void choose(Instant now) {
    var newest = newest(now);
    pausedUntil.values().removeIf(until -> !until.isAfter(now));
    nextDayAt = Stream.concat(Stream.of(available(newest.plusDays(1))), pausedUntil.values().stream())
        .min(naturalOrder())
        .orElseThrow();
    day = days(newest).filter(date -> missing(date, now)).findFirst().orElse(null);
    observed.keySet().removeIf(date -> date.isBefore(newest.minusDays(watched.days())));
  }

  private boolean missing(LocalDate date, Instant now) {
    var at = observed.get(date);
    return !pausedUntil.containsKey(date)
        && (at == null || (at.isBefore(settled(date)) && !now.isBefore(settled(date))));
  }

  /** The watched days, newest first. */
  private Stream<LocalDate> days(LocalDate newest) {
    return newest.datesUntil(newest.minusDays(watched.days()), Period.ofDays(-1));
  }

  private static LocalDate newest(Instant now) {
    return now.minus(AVAILABLE_AFTER).atZone(UTC).toLocalDate();
  }

  private static Instant available(LocalDate date) {
    return date.atStartOfDay(UTC).toInstant().plus(AVAILABLE_AFTER);
  }

  private static Instant settled(LocalDate date) {
    return date.atStartOfDay(UTC).toInstant().plus(SETTLED_AFTER);
  }
}
