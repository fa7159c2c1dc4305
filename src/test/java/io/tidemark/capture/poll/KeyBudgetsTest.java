package io.tidemark.capture.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.capture.poll.PlanLimits.KeyLimits;
import io.tidemark.capture.poll.RemainingBudget.KeyStatus;
import io.tidemark.event.Budget;
import io.tidemark.event.KeyUsage;
import io.tidemark.market.ServiceClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class KeyBudgetsTest {

  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Duration MONTH = Duration.ofDays(31);
  static final long TRIAL = KeyBudget.FIRST_TRIAL.toNanos();
  static final List<KeyLimits> UNEQUAL = List.of(new KeyLimits("small", 10, 300), new KeyLimits("large", 40, 900));
  static final List<KeyLimits> EQUAL = List.of(new KeyLimits("one", 30, 10_000), new KeyLimits("two", 30, 10_000));

  final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  final PollClock time = PollFixtures.clock(timer);
  final List<Call> sent = new ArrayList<>();
  private Budget inKafka;
  /** Until when the service refuses each key. */
  final Instant[] refusedUntil = {Instant.EPOCH, Instant.EPOCH};

  record Call(int key, Instant at) {}

  /** Sessions that crash at any time, keys that are refused, limited and used up for a while, over three months. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whateverHappens_noKeyExceedsItsMinuteOrItsMonth(long seed) {
    var random = new Random(seed);
    while (time.now().isBefore(Instant.EPOCH.plus(MONTH.multipliedBy(3)))) {
      var limiter = limiter(new PlanLimits(UNEQUAL, 1, 0, 1));
      var polling = Flux.range(0, 100_000)
          .flatMap(i -> poll(limiter, 1 + random.nextInt(9), random), 3)
          .subscribe();
      var quick = random.nextInt(4) == 0;
      for (int tick = random.nextInt(200); tick > 0; tick--) {
        timer.advanceTimeBy(quick ? Duration.ofSeconds(1) : Duration.ofMinutes(1 + random.nextInt(30)));
        inKafka = limiter.budget();
        if (random.nextInt(40) == 0) {
          refusedUntil[random.nextInt(2)] = time.now().plus(Duration.ofMinutes(random.nextInt(6_000)));
        }
      }
      timer.advanceTimeBy(Duration.ofMillis(random.nextInt(1_000)));
      polling.dispose();
    }

    for (int key = 0; key < 2; key++) {
      var number = key;
      var calls = sent.stream().filter(call -> call.key() == number).map(Call::at).toList();
      assertThat(calls).as("of " + UNEQUAL.get(key)).hasSizeGreaterThan(100);
      assertThat(most(calls)).isLessThanOrEqualTo(UNEQUAL.get(key).perMinute());
      var byMonth = new HashMap<Integer, Integer>();
      calls.forEach(at -> byMonth.merge(at.atZone(ZoneOffset.UTC).getMonthValue(), 1, Integer::sum));
      assertThat(byMonth.values())
          .allSatisfy(of -> assertThat((long) of).isLessThanOrEqualTo(UNEQUAL.get(number).perMonth()));
    }
  }

  @Test
  void eachKeyHasItsPartOfTheCalls() {
    var limiter = limiter(new PlanLimits(UNEQUAL, 1, 0, 1));

    Flux.range(0, 400).concatMap(i -> poll(limiter, 1, null), 1).subscribe();
    timer.advanceTimeBy(Duration.ofDays(5));

    assertThat(sent.subList(0, 40).stream().filter(call -> call.key() == 0)).hasSizeBetween(9, 11);
    assertThat(sent.subList(40, 80).stream().filter(call -> call.key() == 0)).hasSizeBetween(9, 11);
  }

  @Test
  void callsThatAreNotMade_leaveThePartsAsTheyAre() {
    var limiter = limiter(new PlanLimits(EQUAL, 1, 0, 1));

    Flux.range(0, 100).concatMap(i -> limiter.awaitPermit()
        .then(limiter.acquire(2))
        .flatMap(permits -> permits.awaitNext()
            .doOnSuccess(done -> call(limiter, permits, null))
            .doFinally(signal -> permits.close())),
        1).subscribe();
    timer.advanceTimeBy(Duration.ofDays(1));

    assertThat(sent).hasSize(100).filteredOn(call -> call.key() == 0).hasSizeBetween(49, 51);
  }

  @Test
  void refusedKey_slowsThePaceByItsShare_creditsAreSpentLater() {
    var limiter = limiter(new PlanLimits(EQUAL, 1, 0, 1));
    refusedUntil[1] = Instant.EPOCH.plus(Duration.ofDays(10));

    Flux.range(0, 30_000).concatMap(i -> poll(limiter, 1, null), 1).subscribe();
    timer.advanceTimeBy(Duration.ofDays(10));
    var meanwhile = sent.size();
    timer.advanceTimeBy(Duration.ofDays(21).minusHours(1));

    assertThat(meanwhile).as("a third of one month, and the trials").isBetween(3_200, 3_300);
    assertThat(sent.stream().filter(call -> call.key() == 0)).hasSizeBetween(9_900, 10_000);
    assertThat(sent.stream().filter(call -> call.key() == 1)).hasSizeBetween(9_800, 10_000);
  }

  @Test
  void blockThatHoldsCallsOfAKeyThatIsRefused_goesOnWithTheOther() {
    var limiter = limiter(new PlanLimits(EQUAL, 1, 0, 1));
    refusedUntil[1] = Instant.MAX;

    poll(limiter, 40, null).subscribe();
    timer.advanceTimeBy(MINUTE.multipliedBy(2));

    assertThat(sent).hasSize(40).filteredOn(call -> call.key() == 1).hasSizeBetween(1, 4);
  }

  @Test
  void nextOwner_knowsWhatEachKeySpent() {
    var first = limiter(new PlanLimits(UNEQUAL, 1, 0, 1));
    poll(first, 30, null).subscribe();
    first.settleReservation().subscribe();

    var next = limiter(new PlanLimits(UNEQUAL.reversed(), 1, 0, 1));

    assertThat(inKafka.getKeys()).extracting(KeyUsage::getKey, KeyUsage::getSpent)
        .containsExactly(tuple("small", 7L), tuple("large", 23L));
    assertThat(next.remaining().keys()).extracting(key -> key.name() + " " + key.monthRemaining())
        .containsExactly("large 877", "small 293");
    assertThat(next.remaining().minuteRemaining()).isEqualTo(20);
  }

  /** What runbooks.md says of a month that is used up. */
  @Test
  void changedBillingDay_beginsTheCountWithWhatOthersSpent() {
    var first = limiter(new PlanLimits(UNEQUAL, 1, 0, 1));
    poll(first, 30, null).subscribe();
    first.settleReservation().subscribe();
    timer.advanceTimeBy(Duration.ofDays(16));

    assertThat(limiter(new PlanLimits(UNEQUAL, 1, 0, 1)).remaining().monthRemaining()).isEqualTo(1_170);
    assertThat(limiter(new PlanLimits(UNEQUAL, 1, 400, 15)).remaining().monthRemaining()).isEqualTo(800);
  }

  /** What runbooks.md says of a month that is used up. */
  @Test
  void restart_triesAKeyThatWasUsedUpAtOnce() {
    var first = limiter(new PlanLimits(EQUAL.subList(0, 1), 1, 0, 1));
    first.refused(0, KeyStatus.USED_UP, "10,000 calls");
    first.settleReservation().subscribe();

    var next = limiter(new PlanLimits(EQUAL.subList(0, 1), 1, 0, 1));
    poll(next, 1, null).subscribe();

    assertThat(sent).containsExactly(new Call(0, Instant.EPOCH));
  }

  @Test
  void keyThatIsAwayForASession_isNotForgotten() {
    poll(limiter(new PlanLimits(EQUAL, 1, 0, 1)), 10, null).subscribe();

    var without = limiter(new PlanLimits(EQUAL.subList(0, 1), 1, 0, 1));
    poll(without, 5, null).subscribe();
    var again = limiter(new PlanLimits(EQUAL, 1, 0, 1));

    assertThat(again.remaining().keys().getLast().monthRemaining()).isLessThanOrEqualTo(9_995);
  }

  @Test
  void budgetCommittedWithoutKeys_isSharedOut() {
    inKafka = Budget.newBuilder().setMonth(Instant.EPOCH).setPerMonth(1_200).setPerMinute(50)
        .setReserved(600).setReservedAt(Instant.EPOCH).setSpent(600).setKeys(List.of()).build();

    assertThat(limiter(new PlanLimits(UNEQUAL, 1, 0, 1)).remaining().keys())
        .extracting(key -> key.name() + " " + key.monthRemaining()).containsExactly("small 150", "large 450");
  }

  @Test
  void keysWithOtherNames_beginWithTheMostThatAKeyOfBeforeSpent() {
    var first = limiter(new PlanLimits(UNEQUAL, 1, 0, 1));
    poll(first, 30, null).subscribe();
    first.settleReservation().subscribe();

    var renamed = List.of(new KeyLimits("a", 10, 300), new KeyLimits("b", 40, 900));

    assertThat(limiter(new PlanLimits(renamed, 1, 0, 1)).remaining().keys())
        .extracting(key -> key.name() + " " + key.monthRemaining()).containsExactly("a 277", "b 877");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void noUsableKey_keysAreTriedWhenDue_andUsedOnceAccepted(int pages) {
    var limiter = limiter(new PlanLimits(EQUAL, 1, 0, 1));
    poll(limiter, 2, null).subscribe(); // of the credit nothing is left
    limiter.refused(0, KeyStatus.USED_UP, "10,000 calls");
    limiter.refused(1, KeyStatus.REFUSED, "401");
    sent.clear();

    poll(limiter, pages, null).subscribe();
    timer.advanceTimeBy(KeyBudget.FIRST_TRIAL.plus(MINUTE));

    assertThat(sent).hasSize(pages)
        .first().extracting(Call::at).isEqualTo(Instant.EPOCH.plus(KeyBudget.FIRST_TRIAL));
  }

  @Test
  void dueTrialTooSmallForABlock_blockWaitsForTheOtherKeysMinute() {
    var keys = keysWithATrialDue();
    for (int call = 0; call < 30; call++) {
      keys.get(0).permit(TRIAL);
      keys.get(0).answered(TRIAL);
    }

    assertThat(wait(keys, 5)).isEqualTo(MinuteWindow.LENGTH_NANOS);
  }

  @Test
  void refusedKeyWithoutCredits_blockWaitsForTheOtherKeysPause() {
    var keys = keysWithATrialDue();
    keys.get(1).month().reported(0);
    keys.get(0).penalise(MINUTE.multipliedBy(5), TRIAL);

    assertThat(wait(keys, 1)).isEqualTo(MINUTE.multipliedBy(5).toNanos());
  }

  @Test
  void otherKeyRests_aBlockBeginsWithTheTrialAlone() {
    var keys = keysWithATrialDue();
    keys.get(0).penalise(MINUTE.multipliedBy(5), TRIAL);

    assertThat(wait(keys, 5)).isZero();
    assertThat(keys.permit(keys.largestBlock(5, TRIAL), TRIAL)).containsExactly(1);
    assertThat(wait(keys, 4)).as("the next trial").isEqualTo(2 * TRIAL);
  }

  @Test
  void trialThatIsTakenBack_leavesTheCreditAsItWas() {
    var keys = keysWithATrialDue();
    for (int times = 0; times < 10; times++) {
      keys.release(keys.permit(1, TRIAL), TRIAL);
    }

    keys.get(1).accept(TRIAL);
    assertThat(keys.permit(1, TRIAL)).as("neither key is behind").containsExactly(0);
    assertThat(keys.waitNanos(1, 1, false, TRIAL)).as("the credit was 1").isPositive();
  }

  @Test
  void answerToACallThatWasSentBeforeTheRefusal_doesNotEndIt() {
    var keys = keysWithATrialDue();

    assertThat(keys.get(1).accept(0)).isFalse();
    assertThat(keys.get(1).isOut()).isTrue();
    assertThat(keys.get(1).accept(TRIAL)).isTrue();
    assertThat(keys.get(1).isOut()).isFalse();
  }

  @Test
  void blockLargerThanBothKeysAllow_isSpreadOverMinutes() {
    var limiter = limiter(new PlanLimits(List.of(new KeyLimits("one", 30, 10), EQUAL.getLast()), 1, 0, 1));

    poll(limiter, 45, null).subscribe();
    timer.advanceTimeBy(MINUTE.multipliedBy(2));

    assertThat(sent).hasSize(45).filteredOn(call -> call.key() == 0).hasSize(10);
  }

  /** Two keys, of which the service refused the second just so long ago that it may be tried again. */
  private static KeyBudgets keysWithATrialDue() {
    var keys = new KeyBudgets(new PlanLimits(EQUAL, 1, 0, 1), null, 0, Instant.EPOCH, 0);
    keys.get(1).refuse(KeyStatus.REFUSED, "401", 0);
    keys.advance(Instant.EPOCH.plusNanos(TRIAL), true, TRIAL);
    return keys;
  }

  private static long wait(KeyBudgets keys, int calls) {
    return keys.waitNanos(calls, keys.largestBlock(calls, TRIAL), true, TRIAL);
  }

  private Mono<Void> poll(BudgetLimiter limiter, int calls, Random random) {
    return limiter.acquire(calls).flatMap(permits -> Flux.range(0, calls)
        .concatMap(i -> permits.awaitNext().then(Mono.fromRunnable(() -> call(limiter, permits, random))), 1)
        .then()
        .doFinally(signal -> permits.close()));
  }

  private void call(BudgetLimiter limiter, Permits permits, Random random) {
    var key = permits.key();
    sent.add(new Call(key, time.now()));
    if (time.now().isBefore(refusedUntil[key])) {
      limiter.refused(key, KeyStatus.REFUSED, "401");
      return;
    }
    limiter.accepted(key, permits.sentAt());
    if (random != null && random.nextInt(60) == 0) {
      limiter.penalise(key, Duration.ofSeconds(random.nextInt(200)));
    }
    if (random != null && random.nextInt(2_000) == 0) {
      limiter.refused(key, KeyStatus.USED_UP, "10,000 calls");
    }
  }

  private BudgetLimiter limiter(PlanLimits limits) {
    var service = new ServiceClock(time.nanos());
    service.update(time.now());
    return new BudgetLimiter(
        limits, inKafka, 0, budget -> Mono.fromRunnable(() -> inKafka = budget), () -> true, service, time);
  }

  /** The most of these times within a minute. */
  private static int most(List<Instant> times) {
    var window = new ArrayDeque<Instant>();
    var most = 0;
    for (var at : times) {
      window.add(at);
      while (!window.getFirst().isAfter(at.minus(MINUTE))) {
        window.remove();
      }
      most = Math.max(most, window.size());
    }
    return most;
  }
}
