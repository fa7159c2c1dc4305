package io.tidemark.capture.poll;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.poll.Schedule.DueTarget;
import io.tidemark.capture.poll.Schedule.KnownTarget;
import io.tidemark.capture.poll.Schedule.Shown;
import io.tidemark.capture.poll.WatchList.WatchedHistory;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.event.TargetRetry;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.Target;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

class ScheduleTest {

  static final Instant START = Instant.parse("2026-03-10T12:00:00Z");
  static final Duration MINUTE = Duration.ofMinutes(1);
  /** Calls a second: 10,000 a month. */
  static final double DEMO_PLAN = 10_000 / (31 * 86_400.0);
  static final Function<String, @Nullable KnownTarget> NOTHING_KNOWN = target -> null;

  /** The wall clock and the monotonic clock, each set on its own. */
  Instant now = START;
  long nanos;
  final PollClock time = new PollClock(Schedulers.immediate(), () -> now, () -> nanos);

  @Test
  void freshTarget_isDueAtOnceThenAPeriodAfterItsPoll() {
    var schedule = steady(watched("a", MINUTE, 1));

    observe(schedule, due(schedule));

    advance(Duration.ofSeconds(59));
    assertThat(schedule.next()).isNull();
    assertThat(schedule.untilNext(MINUTE)).isEqualTo(Duration.ofSeconds(1));
    advance(Duration.ofSeconds(1));
    assertThat(schedule.next()).isNotNull();
  }

  @Test
  void targetBeingPolled_isNotGivenAgain() {
    var schedule = steady(watched("a", MINUTE, 1));

    assertThat(schedule.next()).isNotNull();
    advance(MINUTE.multipliedBy(5));
    assertThat(schedule.next()).isNull();
  }

  @Test
  void pollBeforeARestart_isNotRepeatedBeforeItsTime() {
    var known = new KnownTarget(START.minusSeconds(20), List.of(), 0, ByteBuffer.allocate(0));
    var schedule = new Schedule(new WatchList(List.of(watched("a", MINUTE, 1)), List.of()), target -> known, time);

    advance(Duration.ofSeconds(39));
    assertThat(schedule.next()).isNull();
    advance(Duration.ofSeconds(1));
    assertThat(schedule.next()).isNotNull();
  }

  @Test
  void threadThatRestsBetweenTwoClocks_movesNoRefresh() {
    var rests = new AtomicInteger();
    var resting = new PollClock(Schedulers.immediate(), () -> {
      if (rests.getAndDecrement() > 0) {
        advance(Duration.ofMillis(200));
      }
      return now;
    }, () -> nanos);
    var schedule = new Schedule(new WatchList(List.of(watched("a", MINUTE, 1)), List.of()), NOTHING_KNOWN, resting);
    var due = due(schedule);
    rests.set(2);

    schedule.observed(due, START, Duration.ofSeconds(10), 1);

    assertThat(schedule.untilNext(MINUTE).plus(Duration.between(START, now)))
        .isBetween(Duration.ofSeconds(50), Duration.ofMillis(50_020));
  }

