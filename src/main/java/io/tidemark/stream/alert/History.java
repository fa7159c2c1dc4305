package io.tidemark.stream.alert;

import io.tidemark.event.PriceHistory;
import io.tidemark.event.PriceMinute;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a pool cost lately, in minutes that hold their lowest and highest price. */
final class History {

  private History() {}

  static PriceHistory empty() {
    return new PriceHistory(new ArrayList<>(), null);
  }

  /** Adds a price, and drops the minutes that ended before a time. */
  static void add(PriceHistory history, Instant at, double price, Instant from) {
    var start = at.truncatedTo(ChronoUnit.MINUTES);
    history.getMinutes().removeIf(minute -> hasEnded(minute, from));
    var known = history.getMinutes().stream().filter(minute -> minute.getStart().equals(start)).findFirst();
    if (known.isPresent()) {
      known.get().setLow(Math.min(known.get().getLow(), price));
      known.get().setHigh(Math.max(known.get().getHigh(), price));
    } else {
      history.getMinutes().add(new PriceMinute(start, price, price));
      history.getMinutes().sort(Comparator.comparing(PriceMinute::getStart));
    }
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

  private static boolean hasEnded(PriceMinute minute, Instant time) {
    return !minute.getStart().plus(1, ChronoUnit.MINUTES).isAfter(time);
  }
}
