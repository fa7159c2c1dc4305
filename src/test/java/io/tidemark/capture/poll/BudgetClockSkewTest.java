package io.tidemark.capture.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Budget;
import io.tidemark.market.ServiceClock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The budget counts by the service's clock, also if this machine's clock differs from it or is set. */
class BudgetClockSkewTest {

  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Duration LATENCY = Duration.ofMillis(300);
  static final Instant FEBRUARY = Instant.parse("1970-02-01T00:00:00Z");
  static final YearMonth JANUARY = YearMonth.of(1970, 1);

  final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  final PollClock time = new PollClock(timer, this::owned, () -> timer.now(TimeUnit.NANOSECONDS));
  /** Arrivals at the service, by a clock that is right. */
  final List<Instant> arrived = new ArrayList<>();
  ServiceClock service = new ServiceClock(time.nanos());
  /** How far ahead the two clocks are of the right time. */
  Duration owned = Duration.ZERO;
  Duration theirs = Duration.ZERO;
  boolean dated = true;
  @Nullable
  Budget inKafka;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 15, 131})
  void clocksDifferAndOwnersCrash_noMonthIsOverspent(long seed) {
    var random = new Random(seed);
    var limits = PollFixtures.plan(30, 400);
    theirs = minutes(random, 10);
    var limiter = limiter(limits);
    var polling = poll(limiter, random);

    while (truth().isBefore(FEBRUARY.plus(Duration.ofDays(35)))) {
      owned = minutes(random, 50);
      timer.advanceTimeBy(Duration.ofMinutes(random.nextInt(1, 40)));
      inKafka = limiter.budget();
      if (random.nextInt(isCloseToATurn() ? 3 : 40) == 0) {
        polling.dispose();
        service = random.nextBoolean() ? service : new ServiceClock(time.nanos());
        limiter = limiter(limits);
        polling = poll(limiter, random);
      }
    }

    var months = arrived.stream()
        .map(at -> at.plus(theirs).atOffset(ZoneOffset.UTC))
        .collect(Collectors.groupingBy(YearMonth::from, Collectors.counting()));
    assertThat(months.values()).allSatisfy(calls -> assertThat(calls).isLessThanOrEqualTo(400));
    assertThat(months.get(JANUARY.plusMonths(1))).as("calls of a whole month").isGreaterThan(330);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void ownClockSetAgainAndAgain_noSixtySecondsExceedTheLimit(long seed) {
    var random = new Random(seed);
    poll(limiter(PollFixtures.plan(30, 1_000_000_000)), random);

    for (int i = 0; i < 300; i++) {
      owned = minutes(random, 60 * 24 * 40);
      timer.advanceTimeBy(Duration.ofSeconds(random.nextInt(20)));
    }

    assertThat(arrived).hasSizeGreaterThan(1_000);
    assertThat(arrived).allSatisfy(from -> assertThat(arrived.stream()
        .filter(at -> !at.isBefore(from) && at.isBefore(from.plus(MINUTE)))).hasSizeLessThanOrEqualTo(30));
  }

  @Test
  void clockJumpsAtEndOfSpentMonth_nothingPermittedUntilItIsOver() {
    comeTo(FEBRUARY.minus(Duration.ofMinutes(30)));
    inKafka = spent(100);
    service.update(truth());
    var limiter = limiter(PollFixtures.plan(30, 100));
    poll(limiter, 1).subscribe();

    for (int i = 0; i < 10; i++) {
      owned = Duration.ofMinutes(i % 2 == 0 ? 50 : -50);
      timer.advanceTimeBy(MINUTE);
    }

    assertThat(arrived).isEmpty();
    assertThat(limiter.remaining().monthRemaining()).isZero();
    assertThat(limiter.remaining().monthEndsAt()).isEqualTo(FEBRUARY);
    timer.advanceTimeBy(Duration.ofMinutes(22));
    assertThat(arrived).singleElement().satisfies(at -> assertThat(at).isAfterOrEqualTo(FEBRUARY));
  }

  @Test
  void monthThatEndedAndAnOwnClockSetBack_theNewMonthGoesOn() {
    comeTo(FEBRUARY.plus(MINUTE));
    service.update(truth());
    var limiter = limiter(PollFixtures.plan(30, 100));
    poll(limiter, 1).subscribe();
    timer.advanceTimeBy(MINUTE);

    owned = Duration.ofMinutes(-50);

    assertThat(limiter.budget().getMonth()).isEqualTo(FEBRUARY);
    assertThat(limiter.budget().getSpent()).isEqualTo(1);
  }

  @Test
  void sessionThatBeginsWithAClockAhead_goesOnWithTheMonthInKafka() {
    comeTo(FEBRUARY.minus(Duration.ofMinutes(30)));
    inKafka = spent(60);
    owned = Duration.ofMinutes(50);
    var limiter = limiter(PollFixtures.plan(30, 100));

    poll(limiter, 2).subscribe();
    timer.advanceTimeBy(MINUTE);

    assertThat(limiter.budget().getMonth()).isEqualTo(Instant.EPOCH);
    assertThat(limiter.budget().getSpent()).isEqualTo(62);
  }

  @Test
  void sessionAfterSpentMonth_waitsUntilItIsOverByAnyClock() {
    comeTo(FEBRUARY.plus(MINUTE));
    inKafka = spent(100);
    poll(limiter(PollFixtures.plan(30, 100)), 2).subscribe();

    timer.advanceTimeBy(Duration.ofMinutes(58));

    assertThat(arrived).isEmpty();
    timer.advanceTimeBy(Duration.ofMinutes(2));
    assertThat(arrived).hasSize(2);
  }

  @Test
  void sessionThatBeginsInANewMonth_countsItsFirstCallsThere() {
    comeTo(FEBRUARY.plus(MINUTE));
    inKafka = spent(60);
    var limiter = limiter(PollFixtures.plan(30, 100));
    poll(limiter, 2).subscribe();

    timer.advanceTimeBy(MINUTE);

    assertThat(limiter.budget().getMonth()).isEqualTo(FEBRUARY);
    assertThat(limiter.remaining().monthRemaining()).isEqualTo(98);
  }

  @Test
  void sessionThatBeginsInANewMonth_countsWhatOthersSpentOfIt() {
    comeTo(FEBRUARY.plus(Duration.ofHours(5)));
    inKafka = spent(60);
    var limiter = limiter(PollFixtures.plan(30, 100, 1, 40, 1));

    service.update(truth());

    assertThat(limiter.remaining().monthRemaining()).isEqualTo(60);
  }

  @Test
  void callsCloseToTheEnd_countInTheNextMonthToo() {
    comeTo(FEBRUARY.minus(Duration.ofSeconds(30)));
    service.update(truth());
    var limiter = limiter(PollFixtures.plan(30, 100));
    poll(limiter, 1).subscribe();

    timer.advanceTimeBy(MINUTE);

    assertThat(limiter.budget().getMonth()).isEqualTo(FEBRUARY);
    assertThat(limiter.remaining().monthRemaining()).isEqualTo(99);
  }

  @Test
  void serviceWithoutDate_monthEndsWhenItIsOverByAnyClock() {
    dated = false;
    comeTo(FEBRUARY.minus(Duration.ofHours(3)));
    inKafka = spent(60);
    var limiter = limiter(PollFixtures.plan(30, 100));
    poll(limiter, 1).subscribe();

    timer.advanceTimeBy(Duration.ofHours(3).plusMinutes(59));

    assertThat(limiter.budget().getMonth()).isEqualTo(Instant.EPOCH);
    timer.advanceTimeBy(MINUTE);
    assertThat(limiter.budget().getMonth()).isEqualTo(FEBRUARY);
    assertThat(limiter.remaining().monthRemaining()).isEqualTo(100);
  }

  @Test
  void dateOfAnotherYear_isBounded() {
    comeTo(FEBRUARY.plus(MINUTE));
    var limiter = limiter(PollFixtures.plan(30, 100));

    service.update(Instant.parse("2038-01-19T03:14:07Z"));

    assertThat(limiter.budget().getMonth()).isEqualTo(FEBRUARY);
  }

  private void comeTo(Instant at) {
    timer.advanceTimeTo(at);
  }

  private boolean isCloseToATurn() {
    return truth().plus(Duration.ofHours(2)).atOffset(ZoneOffset.UTC).getDayOfMonth() == 1;
  }

  private Instant truth() {
    return Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS));
  }

  private Instant owned() {
    return truth().plus(owned);
  }

  private static Duration minutes(Random random, int most) {
    return Duration.ofMinutes(random.nextInt(-most, most + 1));
  }

  /** Of January. */
  private static Budget spent(int calls) {
    return Budget.newBuilder().setMonth(Instant.EPOCH).setPerMonth(100).setPerMinute(30)
        .setReserved(calls).setReservedAt(Instant.EPOCH).setSpent(calls).setKeys(List.of()).build();
  }

  private BudgetLimiter limiter(PlanLimits limits) {
    return new BudgetLimiter(limits, inKafka, 0, this::reserve, () -> true, service, time);
  }

  private Mono<Void> reserve(Budget budget) {
    return Mono.fromRunnable(() -> inKafka = budget);
  }

  private Disposable poll(BudgetLimiter limiter, Random random) {
    return Flux.range(0, 100_000).flatMap(i -> poll(limiter, 1 + random.nextInt(5)), 3).subscribe();
  }

  /** Makes so many calls; the service says its time with each answer. */
  private Mono<Void> poll(BudgetLimiter limiter, int calls) {
    return limiter.acquire(calls).flatMap(grant -> Flux.range(0, calls)
        .concatMap(i -> grant.awaitNext().then(Mono.fromRunnable(this::arrive)).then(Mono.delay(LATENCY, timer)), 1)
        .doOnNext(answer -> sayDate())
        .then()
        .doFinally(signal -> grant.close()));
  }

  private void sayDate() {
    if (dated) {
      service.update(truth().plus(theirs).truncatedTo(ChronoUnit.SECONDS));
    }
  }

  private void arrive() {
    arrived.add(truth());
  }
}
