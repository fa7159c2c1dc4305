package io.tidemark.capture.poll;

import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The watch list of a source.
 *
 * @param targets targets that are polled periodically
 * @param histories histories, each day of which is observed once, or twice if the service may have corrected it
 * @param maxAge longest time for which a resource should stay unobserved; a poll that keeps this limit takes
 *     precedence; null for no limit
 */
public record WatchList(List<WatchedTarget> targets, List<WatchedHistory> histories, @Nullable Duration maxAge) {

  public WatchList {
    targets = List.copyOf(targets);
    histories = List.copyOf(histories);
  }

  /** Creates a watch list without {@code maxAge}. */
  public WatchList(List<WatchedTarget> targets, List<WatchedHistory> histories) {
    this(targets, histories, null);
  }

  /** Returns the same watch list with the given {@code maxAge}; null for no limit. */
  public WatchList withMaxAge(@Nullable Duration limit) {
    return new WatchList(targets, histories, limit);
  }

  /** Returns the number of calls of one round of the periodic targets. */
  public int pages() {
    return targets.stream().mapToInt(watched -> watched.target().pages()).sum();
  }

  /** Returns how long one round of the periodic targets takes at the given number of calls a minute. */
  public Duration roundTime(double callsPerMinute) {
    return Duration.ofSeconds((long) Math.ceil(60 * pages() / callsPerMinute));
  }

  /**
   * Describes in words the watch list that is most like this one and has a round that takes no longer than the given
   * time. The described list has fewer pages of the longest lists. If this does not suffice, it also lacks the targets
   * of the least weight.
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

  /** Returns the maximum number of calls of one round, with every day of the histories. */
  public int callsPerRound() {
    return pages() + histories.stream().mapToInt(WatchedHistory::days).sum();
  }

  /**
   * Returns the number of calls that a session may make at the rate of the minute: one poll of each target that was
   * never polled, so that the targets that were polled before do not wait for hours.
   *
   * @param isFirst whether no session polled before; the days of the histories then count too
   * @param wasPolled whether the target with a name was ever polled, also if each of its polls failed
   */
  public int firstCalls(boolean isFirst, Predicate<String> wasPolled) {
    return isFirst
        ? callsPerRound()
        : targets.stream().map(WatchedTarget::target).filter(each -> !wasPolled.test(each.name()))
            .mapToInt(Target::pages).sum();
  }

  /**
   * A target that is polled periodically.
   *
   * @param period time between two refreshes of the target by the service; more frequent polls show nothing new
   * @param weight importance of the target, relative to the default weight 1
   */
  public record WatchedTarget(Target target, Duration period, double weight) {

    public WatchedTarget {
      if (!period.isPositive()) {
        throw new IllegalArgumentException("refresh: must be longer than 0, got " + period);
      }
      if (!(weight > 0) || weight > 1000) {
        throw new IllegalArgumentException("weight: must be above 0 and at most 1000, got " + weight);
      }
    }
  }

  /**
   * The watched days of a coin's history. Each day is a separate target.
   *
   * @param coin id of the coin
   * @param days number of watched days, back from the newest day that is available
   * @param spacing time between two polls while days are missing
   * @param target returns the target of a given day
   */
  public record WatchedHistory(String coin, int days, Duration spacing, Function<LocalDate, Target> target) {

    public WatchedHistory {
      if (days < 1) {
        throw new IllegalArgumentException("days: must be at least 1, got " + days);
      }
    }

    /** Returns whether a day is watched at the given time. */
    public boolean has(LocalDate day, Instant now) {
      var newest = CoinDays.newest(now);
      return !day.isAfter(newest) && day.isAfter(newest.minusDays(days));
    }

    /** Returns as many days as are watched, from the given one back, newest first. */
    Stream<LocalDate> daysUpTo(LocalDate newest) {
      return newest.datesUntil(newest.minusDays(days), Period.ofDays(-1));
    }
  }
}
