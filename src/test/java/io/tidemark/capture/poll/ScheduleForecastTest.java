package io.tidemark.capture.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.poll.Schedule.Shown;
import io.tidemark.capture.poll.WatchList.WatchedHistory;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.TargetState;
import io.tidemark.market.Query;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleForecastTest {

  static final Duration MINUTE = Duration.ofMinutes(1);
  static final PlanLimits FREE = PollFixtures.plan(30, 10_000);
  static final PlanLimits LARGE = PollFixtures.plan(500, 5_000_000);

  @Test
  void freePlan_lastsToTheLastDay_andIsSpent() {
    var forecast = ScheduleForecast.of(list(watched("a", 1), watched("b", 1)), FREE, Map.of());

    assertThat(forecast.length()).isEqualTo(ScheduleForecast.MONTH);
    assertThat(forecast.callsPerMonth()).isBetween(9_900.0, 10_000.0);
    assertThat(forecast.usedUpAfter() == null ? ScheduleForecast.MONTH : forecast.usedUpAfter())
        .isGreaterThan(Duration.ofDays(30));
    assertThat(forecast.targets()).allSatisfy(each -> assertThat(each.polls()).isBetween(4_500L, 5_500L));
  }

  @ParameterizedTest
  @ValueSource(ints = {15, 29, 31})
  void billingDay_doesNotMatter(int day) {
    var list = list(watched("a", 1), watched("b", 1));

    assertThat(ScheduleForecast.of(list, PollFixtures.plan(30, 10_000, 1, 0, day), Map.of()))
        .isEqualTo(ScheduleForecast.of(list, FREE, Map.of()));
  }

  @Test
  void planWithMoreThanIsNeeded_isNotSpent_andPollsOncePerRefresh() {
    var forecast = ScheduleForecast.of(list(watched("a", 1)), LARGE, Map.of());

    assertThat(forecast.perDay(forecast.targets().getFirst().polls())).isBetween(1_430.0, 1_520.0);
    assertThat(forecast.targets().getFirst().staleness()).isBetween(Duration.ofSeconds(28), Duration.ofSeconds(31));
    assertThat(forecast.usedUpAfter()).isNull();
  }

  @Test
  void newPools_areObservedAsFarAsTheListReachesBack() {
    var list = new WatchedTarget(new Target("main", "new", newPools("solana"), 2), MINUTE, 1);

    var few = ScheduleForecast.of(list(list), LARGE, Map.of("solana", 600.0));
    var many = ScheduleForecast.of(list(list), LARGE, Map.of("solana", 4_800.0));

    assertThat(few.newPools()).as("10 a minute, of 40 shown").isEqualTo(1);
    assertThat(many.newPools()).as("80 a minute, of 40 shown").isCloseTo(0.5, within(0.02));
  }

  @Test
  void shareOfNewPools_countsPools_notLists() {
    var busy = new WatchedTarget(new Target("main", "busy", newPools("solana"), 1), MINUTE, 1);
    var calm = new WatchedTarget(new Target("main", "calm", newPools("eth"), 1), MINUTE, 1);

    var forecast = ScheduleForecast.of(list(busy, calm), LARGE, Map.of("solana", 12_000.0, "eth", 60.0));

    assertThat(forecast.newPools()).isCloseTo(0.1, within(0.01));
  }

  @Test
  void heavierTarget_isPolledMore() {
    var forecast = ScheduleForecast.of(list(watched("heavy", 100), watched("light", 1)), FREE, Map.of());

    assertThat(forecast.targets().getFirst().polls()).isGreaterThan(2 * forecast.targets().getLast().polls());
  }

  @ParameterizedTest
  @ValueSource(ints = {350, 400, 600, 900})
  void limitOfAge_isKept_whateverThePeriods(int maxAge) {
    var limit = Duration.ofSeconds(maxAge);
    var list = new WatchList(List.of(watched("heavy", 1000), watched("usual", 1), watched("light", 0.001),
        new WatchedTarget(new Target("main", "slow", new Query.GlobalMarket(), 1), Duration.ofMinutes(5), 0.01)),
        List.of(), limit);

    var forecast = ScheduleForecast.of(list, PollFixtures.plan(30, 100_000), Map.of());

    assertThat(forecast.targets()).allSatisfy(each -> assertThat(each.longestGap().toMillis())
        .as(each.name()).isLessThanOrEqualTo(limit.plus(limit.dividedBy(50)).toMillis()));
    assertThat(forecast.targets().getFirst().polls()).as("what matters is still polled most")
        .isGreaterThan(2 * forecast.targets().getLast().polls());
  }

  @Test
  void daysOfAHistory_arePolledOnce_andOnceMore() {
    var history = new WatchedHistory("bitcoin", 30, MINUTE,
        day -> new Target("main", "/coins/x/history?date=" + day, new Query.CoinHistory("x", day, true), 1));

    var forecast = ScheduleForecast.of(new WatchList(List.of(watched("a", 1)), List.of(history)), FREE, Map.of());

    assertThat(forecast.targets().getLast().name()).isEqualTo("/coins/x/history");
    assertThat(forecast.targets().getLast().polls()).as("30 before, 31 new ones twice").isBetween(88L, 95L);
  }

  @Test
  void creditsThatOthersSpent_areNotThere() {
    var forecast = ScheduleForecast.of(list(watched("a", 1)), PollFixtures.plan(30, 10_000, 1, 10_000, 1), Map.of());

    assertThat(forecast.usedUpAfter()).isEqualTo(Duration.ZERO);
    assertThat(forecast.targets().getFirst().polls()).isZero();
  }

  @Test
  void nearestWatchList_hasFewerPages_thenFewerTargets() {
    var paged = new WatchedTarget(new Target("main", "list", newPools("eth"), 10), MINUTE, 1);

    assertThat(list(paged, watched("a", 1)).nearestWithin(Duration.ofMinutes(6), 1))
        .isEqualTo("at most 5 pages of each list instead of 10 (6 calls a round)");
    assertThat(list(IntStream.range(0, 9).mapToObj(k -> watched("t" + k, 1)).toArray(WatchedTarget[]::new))
        .nearestWithin(Duration.ofMinutes(6), 1))
        .isEqualTo("6 of the 9 targets, without those of the least weight (6 calls a round)");
  }

  /** The watch list of the Demo configuration in the documentation of the schedule. */
  @ParameterizedTest
  @CsvSource({"2026-07-01T00:00:00Z, PT4H", "2026-07-30T00:00:00Z, PT56H", "2026-07-31T18:00:00Z, PT16H"})
  void freshSourceOnASmallPlan_pollsEachTargetBeforeItIsStale(Instant start, Duration length) {
    AvroSettings.apply();
    var watched = list(pools("new", newPools("solana")), pools("trending", trendingPools("solana")),
        pools("new 2", newPools("base")), pools("trending 2", trendingPools("base")),
        new WatchedTarget(new Target("main", "/global", new Query.GlobalMarket(), 1), Duration.ofMinutes(5), 1));
    var budget = new VirtualBudget(FREE, null, watched.callsPerRound(), start, length);
    var schedule = new Schedule(watched, name -> null, budget.clock());
    var detector = new ChangeDetector(PublishSettings.MATERIAL, ScheduleForecast.MONTH, ScheduleForecast.MONTH,
        FREE::monthStart, start, start);
    var states = new HashMap<String, TargetState>();

    for (var due = budget.next(schedule); due != null; due = budget.next(schedule)) {
      var name = due.target().name();
      var before = states.get(name);
      if (before != null) {
        assertThat(detector.staleAt(before)).as("%s, snapshot %d", name, before.getSnapshot()).isAfter(budget.now());
      }
      states.put(name, TargetState.newBuilder().setTarget(name).setObservedAt(budget.now())
          .setSnapshot(before == null ? 1 : before.getSnapshot() + 1)
          .setPreviousObservedAt(before == null ? null : before.getObservedAt()).build());
      schedule.observed(due, budget.now(), Duration.ofSeconds(budget.elapsed().toSeconds() % 30), 1);
      var shown = name.equals("/global") ? List.<String>of()
          : IntStream.range(0, Poller.POOLS_OF_A_PAGE).mapToObj(k -> name + k).toList();
      schedule.learn(name, new Shown(shown, Set.copyOf(shown), true));
    }
    assertThat(states).hasSize(5)
        .allSatisfy((name, state) -> assertThat(state.getSnapshot()).as(name).isGreaterThan(2));
  }

  private static WatchedTarget pools(String name, Query<?> query) {
    return new WatchedTarget(new Target("main", name, query, 1), Duration.ofSeconds(30), 1);
  }

  private static Query.TrendingPools trendingPools(String network) {
    return new Query.TrendingPools(network, Set.of(), 1, TrendingDuration.H1, false);
  }

  private static WatchList list(WatchedTarget... watched) {
    return new WatchList(List.of(watched), List.of());
  }

  private static WatchedTarget watched(String name, double weight) {
    return new WatchedTarget(new Target("main", name, new Query.GlobalMarket(), 1), MINUTE, weight);
  }

  private static Query.NewPools newPools(String network) {
    return new Query.NewPools(network, Set.of(), 1, false);
  }
}
