package io.tidemark.capture.poll;

import io.tidemark.capture.poll.Schedule.DueTarget;
import io.tidemark.capture.poll.Schedule.Shown;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A forecast of how a source polls a watch list with a plan. It runs {@link Schedule}, {@link MonthlyBudget} and
 * {@link MinuteWindow} themselves, so that the forecast follows every change in these classes. The classes run in
 * virtual time, over an assumed service, from the first day of the billing month that begins in July, which has
 * 31 days for every billing day.
 *
 * <p>The service is assumed to refresh its cache for each target once in the target's period, and to tell the age of
 * its answers. Resources change at the typical intervals of their operations. Lists are full and show pools that no
 * other list shows. Their pools stay the same, except in lists of new pools. Latency and failures are left out.
 *
 * <p>The same watch list, plan and assumptions give the same forecast.
 *
 * @param length length of the forecast: a month, or less if a month has very many calls
 * @param targets forecasts of the targets in the order of the watch list, then of the histories
 * @param callsPerMonth calls that the source makes in a month
 * @param usedUpAfter time after which the credits of the month are used up; null if they last as long as the forecast
 */
public record ScheduleForecast(
    Duration length, List<TargetForecast> targets, double callsPerMonth, @Nullable Duration usedUpAfter) {

  /** Length of the longest month, in which the budget allows the lowest rate. */
  public static final Duration MONTH = Duration.ofDays(31);

  /** Assumed number of new pools an hour on a network for which no other number is known. */
  public static final double USUAL_NEW_POOLS = 60;
  /** New pools an hour that were observed, by network. On Solana, twenty appeared in 46 seconds. */
  public static final Map<String, Double> KNOWN_NEW_POOLS = Map.of("solana", 1565.0);

  /**
   * Number of calls that limits the length of a forecast. It ends when the plan can have sustained this many calls,
   * or {@code FEWEST_ROUNDS} rounds of the watch list if these take more calls. Computing this many calls takes about
   * a second.
   */
  private static final long MOST_CALLS = 60_000;
  /** Minimum length of a forecast, in which a schedule learns and settles. */
  private static final Duration SHORTEST = Duration.ofHours(2);
  private static final double FEWEST_ROUNDS = 4;

  /**
   * The forecast of one target.
   *
   * @param name name of the target; for a history, the name without a day
   * @param pools number of pools that the target shows at a time
   * @param polls number of polls within the forecast
   * @param calls number of calls that these polls take
   * @param staleness mean time since the last poll, averaged from the first poll on; the length of the forecast if
   *     there is no poll
   * @param longestGap longest time between two polls, or from the last poll to the end of the forecast; the length of
   *     the forecast if there is no poll
   * @param created number of pools that are assumed to be created between the first poll and the last; 0 if the
   *     target is not a list of new pools
   * @param observed number of the created pools that a poll shows
   */
  public record TargetForecast(
      String name, Operation operation, int pools, long polls, long calls, Duration staleness, Duration longestGap,
      long created, long observed) {

    /**
     * Returns the share of new pools that is observed, 1 if none is created, or null if the target is not a list of
     * new pools.
     */
    public @Nullable Double newPools() {
      return operation != Operation.NEW_POOLS ? null : created == 0 ? 1 : (double) observed / created;
    }
  }

  /**
   * Computes the forecast of a watch list.
   *
   * @param newPools new pools an hour by network; a network that is missing has its number in {@link #KNOWN_NEW_POOLS},
   *     or else {@link #USUAL_NEW_POOLS}
   */
  public static ScheduleForecast of(WatchList watched, PlanLimits limits, Map<String, Double> newPools) {
    return new VirtualSource(watched, limits, newPools).run();
  }

  /** Converts a count within the forecast to a count a day. */
  public double perDay(long count) {
    return count * (double) Duration.ofDays(1).toSeconds() / length.toSeconds();
  }

  /** Converts a count within the forecast to a count a month. */
  public double perMonth(long count) {
    return count * (double) MONTH.toSeconds() / length.toSeconds();
  }

  /**
   * Returns the share of new pools that is observed, on all networks whose lists of new pools are watched, or null if
   * no list of new pools is watched.
   */
  public @Nullable Double newPools() {
    var lists = targets.stream().filter(each -> each.newPools() != null).toList();
    var created = lists.stream().mapToLong(TargetForecast::created).sum();
    return lists.isEmpty() ? null
        : created == 0 ? 1 : (double) lists.stream().mapToLong(TargetForecast::observed).sum() / created;
  }

  /** Returns how many new pools an hour are assumed for a network. */
  public static double assumedNewPools(String network, Map<String, Double> newPools) {
    return newPools.getOrDefault(network, KNOWN_NEW_POOLS.getOrDefault(network, USUAL_NEW_POOLS));
  }

  /** A target of the assumed service, with the statistics of its polls. */
  private static final class AssumedTarget {
    final String name;
    final Target target;
    final double period;
    final double phase;
    final double typicalInterval;
    /** Pools created a second if the target is a list of new pools; otherwise 0. */
    final double createdPerSecond;
    final SplittableRandom random;
    double firstPoll = Double.NaN;
    double lastPoll = Double.NaN;
    double lastRefresh = Double.NaN;
    double staleSquares;
    double longestGap;
    long polls;
    long calls;
    long created;
    long observed;
    /** Number of the newest pool at the last refresh; pools are numbered in the order in which they are created. */
    long newest;

    AssumedTarget(String name, Target target, Duration period, double createdPerSecond) {
      this.name = name;
      this.target = target;
      this.period = period.toNanos() / 1e9;
      this.random = new SplittableRandom(name.hashCode());
      this.phase = random.nextDouble() * this.period;
      this.typicalInterval = Schedule.typicalInterval(target.query().operation());
      this.createdPerSecond = createdPerSecond;
      this.newest = pools();
    }

    int pools() {
      return switch (target.query().operation()) {
        case DEX_POOLS, TRENDING_POOLS, NEW_POOLS, SEARCH_POOLS, TOKEN_POOLS -> Poller.POOLS_OF_A_PAGE * target.pages();
        case POOL -> 1;
        case TOKEN, GLOBAL, COIN_HISTORY, COIN_TICKERS, DERIVATIVES_EXCHANGE, TREASURY, ASSET_PLATFORMS -> 0;
      };
    }

    /**
     * Returns the time of the last refresh before the given time. A poll at the given time shows the content as of this
     * refresh.
     */
    double refreshBefore(double time) {
      return phase + Math.floor((time - phase) / period) * period;
    }

    /** Records a poll at the given time and returns the content of its snapshot. */
    Shown poll(double time) {
      var refresh = refreshBefore(time);
      var gap = Double.isNaN(lastRefresh) ? 0 : Math.max(0, refresh - lastRefresh);
      account(time);
      if (createdPerSecond > 0) {
        var since = Math.round(gap * createdPerSecond);
        created += since;
        observed += Math.min(since, pools());
        newest += since;
      }
      lastRefresh = refresh;
      lastPoll = time;
      firstPoll = Double.isNaN(firstPoll) ? time : firstPoll;
      polls++;
      calls += target.pages();
      return shown(gap);
    }

    private void account(double time) {
      if (!Double.isNaN(lastPoll)) {
        staleSquares += (time - lastPoll) * (time - lastPoll) / 2;
        longestGap = Math.max(longestGap, time - lastPoll);
      }
    }

    private Shown shown(double gap) {
      var shownPools = IntStream.range(0, pools()).mapToObj(k -> name + "#" + (newest - k)).toList();
      var changed = new HashSet<String>();
      shownPools.forEach(pool -> {
        if (changes(gap, Schedule.POOL_INTERVAL) || createdPerSecond > 0) {
          changed.add(pool);
        }
      });
      return new Shown(shownPools, changed, changes(gap, typicalInterval));
    }

    private boolean changes(double gap, double interval) {
      return random.nextDouble() < -Math.expm1(-gap / interval);
    }

    TargetForecast forecast(double end) {
      account(end);
      var watchedFor = end - firstPoll;
      return new TargetForecast(name, target.query().operation(), pools(), polls, calls,
          seconds(polls == 0 ? end : staleSquares / Math.max(1, watchedFor)),
          seconds(polls == 0 ? end : longestGap), created, observed);
    }

    private static Duration seconds(double seconds) {
      return Duration.ofMillis(Math.round(1000 * seconds));
    }
  }

  private static final class VirtualSource {

    private final VirtualBudget budget;
    private final Schedule schedule;
    private final List<AssumedTarget> targets = new ArrayList<>();
    private final int periodic;
    private final Duration length;
    /** Maximum calls a month. It limits the extrapolation, because the faster first round does not come again. */
    private final double mostPerMonth;
    private @Nullable Duration usedUpAfter;

    VirtualSource(WatchList watched, PlanLimits limits, Map<String, Double> newPools) {
      var start = Instant.parse("2026-07-01T00:00:00Z").atZone(ZoneOffset.UTC).withDayOfMonth(limits.billingDay())
          .toInstant();
      length = length(watched, limits);
      budget = new VirtualBudget(limits, null, watched.callsPerRound(), start, length);
      schedule = new Schedule(watched, name -> null, budget.clock());
      watched.targets().forEach(each -> targets.add(new AssumedTarget(
          each.target().name(), each.target(), each.period(), created(each, newPools))));
      periodic = targets.size();
      watched.histories().forEach(each -> {
        var day = each.target().apply(start.atZone(ZoneOffset.UTC).toLocalDate());
        targets.add(new AssumedTarget(day.name().replaceFirst("\\?.*", ""), day, each.spacing(), 0));
      });
      mostPerMonth = budget.remaining();
      usedUpAfter = budget.remaining() == 0 ? Duration.ZERO : null;
    }

    private static double created(WatchedTarget watched, Map<String, Double> newPools) {
      return watched.target().query() instanceof Query.NewPools list
          ? assumedNewPools(list.network(), newPools) / Duration.ofHours(1).toSeconds()
          : 0;
    }

    private static Duration length(WatchList watched, PlanLimits limits) {
      var perMinute = limits.sustainedPerMinute();
      var needed = Math.max((double) MOST_CALLS, FEWEST_ROUNDS * watched.callsPerRound()) / perMinute;
      var length = Duration.ofSeconds((long) (60 * Math.min(needed, (double) MONTH.toMinutes())));
      return length.compareTo(SHORTEST) < 0 ? SHORTEST : length;
    }

    ScheduleForecast run() {
      for (var due = budget.next(schedule); due != null; due = budget.next(schedule)) {
        poll(due);
      }
      var all = targets.stream().map(each -> each.forecast(length.toNanos() / 1e9)).toList();
      var calls = all.stream().mapToLong(TargetForecast::calls).sum();
      var perMonth = Math.min(mostPerMonth, calls * (double) MONTH.toSeconds() / length.toSeconds());
      return new ScheduleForecast(length, all, perMonth, usedUpAfter);
    }

    private void poll(DueTarget due) {
      if (usedUpAfter == null && budget.remaining() == 0) {
        usedUpAfter = budget.elapsed();
      }
      var time = budget.elapsed().toNanos() / 1e9;
      var target = targets.get(due.row().number());
      var shown = target.poll(time);
      var age = Duration.ofSeconds((long) (time - target.refreshBefore(time)));
      schedule.observed(due, budget.now(), age, due.target().pages());
      if (due.row().number() < periodic) {
        schedule.learn(due.target().name(), shown);
      }
    }
  }
}
