package io.tidemark.capture.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.poll.RemainingBudget.KeyStatus;
import io.tidemark.event.Budget;
import io.tidemark.market.ServiceClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class BudgetLimiterTest {

  static final long PLENTY = 1_000_000_000;
  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Instant NEW_YEAR = Instant.EPOCH;

  final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  final PollClock time = PollFixtures.clock(timer);
  final ServiceClock service = new ServiceClock(time.nanos());
  final List<Instant> sent = new ArrayList<>();
  final List<Budget> reserved = new ArrayList<>();
  boolean owned = true;

  @BeforeEach
  void dateOfTheService() {
    service.update(time.now());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void randomBlocksAndDelays_noSixtySecondsEverHoldMore(long seed) {
    var limiter = limiter(PollFixtures.plan(30, PLENTY), 0);
    var random = new Random(seed);

    Flux.range(0, 400)
        .flatMap(i -> snapshot(limiter, 1 + random.nextInt(12), Duration.ofMillis(random.nextInt(9_000))), 4)
        .subscribe();
    timer.advanceTimeBy(Duration.ofMinutes(60));

    assertThat(sent).hasSizeGreaterThan(1_000)
        .allSatisfy(from -> assertThat(within(MINUTE, from)).isLessThanOrEqualTo(30));
  }

  @Test
  void saturated_nearlyAllOfTheMinuteIsUsed() {
    var limiter = limiter(PollFixtures.plan(100, PLENTY), 0);

    Flux.range(0, 10_000).flatMap(i -> snapshot(limiter, 1, Duration.ofMillis(200)), 8).subscribe();
    timer.advanceTimeBy(Duration.ofMinutes(61));

    assertThat(sent.size()).isBetween(5_900, 6_100);
  }

  @Test
  void blockThatDoesNotFit_waitsWhole() {
    var limiter = limiter(PollFixtures.plan(10, PLENTY), 0);

    snapshot(limiter, 8, Duration.ZERO).subscribe();
    snapshot(limiter, 3, Duration.ZERO).subscribe();

    assertThat(sent).hasSize(8);
    timer.advanceTimeBy(MINUTE.plusSeconds(1));
    assertThat(sent).hasSize(11);
  }

  @Test
  void blockLargerThanAMinute_isSpreadOverMinutes() {
    var limiter = limiter(PollFixtures.plan(10, PLENTY), 0);

    snapshot(limiter, 25, Duration.ZERO).subscribe();
    timer.advanceTimeBy(Duration.ofMinutes(3));

    assertThat(sent).hasSize(25);
    assertThat(Duration.between(sent.getFirst(), sent.getLast())).isGreaterThan(MINUTE.multipliedBy(2));
  }

  @Test
  void unusedCalls_areReleased() {
    var limiter = limiter(PollFixtures.plan(10, PLENTY), 0);
    limiter.acquire(10).doOnNext(Permits::close).subscribe();

    snapshot(limiter, 10, Duration.ZERO).subscribe();

    assertThat(sent).hasSize(10);
  }

  @Test
  void remaining_isCountedByMinuteAndByMonth() {
    var limiter = limiter(PollFixtures.plan(10, 1_000), 0);
    snapshot(limiter, 4, Duration.ZERO).subscribe();

    var remaining = limiter.remaining();
    timer.advanceTimeBy(MINUTE.plusSeconds(1));

    assertThat(remaining)
        .extracting(RemainingBudget::minuteLimit, RemainingBudget::minuteRemaining, RemainingBudget::monthRemaining,
            RemainingBudget::sent)
        .containsExactly(10, 6, 996L, 4L);
    assertThat(remaining.lastsFor()).as("996 calls at 4 a minute").isEqualTo(Duration.ofMinutes(249));
    assertThat(limiter.remaining().minuteRemaining()).isEqualTo(10);
    assertThat(limiter.remaining().lastsFor()).as("nothing is spent").isGreaterThan(Duration.ofDays(365));
  }

  @Test
  void creditsUsedUp_nothingRemainsUntilTheMonthEnds() {
    var limiter = limiter(PollFixtures.plan(10, 1_000), 0);

    limiter.refused(0, KeyStatus.USED_UP, "10,000 calls");

    assertThat(limiter.remaining().monthRemaining()).isZero();
    assertThat(limiter.remaining().lastsFor()).isZero();
    timer.advanceTimeBy(Duration.ofDays(32));
    assertThat(limiter.remaining().monthRemaining()).isEqualTo(1_000);
  }

  @Test
  void retry_comesBeforeAllThatWait() {
    var limiter = limiter(PollFixtures.plan(10, PLENTY), 0);
    var order = new ArrayList<String>();
    var retried = limiter.acquire(1).block();
    snapshot(limiter, 9, Duration.ZERO).subscribe();
    retried.awaitNext().subscribe();
    limiter.acquire(10).subscribe(grant -> order.add("snapshot"));

    retried.awaitNext().doOnSuccess(done -> order.add("retry")).subscribe();
    timer.advanceTimeBy(MINUTE.plusSeconds(1));
    retried.close();
    timer.advanceTimeBy(MINUTE.plusSeconds(1));

    assertThat(order).containsExactly("retry", "snapshot");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 9, 10, 25})
  void retriedBlocksOfAWholeMinute_allLeave_withinTheMinuteLimit(int block) {
    var limiter = limiter(PollFixtures.plan(10, PLENTY), 0);

    Flux.range(0, 10).flatMap(i -> snapshot(limiter, block, 2 * block, Duration.ofMillis(500)), 8).subscribe();
    timer.advanceTimeBy(MINUTE.multipliedBy(3L * block));

    assertThat(sent).hasSize(20 * block);
    assertThat(sent).allSatisfy(from -> assertThat(within(MINUTE, from)).isLessThanOrEqualTo(10));
  }

  @Test
  void retryWhereThePenaltyShrankTheMinuteBelowItsBlock_isPermitted() {
    var limiter = limiter(PollFixtures.plan(10, PLENTY), 0);
    var grant = limiter.acquire(10).block();
    grant.awaitNext().subscribe();
    limiter.penalise(0, Duration.ofSeconds(1));

    grant.awaitNext().doOnSuccess(done -> sent.add(time.now())).subscribe();
    timer.advanceTimeBy(MINUTE.plusSeconds(1));

    assertThat(sent).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {10, PLENTY})
  void tooManyCalls_permittedCallsWaitForTheEndOfThePause_andCountOnce(long perMonth) {
    var limiter = limiter(PollFixtures.plan(10, perMonth), 0);
    snapshot(limiter, 10, Duration.ofSeconds(1)).subscribe();
    timer.advanceTimeBy(Duration.ofMillis(3_500));

    limiter.penalise(0, MINUTE);
    timer.advanceTimeBy(MINUTE.minusMillis(1));
    assertThat(sent).hasSize(3);
    timer.advanceTimeBy(MINUTE);

    assertThat(sent).hasSize(10);
    assertThat(limiter.remaining().monthRemaining()).isEqualTo(perMonth - 10);
    limiter.settleReservation().subscribe();
    assertThat(reserved.getLast().getReserved()).isEqualTo(10);
  }

  @Test
  void month_isPacedEvenlyAndNeverExceeded() {
    var limiter = limiter(PollFixtures.plan(30, 10_000), 0);

    Flux.range(0, 20_000).concatMap(i -> snapshot(limiter, 1 + i % 10, Duration.ZERO), 1).subscribe();
    timer.advanceTimeBy(Duration.ofDays(15).plusHours(12));
    var halfway = sent.size();
    timer.advanceTimeBy(Duration.ofDays(15).plusHours(11));

    assertThat(halfway).isBetween(4_950, 5_050);
    assertThat(sent.size()).isBetween(9_900, 10_000);
  }

  @Test
  void firstRoundEver_goesAtTheMinutesRate() {
    var limiter = limiter(PollFixtures.plan(30, 10_000), 40);

    Flux.range(0, 60).concatMap(i -> snapshot(limiter, 1, Duration.ZERO), 1).subscribe();
    timer.advanceTimeBy(Duration.ofMinutes(2));

    assertThat(sent).hasSize(40);
  }

  @Test
  void firstRoundEver_takesAtMostAHundredthOfTheMonth() {
    var limiter = limiter(PollFixtures.plan(500, 10_000), 400);

    Flux.range(0, 400).concatMap(i -> snapshot(limiter, 1, Duration.ZERO), 1).subscribe();
    timer.advanceTimeBy(MINUTE);

    assertThat(sent).hasSize(100);
  }

  @Test
  void firstPollsOfLaterSessions_goAtTheMinutesRateToo() {
    var before = Budget.newBuilder()
        .setMonth(NEW_YEAR).setPerMonth(10_000).setPerMinute(30).setReserved(20).setReservedAt(NEW_YEAR)
        .setKeys(List.of()).build();
    var limiter =
        new BudgetLimiter(PollFixtures.plan(30, 10_000), before, 40, this::reserve, () -> true, service, time);

    Flux.range(0, 60).concatMap(i -> snapshot(limiter, 1, Duration.ZERO), 1).subscribe();
    timer.advanceTimeBy(Duration.ofMinutes(2));

    assertThat(sent).hasSize(40);
  }

  /** As after sessions that ended before they committed their first polls. */
  @Test
  void firstPollsOfASourceThatIsAheadOfItsPace_waitForTheMonthsPace() {
    var before = Budget.newBuilder()
        .setMonth(NEW_YEAR).setPerMonth(10_000).setPerMinute(30).setReserved(200).setReservedAt(NEW_YEAR)
        .setKeys(List.of()).build();
    var limiter =
        new BudgetLimiter(PollFixtures.plan(30, 10_000), before, 40, this::reserve, () -> true, service, time);

    Flux.range(0, 60).concatMap(i -> snapshot(limiter, 1, Duration.ZERO), 1).subscribe();
    timer.advanceTimeBy(Duration.ofMinutes(2));

    assertThat(sent).hasSize(1);
  }

  /** As while Kafka rejects what the polls have changed. */
  @ParameterizedTest
  @CsvSource({"30, 10000, 1", "30, 10000, 10", "500, 500000, 1", "500, 500000, 10"})
  void sessionsThatKeepFailing_reserveAboutWhatThePaceAllows(int perMinute, long perMonth, int block) {
    var limits = PollFixtures.plan(perMinute, perMonth);
    var limiter = limiter(limits, 0);
    for (int session = 0; session < 200; session++) {
      var owner = limiter;
      var polling = Flux.range(0, 1_000).concatMap(i -> snapshot(owner, block, Duration.ZERO), 1).subscribe();
      timer.advanceTimeBy(Duration.ofSeconds(2));
      polling.dispose();
      timer.advanceTimeBy(Duration.ofSeconds(31));
      limiter = after(limits, reserved.getLast());
    }

    var pace = perMonth * 200 * 33 / Duration.ofDays(31).toSeconds();
    assertThat(reserved.getLast().getReserved()).isBetween(pace / 2, 2 * (pace + block));
  }

  @Test
  void restart_continuesThePace_andPollsAtOnceIfItAllows() {
    var limits = PollFixtures.plan(30, 10_000);
    var first = limiter(limits, 0);
    snapshot(first, 1, Duration.ZERO).subscribe();
    timer.advanceTimeBy(MINUTE);
    first.settleReservation().subscribe();

    var second = after(limits, reserved.getLast());
    snapshot(second, 1, Duration.ZERO).subscribe();
    timer.advanceTimeBy(MINUTE.multipliedBy(3));
    assertThat(sent).as("10,000 a month is one in 4 minutes and a half").hasSize(1);
    timer.advanceTimeBy(MINUTE);
    assertThat(sent).hasSize(2);

    second.settleReservation().subscribe();
    timer.advanceTimeBy(MINUTE.multipliedBy(5));
    snapshot(after(limits, reserved.getLast()), 1, Duration.ZERO).subscribe();
    assertThat(sent).hasSize(3);
  }

  @Test
  void share_limitsMinuteAndMonth() {
    var limiter = limiter(PollFixtures.plan(100, 1_000, 0.1, 0, 1), 1_000);

    Flux.range(0, 400).concatMap(i -> snapshot(limiter, 1, Duration.ZERO), 1).subscribe();

    assertThat(sent).hasSize(1);
    timer.advanceTimeBy(Duration.ofDays(30));
    assertThat(sent.size()).isBetween(95, 100);
  }

  @Test
  void spentByOthers_isNotSpentAgain() {
    var limiter = limiter(PollFixtures.plan(30, 100, 1, 99, 1), 50);

    Flux.range(0, 10).concatMap(i -> snapshot(limiter, 1, Duration.ZERO), 1).subscribe();
    timer.advanceTimeBy(Duration.ofDays(30));

    assertThat(sent).hasSize(1);
  }

  @Test
  void creditsUsedUp_singleCallsAreTriedRarely_untilTheMonthEnds() {
    var limiter = limiter(PollFixtures.plan(30, 10_000, 1, 0, 10), 0);

    limiter.refused(0, KeyStatus.USED_UP, "10,000 calls");
    snapshot(limiter, 1, Duration.ZERO).repeat(999).subscribe();
    timer.advanceTimeBy(Duration.ofDays(2));
    var first = sent.size();
    timer.advanceTimeBy(Duration.ofDays(7).minusMinutes(1));

    assertThat(first).isBetween(10, 20);
    assertThat(sent.size() - first).as("a hundredth of the plan").isBetween(20, 23);
    timer.advanceTimeBy(Duration.ofHours(3));
    assertThat(sent.size() - first).isGreaterThan(30);
  }

  @Test
  void penalty_pausesThenCostsATenthThatGrowsBack() {
    var limiter = limiter(PollFixtures.plan(100, PLENTY), 0);

    limiter.penalise(0, Duration.ofSeconds(119));
    limiter.penalise(0, null);
    snapshot(limiter, 1, Duration.ZERO).subscribe();
    timer.advanceTimeBy(Duration.ofSeconds(118));

    assertThat(sent).isEmpty();
    timer.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(sent).hasSize(1);
    assertThat(limiter.minuteLimit()).isEqualTo(90);
    timer.advanceTimeBy(Duration.ofMinutes(5));
    assertThat(limiter.minuteLimit()).isEqualTo(95);
  }

  @Test
  void permittedCalls_wereReservedBefore() {
    var limiter = limiter(PollFixtures.plan(30, 10_000), 0);

    snapshot(limiter, 10, Duration.ZERO).subscribe();

    assertThat(reserved).hasSize(1);
    assertThat(reserved.getFirst().getReserved()).isEqualTo(10);
    assertThat(reserved.getFirst().getMonth()).isEqualTo(NEW_YEAR);
  }

  @Test
  void nextOwner_countsAllThatWasReservedAsSpent() {
    var before = Budget.newBuilder()
        .setMonth(NEW_YEAR).setPerMonth(10).setPerMinute(30).setReserved(9).setReservedAt(NEW_YEAR).setKeys(List.of())
        .build();
    var limiter = new BudgetLimiter(PollFixtures.plan(30, 10), before, 10, this::reserve, () -> true, service, time);

    Flux.range(0, 5).concatMap(i -> snapshot(limiter, 1, Duration.ZERO), 1).subscribe();
    timer.advanceTimeBy(Duration.ofDays(30));

    assertThat(sent).hasSize(1);
  }

  @Test
  void settled_onlyWhatWasSpentStaysReserved() {
    var limiter = limiter(PollFixtures.plan(1_000, 1_000_000), 0);
    snapshot(limiter, 3, Duration.ZERO).subscribe();
    timer.advanceTimeBy(MINUTE);
    snapshot(limiter, 1, Duration.ZERO).subscribe();

    limiter.settleReservation().subscribe();

    assertThat(reserved).extracting(Budget::getReserved)
        .as("the second time, as many ahead as were answered").containsExactly(3L, 6L, 4L);
  }

  @Test
  void reservationFails_nothingIsPermitted() {
    Function<Budget, Mono<Void>> fails = budget -> Mono.error(new IllegalStateException("fenced"));
    var limiter = new BudgetLimiter(PollFixtures.plan(30, 10_000), null, 0, fails, () -> true, service, time);
    var failures = new ArrayList<Throwable>();

    limiter.acquire(1).subscribe(grant -> {}, failures::add);

    assertThat(failures).hasSize(1).allSatisfy(failure -> assertThat(failure).hasMessage("fenced"));
  }

  @Test
  void sessionAfterAnOrderlyEnd_waitsForTheRestOfTheMinuteOnly() {
    var limiter = limiter(PollFixtures.plan(10, PLENTY), 0);
    snapshot(limiter, 10, Duration.ZERO).subscribe();
    timer.advanceTimeBy(Duration.ofSeconds(40));
    limiter.settleReservation().subscribe();

    snapshot(after(reserved.getLast()), 1, Duration.ZERO).subscribe();
    timer.advanceTimeBy(Duration.ofSeconds(20));

    assertThat(sent).hasSize(10);
    timer.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(sent).hasSize(11);
  }

  @Test
  void orderlyEndAWhileAgo_nothingIsWaitedFor() {
    var limiter = limiter(PollFixtures.plan(10, PLENTY), 0);
    snapshot(limiter, 10, Duration.ZERO).subscribe();
    limiter.settleReservation().subscribe();
    timer.advanceTimeBy(MINUTE.plusSeconds(4));

    snapshot(after(reserved.getLast()), 10, Duration.ZERO).subscribe();

    assertThat(sent).hasSize(20);
  }

  @Test
  void crashAfterReserving_allReservedCallsCountAsJustMade() {
    var limiter = limiter(PollFixtures.plan(120, PLENTY), 0);
    snapshot(limiter, 4, Duration.ZERO).subscribe();
    timer.advanceTimeBy(Duration.ofSeconds(3));
    snapshot(limiter, 1, Duration.ZERO).subscribe();
    timer.advanceTimeBy(Duration.ofSeconds(1));

    var next = after(reserved.getLast());
    snapshot(next, 113, Duration.ZERO).subscribe();

    assertThat(reserved.getLast().getReserved()).isEqualTo(8);
    assertThat(sent).hasSize(5);
    snapshot(after(limiter.budget()), 112, Duration.ZERO).subscribe();
    assertThat(sent).as("counted a moment before its death").hasSize(117);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void ownersCrashAtAnyTime_minuteAndMonthLimitsHold(long seed) {
    var random = new Random(seed);
    var limits = PollFixtures.plan(60, 2_000);
    timer.advanceTimeBy(Duration.ofDays(31).minusMinutes(30)); // so that the month's pace allows many calls
    var limiter = limiter(limits, 500);
    for (int session = 0; session < 40; session++) {
      var owner = limiter;
      var polling = Flux.range(0, 1_000)
          .flatMap(i -> snapshot(owner, 1 + random.nextInt(9), Duration.ofMillis(random.nextInt(900))), 4)
          .subscribe();
      var counted = owner.budget();
      for (int tick = random.nextInt(50); tick > 0; tick--) {
        timer.advanceTimeBy(Duration.ofSeconds(1));
        counted = owner.budget();
      }
      timer.advanceTimeBy(Duration.ofMillis(random.nextInt(1_000)));
      polling.dispose();
      var last = newest(counted);
      timer.advanceTimeBy(Duration.ofMillis(random.nextInt(12_000)));
      limiter = after(limits, last);
    }

    assertThat(sent).hasSizeBetween(100, 2_000);
    assertThat(sent).allSatisfy(from -> assertThat(within(MINUTE, from)).isLessThanOrEqualTo(60));
  }

  @Test
  void leaseNotHeld_nothingIsPermittedUntilItIsAgain() {
    var limiter = limiter(PollFixtures.plan(10, PLENTY), 0);
    owned = false;

    snapshot(limiter, 3, 4, Duration.ZERO).subscribe();
    timer.advanceTimeBy(MINUTE);

    assertThat(sent).isEmpty();
    owned = true;
    timer.advanceTimeBy(Duration.ofMillis(200));
    assertThat(sent).hasSize(4);
  }

  @Test
  void sourceLostInTheMiddleOfASnapshot_theRestStays() {
    var limiter = limiter(PollFixtures.plan(10, PLENTY), 0);
    snapshot(limiter, 5, Duration.ofSeconds(1)).subscribe();
    timer.advanceTimeBy(Duration.ofMillis(2_500));

    owned = false;
    timer.advanceTimeBy(MINUTE);

    assertThat(sent).hasSize(2);
  }

  /** What is in Kafka of two records: that which was committed last says more. */
  private Budget newest(Budget counted) {
    var last = reserved.getLast();
    return last.getReserved() > counted.getReserved() || last.getCountedAt().isAfter(counted.getCountedAt())
        ? last
        : counted;
  }

  private BudgetLimiter after(Budget before) {
    return after(PollFixtures.plan((int) before.getPerMinute(), PLENTY), before);
  }

  private BudgetLimiter after(PlanLimits limits, Budget before) {
    return new BudgetLimiter(limits, before, 0, this::reserve, () -> owned, service, time);
  }

  private BudgetLimiter limiter(PlanLimits limits, int round) {
    return new BudgetLimiter(limits, null, round, this::reserve, () -> owned, service, time);
  }

  private Mono<Void> reserve(Budget budget) {
    return Mono.fromRunnable(() -> reserved.add(budget));
  }

  /** Makes so many calls, each after a delay. */
  private Mono<Void> snapshot(BudgetLimiter limiter, int calls, Duration delay) {
    return snapshot(limiter, calls, calls, delay);
  }

  private Mono<Void> snapshot(BudgetLimiter limiter, int granted, int calls, Duration delay) {
    return limiter.acquire(granted).flatMap(grant -> Flux.range(0, calls)
        .concatMap(i -> pause(delay).then(grant.awaitNext()).then(Mono.fromRunnable(() -> sent.add(time.now()))), 1)
        .then()
        .doFinally(signal -> grant.close()));
  }

  private Mono<Void> pause(Duration delay) {
    return delay.isZero() ? Mono.empty() : Mono.delay(delay, timer).then();
  }

  private long within(Duration span, Instant from) {
    return sent.stream().filter(at -> !at.isBefore(from) && at.isBefore(from.plus(span))).count();
  }
}
