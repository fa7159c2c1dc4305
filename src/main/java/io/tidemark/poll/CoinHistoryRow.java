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
 * Schedules the days of a coin's history, newest missing day first. A day is available from 00:35 UTC of the next one. A
 * day observed within 24 hours of that is polled once more, because it may have been corrected.
 */
final class CoinHistoryRow extends ScheduleRow {

  private static final Duration AVAILABLE_AFTER = Duration.ofDays(1).plusMinutes(35);
  private static final Duration SETTLED_AFTER = AVAILABLE_AFTER.plusDays(1);

  /** How long a day whose answer was unreadable is not polled again. */
  private static final Duration UNREADABLE_PAUSE = Duration.ofMinutes(30);

  private final WatchedHistory watched;
  private final Map<LocalDate, Instant> observed = new HashMap<>();
  /** Days whose answers were unreadable, each with the time of its next poll. */
  private final Map<LocalDate, Instant> pausedUntil = new HashMap<>();
  private Instant lastPolledAt = Instant.MIN;
  /** The service does not answer for days before this one. */
  private LocalDate earliest = LocalDate.MIN;
  /** The day to poll next; null while no day is due. */
  private @Nullable LocalDate day;
  private Instant nextDayAt = Instant.MIN;

  CoinHistoryRow(WatchedHistory watched, Function<String, @Nullable Instant> lastObserved, Instant start) {
    this.watched = watched;
    days(newest(start)).forEach(date -> {
      var at = lastObserved.apply(watched.target().apply(date).name());
      if (at != null) {
        observed.put(date, at);
      }
    });
  }

  @Override
  void prepare(Instant now) {
    super.prepare(now);
    if (lastPolledAt.isAfter(now)) {
      lastPolledAt = now;
    }
    if (day == null && !now.isBefore(nextDayAt)) {
      choose(now);
    }
  }

  @Override
  Target target() {
    return watched.target().apply(Objects.requireNonNull(day));
  }

  @Override
  Instant due(double stretch) {
    if (day == null) {
      return nextDayAt;
    }
    return lastPolledAt.equals(Instant.MIN) ? lastPolledAt
        : lastPolledAt.plusMillis((long) (watched.spacing().toMillis() * stretch));
  }

  /** Lower than that of every periodic target: history can wait. */
  @Override
  double urgency(Instant now, double stretch) {
    return 0;
  }

  @Override
  double callsPerMinute(double stretch) {
    return day == null ? 0 : 60_000 / (watched.spacing().toMillis() * stretch);
  }

  @Override
  void observed(Instant at, int calls) {
    observed.put(Objects.requireNonNull(day), at);
    lastPolledAt = at;
    choose(at);
  }

  @Override
  void unreadable(Instant at, int calls) {
    pausedUntil.put(Objects.requireNonNull(day), at.plus(UNREADABLE_PAUSE));
    lastPolledAt = at;
    choose(at);
  }

  /** Disables this day and all before it: days are polled from the newest back. */
  @Override
  void disable(Instant now) {
    earliest = Objects.requireNonNull(day).plusDays(1);
    choose(now);
  }

  @Override
  void shorten(int pages) {
    throw new IllegalStateException("a day has one page");
  }

  private void choose(Instant now) {
    var newest = newest(now);
    pausedUntil.values().removeIf(until -> !until.isAfter(now));
    nextDayAt = Stream.concat(Stream.of(available(newest.plusDays(1))), pausedUntil.values().stream())
        .min(naturalOrder())
        .orElseThrow();
    day = days(newest).filter(date -> !date.isBefore(earliest) && missing(date, now)).findFirst().orElse(null);
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
