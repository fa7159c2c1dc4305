package io.tidemark.poll;

import io.tidemark.market.Target;
import java.time.Duration;
import java.time.LocalDate;
import java.util.function.Function;

/**
 * The days of a coin's history: each is a target of its own.
 *
 * @param days how many days back, from the last completed one
 * @param spacing time between two looks while days are missing
 * @param target the target of a day
 */
public record WatchedHistory(int days, Duration spacing, Function<LocalDate, Target> target) {

  public WatchedHistory {
    if (days < 1) {
      throw new IllegalArgumentException("days: at least 1, not " + days);
    }
  }
}
