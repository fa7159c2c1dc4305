package io.tidemark.poll;

import io.tidemark.market.Target;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a source watches.
 *
 * @param targets targets that are polled periodically
 * @param histories histories whose days are polled once each
 * @param maxAge a resource that was not observed for longer is polled before all others; null for no such limit
 */
public record WatchList(List<WatchedTarget> targets, List<WatchedHistory> histories, @Nullable Duration maxAge) {

  public WatchList {
    targets = List.copyOf(targets);
    histories = List.copyOf(histories);
  }

  /** A watch list without a limit of age. */
  public WatchList(List<WatchedTarget> targets, List<WatchedHistory> histories) {
    this(targets, histories, null);
  }

  /** The same targets, with a limit of age. */
  public WatchList withMaxAge(@Nullable Duration limit) {
    return new WatchList(targets, histories, limit);
  }

  /** How long one round of the periodic targets takes at so many calls a minute. */
  public Duration roundTime(double callsPerMinute) {
    var calls = targets.stream().mapToInt(watched -> watched.target().pages()).sum();
    return Duration.ofSeconds((long) Math.ceil(60 * calls / callsPerMinute));
  }

  /** Calls of one round of the list at most. */
  public int callsPerRound() {
    return targets.stream().mapToInt(watched -> watched.target().pages()).sum()
        + histories.stream().mapToInt(WatchedHistory::days).sum();
  }

  /**
   * A target that is polled periodically.
   *
   * @param period how often the service refreshes it: a more frequent poll shows nothing new
   * @param weight how much it matters, compared with 1
   */
  public record WatchedTarget(Target target, Duration period, double weight) {

    public WatchedTarget {
      if (!period.isPositive()) {
        throw new IllegalArgumentException("refresh: more than nothing, not " + period);
      }
      if (!(weight > 0) || weight > 1000) {
        throw new IllegalArgumentException("weight: above 0 and at most 1000, not " + weight);
      }
    }
  }

  /**
   * The watched days of a coin's history: each day is a target of its own.
   *
   * @param days how many days back, from the last completed one
   * @param spacing time between two polls while days are missing
   * @param target the target of a day
   */
  public record WatchedHistory(int days, Duration spacing, Function<LocalDate, Target> target) {

    public WatchedHistory {
      if (days < 1) {
        throw new IllegalArgumentException("days: at least 1, not " + days);
      }
    }
  }
}
