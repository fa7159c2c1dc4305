package io.tidemark.capture.poll;

import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

  /**
   * The watch list nearest to this one whose round takes no longer, in words: with fewer pages of its longest lists, and
   * where that does not suffice without its last targets, the lightest first.
   */
  public String nearestWithin(Duration longest, double callsPerMinute) {
    var most = (int) Math.floor(longest.toMillis() / 60_000.0 * callsPerMinute);
    if (most == 0) {
      return "nothing, because one call alone takes longer";
    }
    var pages = targets.stream().mapToInt(watched -> watched.target().pages()).toArray();
    var largest = IntStream.of(pages).max().orElse(0);
    var cap = largest;
    while (cap > 1 && capped(pages, cap) > most) {
      cap--;
    }
    var words = new ArrayList<String>();
    if (cap < largest) {
      words.add("at most %d %s of each list instead of %d".formatted(cap, cap == 1 ? "page" : "pages", largest));
    }
    var calls = capped(pages, cap);
    if (calls > most) {
      words.add("%d of the %d targets, without those of the least weight".formatted(most, targets.size()));
    }
    return "%s (%d calls a round)".formatted(String.join(", and ", words), Math.min(most, calls));
  }

  private static int capped(int[] pages, int cap) {
    return IntStream.of(pages).map(each -> Math.min(each, cap)).sum();
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
   * @param coin its id
   * @param days how many days back, from the last completed one
   * @param spacing time between two polls while days are missing
   * @param target the target of a day
   */
  public record WatchedHistory(String coin, int days, Duration spacing, Function<LocalDate, Target> target) {

    public WatchedHistory {
      if (days < 1) {
        throw new IllegalArgumentException("days: at least 1, not " + days);
      }
    }

    /** Whether a day is watched at a time. */
    public boolean has(LocalDate day, Instant now) {
      var newest = CoinDays.newest(now);
      return !day.isAfter(newest) && day.isAfter(newest.minusDays(days));
    }

    /** The watched days, newest first. */
    Stream<LocalDate> daysUpTo(LocalDate newest) {
      return newest.datesUntil(newest.minusDays(days), Period.ofDays(-1));
    }
  }
}
