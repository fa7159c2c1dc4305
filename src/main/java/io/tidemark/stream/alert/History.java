package io.tidemark.stream.alert;

import io.tidemark.event.PriceHistory;
import io.tidemark.event.PriceMinute;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a pool cost lately, in minutes that hold their lowest and highest price. */
final class History {

  private History() {}

  static PriceHistory empty() {
    return new PriceHistory(List.of(), null);
  }

  /** The history with a price more, without the minutes that ended before a time. */
  static PriceHistory with(PriceHistory history, Instant at, double price, Instant from) {
    var start = at.truncatedTo(ChronoUnit.MINUTES);
    var minutes = new TreeMap<Instant, PriceMinute>();
    history.getMinutes().stream()
        .filter(minute -> !hasEnded(minute, from))
        .forEach(minute -> minutes.put(minute.getStart(), minute));
    minutes.merge(start, new PriceMinute(start, price, price), History::together);
    return new PriceHistory(List.copyOf(minutes.values()), history.getFiredAt());
  }

  /** The largest move to a price from the lowest and highest ones since a time; null where there were none. */
  static @Nullable Move largest(PriceHistory history, Instant from, double price) {
    return history.getMinutes().stream()
        .filter(minute -> !hasEnded(minute, from))
        .flatMap(minute -> Stream.of(
            new Move(minute.getLow(), price, minute.getStart()), new Move(minute.getHigh(), price, minute.getStart())))
        .reduce(Move::larger)
        .orElse(null);
  }

  /** Whether the newest minute ended before a time. */
  static boolean hasEnded(PriceHistory history, Instant time) {
    return history.getMinutes().stream().allMatch(minute -> hasEnded(minute, time));
  }

  private static PriceMinute together(PriceMinute one, PriceMinute other) {
    var low = Math.min(one.getLow(), other.getLow());
    return new PriceMinute(one.getStart(), low, Math.max(one.getHigh(), other.getHigh()));
  }

  private static boolean hasEnded(PriceMinute minute, Instant time) {
    return !minute.getStart().plus(1, ChronoUnit.MINUTES).isAfter(time);
  }
}
