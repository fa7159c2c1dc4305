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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a source does with a watch list and a plan, before it does it: the schedule and the budget that poll a source, run
 * in virtual time over an assumed service from the first day of a month of 31 days. The service refreshes each target in
 * its period and tells the age of its answers; resources change at the typical intervals of their operations; lists are
 * full, show pools that no other list shows, and keep them, except lists of new pools. The round trip takes no time.
 *
 * <p>The same watch list, plan and assumptions give the same forecast.
 *
 * @param length of what was computed: a month, or less where that has very many polls
 * @param targets in the order of the watch list, then the histories
 * @param usedUpAfter when the credits of the month are used up; null where they last
 */
public record ScheduleForecast(
    Duration length, List<TargetForecast> targets, double callsPerMonth, @Nullable Duration usedUpAfter) {

  /** As long as the longest month: its rate is the lowest. */
  public static final Duration MONTH = Duration.ofDays(31);

  /** New pools an hour on a network for which nothing else is known. */
  public static final double USUAL_NEW_POOLS = 60;
  /** New pools an hour that were observed: twenty in 46 seconds. */
  public static final Map<String, Double> KNOWN_NEW_POOLS = Map.of("solana", 1565.0);

  /** A forecast of so many polls takes about a second. */
  private static final long MOST_CALLS = 60_000;
  /** Time in which a schedule learns and settles, at least. */
  private static final Duration SHORTEST = Duration.ofHours(2);
  private static final double FEWEST_ROUNDS = 4;
  private static final int POOLS_OF_A_PAGE = 20;

  /**
   * What comes of one target.
   *
   * @param name of the target; of a history that without a day
   * @param pools that it shows at a time; 0 where it shows none
   * @param polls within the forecast
   * @param calls of these polls
   * @param staleness mean time since the last poll, from the first one on
   * @param longestGap between two polls, or from the last one to the end
   * @param created pools that were created from the first poll on, by the assumption; 0 where the target is not a list of
   *     new pools
   * @param observed of these
   */
  public record TargetForecast(
      String name, Operation operation, int pools, long polls, long calls, Duration staleness, Duration longestGap,
      long created, long observed) {

    /** The share of new pools that is observed; null where the target is not a list of new pools. */
    public @Nullable Double newPools() {
      return operation != Operation.NEW_POOLS ? null : created == 0 ? 1 : (double) observed / created;
    }
  }

  /**
   * Computes the forecast of a watch list.
   *
   * @param newPools new pools an hour by network; networks that it lacks have the usual number
   */
  public static ScheduleForecast of(WatchList watched, PlanLimits limits, Map<String, Double> newPools) {
    return new VirtualSource(watched, limits, newPools).run();
  }

  /** Polls a day of one target. */
  public double perDay(long count) {
    return count * (double) Duration.ofDays(1).toSeconds() / length.toSeconds();
  }

  /** Calls of a month for so many within the forecast. */
  public double perMonth(long count) {
    return count * (double) MONTH.toSeconds() / length.toSeconds();
  }

  /** The share of all pools created on the networks whose lists of new pools are watched; null without such a list. */
  public @Nullable Double newPools() {
    var lists = targets.stream().filter(each -> each.newPools() != null).toList();
    var created = lists.stream().mapToLong(TargetForecast::created).sum();
    return lists.isEmpty() ? null
        : created == 0 ? 1 : (double) lists.stream().mapToLong(TargetForecast::observed).sum() / created;
  }

  /** New pools an hour that are assumed for a network. */
  public static double assumedNewPools(String network, Map<String, Double> newPools) {
    return newPools.getOrDefault(network, KNOWN_NEW_POOLS.getOrDefault(network, USUAL_NEW_POOLS));
  }

  /** One target of the assumed service, and what was polled of it. */
  private static final class AssumedTarget {
    final String name;
    final Target target;
    final double period;
    final double phase;
    final double typicalInterval;
    /** Pools created a second, for a list of new ones; else 0. */
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
    /** Number of the newest pool that was created by the last refresh. */
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
        case DEX_POOLS, TRENDING_POOLS, NEW_POOLS, SEARCH_POOLS, TOKEN_POOLS -> POOLS_OF_A_PAGE * target.pages();
        case POOL -> 1;
        case TOKEN, GLOBAL, COIN_HISTORY, COIN_TICKERS, DERIVATIVES_EXCHANGE, TREASURY, ASSET_PLATFORMS -> 0;
      };
    }

    /** The refresh that is served at that time. */
    double refreshBefore(double time) {
      return phase + Math.floor((time - phase) / period) * period;
    }

    /** What a poll at that time shows. */
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
      var changed = new TreeSet<String>();
      shownPools.forEach(pool -> {
        if (changes(gap, Schedule.POOL_INTERVAL)) {
          changed.add(pool);
        }
      });
      return new Shown(shownPools, createdPerSecond > 0 ? Set.copyOf(shownPools) : changed,
          changes(gap, typicalInterval));
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

  /** A source in virtual time. */
  private static final class VirtualSource {

    private final VirtualBudget budget;
    private final Schedule schedule;
    private final List<AssumedTarget> targets = new ArrayList<>();
    private final int periodic;
    private final Duration length;
    /** Calls of the month: the first round, which is faster, does not come again. */
    private final double mostPerMonth;
    private @Nullable Duration usedUpAfter;

    VirtualSource(WatchList watched, PlanLimits limits, Map<String, Double> newPools) {
      var start = Instant.parse("2026-01-01T00:00:00Z").atZone(ZoneOffset.UTC).withDayOfMonth(limits.billingDay())
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