  @Test
  void clockSetBack_targetIsDueAPeriodLaterAllTheSame() {
    var schedule = steady(watched("a", MINUTE, 1));
    observe(schedule, due(schedule));
    now = now.minus(Duration.ofHours(3));

    advance(Duration.ofSeconds(59));
    assertThat(schedule.next()).isNull();
    advance(Duration.ofSeconds(1));
    assertThat(schedule.next()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void clockSetBackDuringAPoll_targetIsDueAPeriodLaterAllTheSame(boolean afterTheAnswer) {
    var schedule = steady(watched("a", MINUTE, 1));
    var due = due(schedule);
    var sent = now;
    var setBack = now.minus(Duration.ofHours(3));
    var received = afterTheAnswer ? sent : setBack;
    now = setBack;
    schedule.observed(due, sent, List.of(answer(sent, received, Duration.ZERO)), 1);

    advance(Duration.ofSeconds(59));
    assertThat(schedule.next()).isNull();
    advance(Duration.ofSeconds(2));
    assertThat(schedule.next()).isNotNull();
  }

  @Test
  void clockSetBackBeforeARestart_targetWithALearnedRefreshIsDueAPeriodLater() {
    var before = steady(watched("a", MINUTE, 1));
    poll(before, Duration.ofMinutes(10),
        due -> answer(Duration.ofSeconds(Duration.between(START, now).toSecondsPart())));
    var known = new KnownTarget(now, List.of(), 0, before.learned("a"));
    now = now.minus(Duration.ofHours(3));
    var schedule = new Schedule(new WatchList(List.of(watched("a", MINUTE, 1)), List.of()), target -> known, time);

    advance(Duration.ofSeconds(59));
    assertThat(schedule.next()).isNull();
    advance(Duration.ofSeconds(2));
    assertThat(schedule.next()).isNotNull();
  }

  @Test
  void repeatedFailure_backsOffFurtherEachTime() {
    var schedule = steady(watched("a", Duration.ofSeconds(1), 1));
    var gaps = new ArrayList<Duration>();

    for (int i = 0; i < 5; i++) {
      schedule.failed(due(schedule), now, List.of(), new Failure.ServerError("500"), 1, 1, false);
      assertThat(schedule.next()).isNull();
      var gap = schedule.untilNext(Duration.ofHours(1));
      gaps.add(gap);
      advance(gap.plusMillis(1));
    }

    assertThat(gaps.getFirst()).isBetween(Duration.ofSeconds(5), Duration.ofMillis(6_250));
    assertThat(gaps.getLast()).isBetween(Duration.ofSeconds(80), Duration.ofSeconds(100));
  }

  /** A small plan permits a call each four or five minutes, so each pause is over when the next poll is chosen. */
  @Test
  void targetsThatKeepFailing_leaveTheOthersTheirShare() {
    var schedule = steady(IntStream.range(0, 20)
        .mapToObj(each -> watched("t" + each, MINUTE, 1)).toArray(WatchedTarget[]::new));

    var polls = pollsOfAWeek(schedule, due -> due.target().name().equals("t0")
        || (due.target().name().equals("t1") && now.isAfter(START.plus(Duration.ofDays(1)))));

    var others = polls.entrySet().stream().filter(each -> !Set.of("t0", "t1").contains(each.getKey()))
        .map(Map.Entry::getValue).toList();
    assertThat(others).hasSize(18).allSatisfy(count -> assertThat(count).isBetween(90, 110));
    assertThat(polls.get("t0")).as("never answered").isBetween(30, 70);
    assertThat(polls.get("t1")).as("no longer answered").isBetween(30, 90);
  }

  @Test
  void historyThatKeepsFailing_leavesTheOthersTheirShare() {
    var targets = IntStream.range(0, 20).mapToObj(each -> watched("t" + each, MINUTE, 1)).toList();
    var history = new WatchedHistory("bitcoin", 3, MINUTE, ScheduleTest::day);
    var schedule = new Schedule(new WatchList(targets, List.of(history)), NOTHING_KNOWN, time);

    var polls = pollsOfAWeek(schedule, due -> due.target().query() instanceof Query.CoinHistory);

    assertThat(targets).allSatisfy(
        each -> assertThat(polls.getOrDefault(each.target().name(), 0)).isGreaterThan(80));
  }

  @Test
  void poolOfAListThatKeepsFailing_isPolledInItsTurn() {
    var pools = IntStream.range(0, 20).mapToObj(each -> "eth_0x" + each).toList();
    var known = Map.of(
        "list", new KnownTarget(START, pools, 0, ByteBuffer.allocate(0)),
        "pool", new KnownTarget(START, pools.subList(0, 1), 0, ByteBuffer.allocate(0)));
    var targets = Stream.concat(Stream.of("list", "pool"), IntStream.range(0, 10).mapToObj(each -> "t" + each))
        .map(name -> watched(name, MINUTE, 1)).toList();
    var schedule = new Schedule(new WatchList(targets, List.of()), known::get, time);
    for (int poll = 0; poll < 40; poll++) {
      observe(schedule, due(schedule));
      advance(Duration.ofSeconds((long) (1 / DEMO_PLAN)));
    }

    var polls = pollsOfAWeek(schedule, due -> due.target().name().equals("list"));

    assertThat(polls.get("pool")).isGreaterThan(polls.get("t0") / 2);
  }

  /** Polls at the pace of a small plan for a week. Returns the number of polls of each target. */
  private Map<String, Integer> pollsOfAWeek(Schedule schedule, Predicate<DueTarget> fails) {
    var polls = new HashMap<String, Integer>();
    for (var end = now.plus(Duration.ofDays(7)); now.isBefore(end);) {
      var due = due(schedule);
      polls.merge(due.target().name(), 1, Integer::sum);
      if (fails.test(due)) {
        schedule.failed(due, now, List.of(), new Failure.ServerError("500"), 4, DEMO_PLAN, false);
        advance(Duration.ofSeconds((long) (4 / DEMO_PLAN)));
      } else {
        observe(schedule, due);
        advance(Duration.ofSeconds((long) (1 / DEMO_PLAN)));
      }
    }
    return polls;
  }

  @Test
  void refusedTargetsThatWereNeverObserved_leaveCallsToOthers() {
    var schedule = withRefused(20);

    var refused = 0;
    for (var due = due(schedule); !due.target().name().equals("good"); due = due(schedule)) {
      refused++;
      schedule.failed(due, now, List.of(), new Failure.NotFound("404"), 1, DEMO_PLAN, false);
      advance(Duration.ofSeconds((long) (1 / DEMO_PLAN)));
    }

    assertThat(refused).isBetween(20, 3 * 20);
  }

  @Test
  void refusedTarget_afterARestart_isPolledInTurn_andPausesAsLongAsBefore() {
    var schedule = withRefused(1);
    schedule.resumeRetry("refused0", new TargetRetry(12, START.plus(Duration.ofHours(5)), "404", true, null));

    assertThat(due(schedule).target().name()).isEqualTo("good");
    assertThat(schedule.next()).isNull();
    advance(MINUTE);
    schedule.failed(due(schedule), now, List.of(), new Failure.NotFound("404"), 1, 1, false);

    assertThat(schedule.retry("refused0").getFailures()).isEqualTo(13);
    assertThat(schedule.retry("refused0").getNextAt()).isAfterOrEqualTo(now.plus(Duration.ofHours(6)));
  }

  /** A target that was observed a minute ago, and some that never were. */
  private Schedule withRefused(int count) {
    var known = new KnownTarget(START.minus(MINUTE), List.of(), 0, ByteBuffer.allocate(0));
    var targets = Stream.concat(Stream.of(watched("good", MINUTE, 1)),
        IntStream.range(0, count).mapToObj(each -> watched("refused" + each, MINUTE, 1))).toList();
    return new Schedule(new WatchList(targets, List.of()), name -> name.equals("good") ? known : null, time);
  }

  @Test
  void answerThatLooksFinal_repeatsSlowDownToAFewTimesADay() {
    var schedule = steady(watched("a", MINUTE, 1));
    var days = new ArrayList<Long>();

    for (int day = 0; day < 5; day++) {
      var repeats = 0L;
      for (var end = now.plus(Duration.ofDays(1)); now.isBefore(end);) {
        var due = schedule.next();
        if (due != null) {
          repeats++;
          schedule.failed(due, now, List.of(), new Failure.NotInPlan("401 paid plans only"), 1, 1, false);
          assertThat(schedule.retry("a").getReason()).isEqualTo("401 paid plans only");
        }
        advance(schedule.untilNext(Duration.ofHours(1)).plusMillis(1));
      }
      days.add(repeats);
    }

    assertThat(days.getFirst()).isBetween(9L, 12L);
    assertThat(days.subList(1, 5)).allSatisfy(repeats -> assertThat(repeats).isBetween(3L, 4L));
  }

  @Test
  void repeatsOfManyTargets_takeAHundredthOfTheBudgetInTheLongRun() {
    var perSecond = 10_000.0 / Duration.ofDays(31).toSeconds();
    var schedule = steady(Stream.iterate(0, i -> i + 1).limit(30)
        .map(i -> watched("t" + i, MINUTE, 1)).toArray(WatchedTarget[]::new));
    var repeats = new AtomicInteger();

    for (var end = now.plus(Duration.ofDays(93)); now.isBefore(end);) {
      var due = schedule.next();
      if (due != null) {
        schedule.failed(due, now, List.of(), new Failure.BadRequest("400"), 1, perSecond, false);
        if (now.isAfter(end.minus(Duration.ofDays(31)))) {
          repeats.incrementAndGet();
        }
      } else {
        advance(schedule.untilNext(Duration.ofHours(1)).plusMillis(1));
      }
    }

    assertThat(repeats).as("of 10,000 calls").hasValueBetween(60, 100);
  }

  @Test
  void refusedLaterPage_listIsPolledWithoutIt_andItIsTriedAgain() {
    var schedule = steady(new WatchedTarget(new Target("main", "list", new Query.GlobalMarket(), 12), MINUTE, 1));
    var page = answer(null);

    schedule.failed(due(schedule), now, List.of(page, page), new Failure.NotInPlan("page 3"), 1, 1, false);
    advance(MINUTE);
    var again = due(schedule);
    assertThat(again.target().pages()).as("once is not final").isEqualTo(12);
    schedule.failed(again, now, List.of(page, page), new Failure.NotInPlan("page 3"), 1, 1, false);

    assertThat(schedule.retry("list").getPages()).isEqualTo(2);
    advance(MINUTE);
    var cut = due(schedule);
    assertThat(cut.target().pages()).isEqualTo(2);
    observe(schedule, cut);
    advance(MINUTE.multipliedBy(2));
    var whole = due(schedule);
    assertThat(whole.target().pages()).isEqualTo(12);
    observe(schedule, whole);
    assertThat(schedule.retry("list")).isNull();
  }

  @Test
  void agesOfAnswers_pollRightAfterTheRefresh() {
    var schedule = steady(watched("a", MINUTE, 1));
    var refresh = START.plusSeconds(17).minus(MINUTE);
    var late = new ArrayList<Duration>();

    poll(schedule, Duration.ofMinutes(30), due -> {
      var filled = refresh.plus(MINUTE.multipliedBy(Duration.between(refresh, now).dividedBy(MINUTE)));
      late.add(Duration.between(filled, now));
      return answer(Duration.ofSeconds(Duration.between(filled, now).toSeconds()));
    });

    assertThat(late).hasSizeBetween(29, 39);
    assertThat(late.subList(8, late.size())).allMatch(each -> each.compareTo(Duration.ofMillis(300)) < 0
        || each.compareTo(MINUTE.minusSeconds(1)) > 0);
    assertThat(late.subList(10, late.size())).filteredOn(each -> each.compareTo(Duration.ofMillis(300)) >= 0)
        .as("early").hasSizeLessThan(4);
  }

  /** As behind a cache that goes on answering with what is older than its period. */
  @Test
  void answersOlderThanAPeriod_leaveTheOthersTheirShare() {
    var schedule = steady(watched("old", MINUTE, 1), watched("fresh", MINUTE, 1));
    var polls = new HashMap<String, Integer>();

    for (var end = now.plus(Duration.ofHours(5)); now.isBefore(end);) {
      var due = schedule.next();
      if (due != null) {
        polls.merge(due.target().name(), 1, Integer::sum);
        var period = due.target().name().equals("old") ? 300 : 60;
        var age = Duration.between(START, now).plusSeconds(40).toSeconds() % period;
        schedule.observed(due, now, List.of(answer(Duration.ofSeconds(age))), 1);
      }
      advance(Duration.ofSeconds(due == null ? 1 : 20));
    }

    assertThat(polls.get("old")).isLessThan(480);
    assertThat(polls.get("fresh")).isGreaterThan(260);
  }

  @Test
  void poolJustShownByAList_isPolledAloneOnlyAfterItsNextRefresh() {
    var schedule = steady(watched("list", MINUTE, 1), pool("pool"));
    for (int k = 0; k < 2; k++) {
      var due = due(schedule);
      observe(schedule, due);
      schedule.learn(due.target().name(), new Shown(List.of("eth_0x1"), Set.of(), false));
    }
    advance(MINUTE);

    assertThat(due(schedule).target().name()).as("shows the pool, and itself").isEqualTo("list");
  }

  @Test
  void whatChangesMore_isPolledMore_withinTheSameBudget() {
    var schedule = steady(watched("quiet", MINUTE, 1), watched("busy", MINUTE, 1));
    var polls = new HashMap<String, Integer>();

    for (int k = 0; k < 600; k++) {
      advance(Duration.ofMinutes(2));
      var due = schedule.next();
      if (due != null) {
        polls.merge(due.target().name(), 1, Integer::sum);
        observe(schedule, due);
        schedule.learn(due.target().name(), new Shown(null, Set.of(), due.target().name().equals("busy")));
      }
    }

    assertThat(polls.get("busy")).isGreaterThan(2 * polls.get("quiet"));
    assertThat(polls.get("quiet")).isGreaterThan(20);
  }

  @Test
  void limitOfAge_pollsWhatIsHardlyWorthIt() {
    var list = new WatchList(
        List.of(watched("light", MINUTE, 0.001), watched("heavy", MINUTE, 1000)), List.of(), Duration.ofMinutes(10));
    var schedule = new Schedule(list, NOTHING_KNOWN, time);
    var light = new ArrayList<Instant>();
    var causes = new ArrayList<Schedule.PollCause>();

    for (int k = 0; k < 300; k++) {
      advance(MINUTE);
      var due = due(schedule);
      if (due.target().name().equals("light")) {
        light.add(now);
        causes.add(due.reason().cause());
      }
      observe(schedule, due);
    }

    assertThat(light).hasSizeBetween(29, 39);
    for (int k = 1; k < light.size(); k++) {
      assertThat(Duration.between(light.get(k - 1), light.get(k))).isLessThanOrEqualTo(Duration.ofMinutes(10));
    }
    assertThat(causes.subList(1, causes.size())).containsOnly(Schedule.PollCause.OVERDUE);
  }

  @Test
  void whatWasNeverObserved_isPolledBeforeWhatIsOverdueForHours() {
    var learned = steady(watched("any", MINUTE, 1)).learned("any");
    var list = new WatchList(
        List.of(watched("old", MINUTE, 1000), watched("new", MINUTE, 0.001)), List.of(), Duration.ofMinutes(10));
    var schedule = new Schedule(list, name -> name.equals("old")
        ? new KnownTarget(now.minus(Duration.ofDays(2)), List.of("a", "b", "c"), 0, learned)
        : null, time);

    assertThat(due(schedule).target().name()).isEqualTo("new");
  }

  @Test
  void limitOfAge_isKeptWhereTheNextRefreshWouldComeTooLate() {
    var fiveMinutes = Duration.ofMinutes(5);
    var list = new WatchList(
        List.of(watched("light", fiveMinutes, 0.001), watched("heavy", MINUTE, 1000)), List.of(),
        Duration.ofMinutes(8));
    var schedule = new Schedule(list, NOTHING_KNOWN, time);
    var light = new ArrayList<Instant>();

    for (int k = 0; k < 300; k++) {
      advance(MINUTE);
      var due = due(schedule);
      if (due.target().name().equals("light")) {
        light.add(now);
      }
      observe(schedule, due);
    }

    assertThat(light).hasSizeGreaterThan(36);
    for (int k = 1; k < light.size(); k++) {
      assertThat(Duration.between(light.get(k - 1), light.get(k))).isLessThanOrEqualTo(Duration.ofMinutes(8));
    }
  }

  @Test
  void whatWasLearned_survivesARestart() {
    var before = steady(watched("busy", MINUTE, 1), watched("quiet", MINUTE, 1));
    for (int k = 0; k < 100; k++) {
      advance(MINUTE);
      for (var due = before.next(); due != null; due = before.next()) {
        observe(before, due);
        var busy = due.target().name().equals("busy");
        before.learn(due.target().name(), new Shown(busy ? List.of("p") : null, busy ? Set.of("p") : Set.of(), busy));
      }
    }
    var learned = Map.of("busy", before.learned("busy"), "quiet", before.learned("quiet"));
    var after = new Schedule(new WatchList(List.of(watched("busy", MINUTE, 1), watched("quiet", MINUTE, 1)), List.of()),
        name -> new KnownTarget(now, name.equals("busy") ? List.of("p") : List.of(), 0,
            Objects.requireNonNull(learned.get(name))),
        time);
    advance(MINUTE.plusSeconds(1));

    var first = due(after);
    var second = due(after);

    assertThat(first.target().name()).isEqualTo("busy");
    assertThat(first.reason().values().value()).isGreaterThan(10 * second.reason().values().value());
    assertThat(after.learned("busy").remaining()).isEqualTo(before.learned("busy").remaining());
  }

  @Test
  void reason_namesTheDearestResource() {
    var schedule = steady(pool("pool"));
    var first = due(schedule);
    observe(schedule, first);
    schedule.learn("pool", new Shown(List.of("eth_0x1"), Set.of(), false));
    advance(MINUTE);

    assertThat(due(schedule).reason().toString())
        .contains("1 of its resources unobserved for up to 60 s", "most valuable: pool eth_0x1");
    assertThat(first.reason().cause()).isEqualTo(Schedule.PollCause.NEVER_OBSERVED);
  }

  @Test
  void targetWatchedLater_isDueAtOnce() {
    var schedule = steady(watched("a", MINUTE, 1));
    observe(schedule, due(schedule));
    advance(Duration.ofSeconds(10));

    schedule.watch(watched("b", MINUTE, 1), null);

    assertThat(due(schedule).target().name()).isEqualTo("b");
  }

  @Test
  void targetNotWatchedAnyMore_isNotDue_evenIfItWasBeingPolled() {
    var schedule = steady(watched("a", MINUTE, 1), watched("b", MINUTE, 1));
    var polled = due(schedule);

    schedule.unwatch("a");
    schedule.unwatch("b");
    schedule.requeue(polled);
    advance(Duration.ofDays(1));

    assertThat(schedule.next()).isNull();
  }

  @Test
  void targetWatchedAgain_countsAsObservedWhenItWas() {
    var schedule = steady(watched("a", MINUTE, 1));
    observe(schedule, due(schedule));
    advance(Duration.ofHours(10));
    schedule.unwatch("a");

    schedule.watch(watched("a", MINUTE, 1),
        new KnownTarget(time.now().minusSeconds(5), List.of(), 0, ByteBuffer.allocate(0)));
    advance(MINUTE);

    assertThat(due(schedule).reason().values().longest()).isLessThan(3600);
  }

  @Test
  void weightOfATarget_changesWithoutAnotherPollOfIt() {
    var schedule = steady(watched("a", MINUTE, 1));
    var polled = due(schedule);

    schedule.watch(watched("a", MINUTE, 5), null);

    assertThat(schedule.next()).as("while it is polled").isNull();
    observe(schedule, polled);
    assertThat(schedule.learned("a").hasRemaining()).isTrue();
  }

  @Test
  void targetWatchedAgain_isDueAgain() {
    var schedule = steady(watched("a", MINUTE, 1));
    observe(schedule, due(schedule));
    schedule.unwatch("a");
    advance(MINUTE.multipliedBy(10));
    assertThat(schedule.next()).isNull();

    schedule.watch(watched("a", MINUTE, 1), null);
    advance(MINUTE);

    assertThat(due(schedule).target().name()).isEqualTo("a");
  }

  @Test
  void poolNotWatchedCloselyAnyMore_isPolledWithItsListOnly() {
    var schedule = steady(watched("list", MINUTE, 1));
    observe(schedule, due(schedule));
    schedule.learn("list", new Shown(List.of("eth_0x1"), Set.of(), false));
    schedule.watch(new WatchedTarget(pool("pool").target(), MINUTE, 5), null);
    observe(schedule, due(schedule));
    schedule.learn("pool", new Shown(List.of("eth_0x1"), Set.of(), false));
    advance(MINUTE);
    for (var due = schedule.next(); due != null; due = schedule.next()) {
      observe(schedule, due);
    }
    schedule.unwatch("pool");
    advance(MINUTE);

    assertThat(due(schedule).target().name()).isEqualTo("list");
    assertThat(schedule.next()).isNull();
  }

  @Test
  void history_goesBackFromTheNewestAvailableDay() {
    assertThat(daysPolled(history(3, NOTHING_KNOWN), Duration.ofHours(3)))
        .containsExactly("2026-03-09", "2026-03-08", "2026-03-07");
  }

  @Test
  void dayJustOver_isNotThereBefore0035() {
    now = Instant.parse("2026-03-10T00:34:59Z");
    assertThat(due(history(1, NOTHING_KNOWN)).target().name()).isEqualTo("2026-03-08");
    advance(Duration.ofSeconds(1));
    assertThat(due(history(1, NOTHING_KNOWN)).target().name()).isEqualTo("2026-03-09");
  }

  @Test
  void watchedDays_areThoseUpToTheNewestThatIsAvailable() {
    var history = new WatchedHistory("bitcoin", 2, MINUTE, ScheduleTest::day);
    var days = LocalDate.parse("2026-03-06").datesUntil(LocalDate.parse("2026-03-11")).toList();

    assertThat(days).filteredOn(day -> history.has(day, Instant.parse("2026-03-10T00:34:59Z")))
        .extracting(LocalDate::toString).containsExactly("2026-03-07", "2026-03-08");
    assertThat(days).filteredOn(day -> history.has(day, Instant.parse("2026-03-10T00:35:00Z")))
        .extracting(LocalDate::toString).containsExactly("2026-03-08", "2026-03-09");
  }

  @Test
  void newDay_isPolledOnceAndOnceMoreADayLater() {
    var schedule = history(2, NOTHING_KNOWN);
    daysPolled(schedule, Duration.ofHours(1));

    assertThat(daysPolled(schedule, Duration.ofDays(2)))
        .containsExactly("2026-03-10", "2026-03-09", "2026-03-11", "2026-03-10");
  }

  @Test
  void dayObservedBefore_isNotPolledAgain() {
    var known = new KnownTarget(START.minusSeconds(60), List.of(), 0, ByteBuffer.allocate(0));

    assertThat(daysPolled(history(2, day -> day.equals("2026-03-08") ? known : null), Duration.ofHours(3)))
        .containsExactly("2026-03-09");
  }

  @Test
  void historyBeyondThePlan_isPutAsideThere_andTriedAgain() {
    var schedule = history(300, NOTHING_KNOWN);
    observe(schedule, due(schedule));
    advance(MINUTE);

    schedule.failed(due(schedule), now, List.of(), new Failure.NotInPlan("10012"), 1, 1, false);

    assertThat(schedule.untilNext(MINUTE)).isEqualTo(MINUTE);
    assertThat(daysPolled(schedule, Duration.ofHours(12))).first().isEqualTo("2026-03-08");
  }

  @Test
  void dayThatIsNotFound_isAskedAgainAfterGrowingPauses() {
    var asked = askedDays(history(3, NOTHING_KNOWN), Duration.ofHours(12), 1, day -> day.equals("2026-03-08"));

    var times = asked.get("2026-03-08");
    var pauses = IntStream.range(1, times.size())
        .mapToObj(each -> Duration.between(times.get(each - 1), times.get(each))).toList();
    assertThat(pauses).hasSizeGreaterThan(7);
    IntStream.range(0, pauses.size()).forEach(each -> assertThat(pauses.get(each)).isBetween(
        Duration.ofMinutes(1L << each),
        Duration.ofMinutes(1L << each).multipliedBy(5).dividedBy(4).plus(MINUTE.multipliedBy(2))));
    assertThat(asked.get("2026-03-07")).as("other days go on").hasSize(1);
  }

  /** A coin has no days before it was listed. */
  @Test
  void manyDaysNotFound_areAllAskedAgain_andDelayNoNewDay() {
    var listed = "2026-03-06";
    var schedule = history(40, NOTHING_KNOWN);
    var asked = askedDays(schedule, Duration.ofDays(25), DEMO_PLAN, day -> day.compareTo(listed) < 0);

    for (var day = LocalDate.parse("2026-03-10"); day.isBefore(LocalDate.parse("2026-04-03")); day = day.plusDays(1)) {
      var available = day.plusDays(1).atTime(0, 35).toInstant(UTC);
      assertThat(asked.get(day.toString()).getFirst()).as("%s", day)
          .isBetween(available, available.plus(MINUTE.multipliedBy(2)));
    }
    for (var day = LocalDate.parse("2026-03-01"); day.isBefore(LocalDate.parse(listed)); day = day.plusDays(1)) {
      assertThat(asked.get(day.toString())).as("%s, which is watched to the end", day).hasSizeGreaterThan(1);
    }
    var calls = asked.values().stream().flatMap(List::stream).filter(at -> at.isAfter(START.plus(Duration.ofDays(5))))
        .count();
    assertThat(calls).as("20 days: twice each new day, and at most a few retries").isLessThan(20 * (2 + 5));
    assertThat(asked).containsKeys("2026-02-12", "2026-02-20");
    assertThat(schedule.retry("2026-03-01")).isNotNull();
    assertThat(List.of("2026-02-12", "2026-02-20")).as("not watched any more")
        .allSatisfy(day -> assertThat(schedule.retry(day)).isNull());
  }

  @Test
  void newDayLateByMinutes_isAskedAgainSoonDespiteManyNotFound() {
    Function<String, Instant> knownFrom = day -> LocalDate.parse(day).plusDays(1).atTime(0, 45).toInstant(UTC);
    var asked = askedDays(history(40, NOTHING_KNOWN), Duration.ofDays(10), DEMO_PLAN,
        day -> day.compareTo("2026-03-06") < 0 || now.isBefore(knownFrom.apply(day)));

    for (var day = LocalDate.parse("2026-03-10"); day.isBefore(LocalDate.parse("2026-03-18")); day = day.plusDays(1)) {
      var from = knownFrom.apply(day.toString());
      assertThat(asked.get(day.toString())).as("%s", day)
          .anyMatch(at -> !at.isBefore(from) && at.isBefore(from.plus(MINUTE.multipliedBy(12))));
    }
  }

  /** When each day was asked; the service does not know some of them. */
  private Map<String, List<Instant>> askedDays(
      Schedule schedule, Duration during, double callsPerSecond, Predicate<String> isUnknown) {
    var asked = new TreeMap<String, List<Instant>>();
    for (var end = now.plus(during); now.isBefore(end); advance(Duration.ofSeconds(20))) {
      for (var due = schedule.next(); due != null; due = schedule.next()) {
        asked.computeIfAbsent(due.target().name(), any -> new ArrayList<>()).add(now);
        if (isUnknown.test(due.target().name())) {
          schedule.failed(due, now, List.of(), new Failure.NotFound("404"), 1, callsPerSecond, false);
        } else {
          observe(schedule, due);
        }
      }
    }
    return asked;
  }

  @Test
  void oneDayThatIsRefused_doesNotEndTheDaysBeforeIt() {
    var schedule = history(4, NOTHING_KNOWN);

    var refused = due(schedule);
    schedule.failed(refused, now, List.of(), new Failure.BadRequest("422"), 1, 1, false);

    assertThat(schedule.retry(refused.target().name()).getReason()).isEqualTo("422");
    assertThat(daysPolled(schedule, Duration.ofHours(3)))
        .containsExactlyInAnyOrder("2026-03-09", "2026-03-08", "2026-03-07", "2026-03-06");
  }

  private void advance(Duration by) {
    now = now.plus(by);
    nanos += by.toNanos();
  }

  private void observe(Schedule schedule, DueTarget due) {
    schedule.observed(due, now, List.of(), 1);
  }

  private static DueTarget due(Schedule schedule) {
    return Objects.requireNonNull(schedule.next());
  }

  private void poll(Schedule schedule, Duration during, Function<DueTarget, Answer<?>> answers) {
    for (var end = now.plus(during); now.isBefore(end); advance(Duration.ofMillis(10))) {
      for (var due = schedule.next(); due != null; due = schedule.next()) {
        schedule.observed(due, now, List.of(answers.apply(due)), 1);
        schedule.learn(due.target().name(), new Shown(null, Set.of(), true));
      }
    }
  }

  private Answer<?> answer(@Nullable Duration age) {
    return answer(now, now, age);
  }

  private static Answer<?> answer(Instant sent, Instant received, @Nullable Duration age) {
    return new Answer<>(new Query.GlobalMarket(), Body.of(null), "", sent, received, null, null, null, age);
  }

  private Schedule steady(WatchedTarget... watched) {
    return new Schedule(new WatchList(List.of(watched), List.of()), NOTHING_KNOWN, time);
  }

  private Schedule history(int days, Function<String, @Nullable KnownTarget> known) {
    return new Schedule(
        new WatchList(List.of(), List.of(new WatchedHistory("bitcoin", days, MINUTE, ScheduleTest::day))), known, time);
  }

  private static Target day(LocalDate date) {
    return new Target("main", date.toString(), new Query.CoinHistory("bitcoin", date, true), 1);
  }

  private static WatchedTarget pool(String name) {
    return new WatchedTarget(
        new Target("main", name, new Query.PoolByAddress("eth", "0x1", Set.of(), false, false), 1), MINUTE, 1);
  }

  static WatchedTarget watched(String name, Duration period, double weight) {
    return new WatchedTarget(new Target("main", name, new Query.GlobalMarket(), 1), period, weight);
  }

  private List<String> daysPolled(Schedule schedule, Duration during) {
    var days = new ArrayList<String>();
    for (var end = now.plus(during); now.isBefore(end); advance(Duration.ofSeconds(30))) {
      var due = schedule.next();
      if (due != null) {
        days.add(due.target().name());
        observe(schedule, due);
      }
    }
    return days;
  }
}
