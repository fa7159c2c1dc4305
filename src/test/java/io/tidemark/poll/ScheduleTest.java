package io.tidemark.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.market.Query;
import io.tidemark.market.Target;
import io.tidemark.poll.WatchList.WatchedHistory;
import io.tidemark.poll.WatchList.WatchedTarget;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  static final Instant START = Instant.parse("2026-03-10T12:00:00Z");
  static final Duration MINUTE = Duration.ofMinutes(1);
  static final double PLENTY = 1e9;
  static final Function<String, @Nullable Instant> NOTHING_OBSERVED = target -> null;

  @Test
  void freshTarget_isDueAtOnceThenAPeriodAfterItsPoll() {
    var schedule = steady(watched("a", MINUTE, 1));
    var due = schedule.next(START, PLENTY);

    schedule.observed(due, START, 1);

    assertThat(schedule.next(START.plusSeconds(59), PLENTY)).isNull();
    assertThat(schedule.untilNext(START.plusSeconds(59), MINUTE)).isEqualTo(Duration.ofSeconds(1));
    assertThat(schedule.next(START.plusSeconds(60), PLENTY)).isNotNull();
  }

  @Test
  void targetBeingPolled_isNotGivenAgain() {
    var schedule = steady(watched("a", MINUTE, 1));

    assertThat(schedule.next(START, PLENTY)).isNotNull();
    assertThat(schedule.next(START.plus(MINUTE.multipliedBy(5)), PLENTY)).isNull();
  }

  @Test
  void pollBeforeARestart_isNotRepeatedBeforeItsTime() {
    var schedule = new Schedule(
        List.of(watched("a", MINUTE, 1)), List.of(), target -> START.minusSeconds(20), START);

    assertThat(schedule.next(START.plusSeconds(39), PLENTY)).isNull();
    assertThat(schedule.next(START.plusSeconds(40), PLENTY)).isNotNull();
  }

  @Test
  void clockSetBack_targetIsDueAPeriodLaterAllTheSame() {
    var schedule = steady(watched("a", MINUTE, 1));
    schedule.observed(schedule.next(START, PLENTY), START, 1);
    var back = START.minus(Duration.ofHours(3));

    assertThat(schedule.next(back, PLENTY)).isNull();
    assertThat(schedule.next(back.plusSeconds(60), PLENTY)).isNotNull();
  }

  @Test
  void clockSetBackAfterFailure_targetIsPolledAgainAllTheSame() {
    var schedule = steady(watched("a", MINUTE, 1));
    schedule.postpone(schedule.next(START, PLENTY), START);

    assertThat(schedule.next(START.minus(Duration.ofHours(3)), PLENTY)).isNotNull();
  }

  @Test
  void clockSetForward_targetIsDueOnceAndThenByItsPeriod() {
    var schedule = steady(watched("a", MINUTE, 1));
    schedule.observed(schedule.next(START, PLENTY), START, 1);
    var ahead = START.plus(Duration.ofHours(3));

    schedule.observed(schedule.next(ahead, PLENTY), ahead, 1);

    assertThat(schedule.next(ahead.plusSeconds(59), PLENTY)).isNull();
  }

  @Test
  void tooLittleBudget_periodsAreStretchedToIt() {
    var schedule = steady(watched("a", MINUTE, 1), watched("b", MINUTE, 1));

    var polls = run(schedule, Duration.ofHours(2), 0.5);

    assertThat(polls.get("a")).isBetween(29, 31);
    assertThat(polls.get("b")).isBetween(29, 31);
  }

  @Test
  void heavyTarget_isStretchedLessWithinTheSameBudget() {
    var schedule = steady(watched("heavy", MINUTE, 3), watched("light", MINUTE, 1));

    var polls = run(schedule, Duration.ofHours(4), 0.5);

    assertThat(polls.get("heavy")).isBetween(88, 92);
    assertThat(polls.get("light")).isBetween(29, 31);
  }

  @Test
  void weight_neverMakesATargetPolledMoreOftenThanItIsRefreshed() {
    var schedule = steady(watched("heavy", MINUTE, 100), watched("light", MINUTE, 1));

    var polls = run(schedule, Duration.ofHours(1), 1.5);

    assertThat(polls.get("heavy")).isBetween(60, 61);
    assertThat(polls.get("light")).isBetween(29, 31);
  }

  @Test
  void repeatedFailure_backsOffFurtherEachTime() {
    var schedule = steady(watched("a", Duration.ofSeconds(1), 1));
    var gaps = new ArrayList<Duration>();

    var now = START;
    for (int i = 0; i < 5; i++) {
      schedule.postpone(schedule.next(now, PLENTY), now);
      var gap = schedule.untilNext(now, Duration.ofHours(1));
      gaps.add(gap);
      now = now.plus(gap);
    }

    assertThat(gaps.getFirst()).isBetween(Duration.ofMillis(2_500), Duration.ofSeconds(5));
    assertThat(gaps.getLast()).isBetween(Duration.ofSeconds(40), Duration.ofSeconds(80));
  }

  @Test
  void disabledTarget_isNeverDueAgain() {
    var schedule = steady(watched("a", MINUTE, 1));

    schedule.disable(schedule.next(START, PLENTY), START);

    assertThat(schedule.next(START.plus(Duration.ofDays(1)), PLENTY)).isNull();
  }

  @Test
  void shortenedList_isPolledForFewerPages() {
    var schedule = steady(new WatchedTarget(new Target("main", "list", new Query.GlobalMarket(), 12), MINUTE, 1));

    schedule.shorten(schedule.next(START, PLENTY), START, 10);

    assertThat(schedule.next(START.plus(MINUTE), PLENTY).target().pages()).isEqualTo(10);
  }

  @Test
  void history_goesBackFromTheNewestAvailableDay() {
    var schedule = history(3, NOTHING_OBSERVED);

    assertThat(daysPolled(schedule, START, Duration.ofHours(3)))
        .containsExactly("2026-03-09", "2026-03-08", "2026-03-07");
  }

  @Test
  void dayJustOver_isNotThereBefore0035() {
    var before = Instant.parse("2026-03-10T00:34:59Z");

    assertThat(history(1, NOTHING_OBSERVED).next(before, PLENTY).target().name()).isEqualTo("2026-03-08");
    assertThat(history(1, NOTHING_OBSERVED).next(before.plusSeconds(1), PLENTY).target().name())
        .isEqualTo("2026-03-09");
  }

  @Test
  void newDay_isPolledOnceAndOnceMoreADayLater() {
    var schedule = history(2, NOTHING_OBSERVED);
    daysPolled(schedule, START, Duration.ofHours(1));

    var later = daysPolled(schedule, START.plus(Duration.ofHours(1)), Duration.ofDays(2));

    assertThat(later).containsExactly("2026-03-10", "2026-03-09", "2026-03-11", "2026-03-10");
  }

  @Test
  void dayObservedBefore_isNotPolledAgain() {
    var schedule = history(2, day -> day.equals("2026-03-08") ? START.minusSeconds(60) : null);

    assertThat(daysPolled(schedule, START, Duration.ofHours(3))).containsExactly("2026-03-09");
  }

  @Test
  void historyBeyondThePlan_endsThere() {
    var schedule = history(300, NOTHING_OBSERVED);
    schedule.observed(schedule.next(START, PLENTY), START, 1);

    schedule.disable(schedule.next(START.plus(MINUTE), PLENTY), START.plus(MINUTE));

    assertThat(daysPolled(schedule, START.plus(MINUTE), Duration.ofHours(12))).isEmpty();
  }

  private static Schedule steady(WatchedTarget... watched) {
    return new Schedule(List.of(watched), List.of(), NOTHING_OBSERVED, START);
  }

  private static Schedule history(int days, Function<String, @Nullable Instant> lastObserved) {
    return new Schedule(List.of(), List.of(new WatchedHistory(days, MINUTE, ScheduleTest::day)), lastObserved,
        START);
  }

  private static Target day(LocalDate date) {
    return new Target("main", date.toString(), new Query.CoinHistory("bitcoin", date, true), 1);
  }

  static WatchedTarget watched(String name, Duration period, double weight) {
    return new WatchedTarget(new Target("main", name, new Query.GlobalMarket(), 1), period, weight);
  }

  /** Polls whatever is due, without delay; returns how often each target was polled. */
  private static Map<String, Integer> run(Schedule schedule, Duration time, double callsPerMinute) {
    var polls = new HashMap<String, Integer>();
    for (var now = START; now.isBefore(START.plus(time)); now = now.plusSeconds(1)) {
      for (var due = schedule.next(now, callsPerMinute); due != null; due = schedule.next(now, callsPerMinute)) {
        polls.merge(due.target().name(), 1, Integer::sum);
        schedule.observed(due, now, 1);
      }
    }
    return polls;
  }

  private static List<String> daysPolled(Schedule schedule, Instant from, Duration time) {
    var days = new ArrayList<String>();
    for (var now = from; now.isBefore(from.plus(time)); now = now.plusSeconds(30)) {
      var due = schedule.next(now, PLENTY);
      if (due != null) {
        days.add(due.target().name());
        schedule.observed(due, now, 1);
      }
    }
    return days;
  }
}
