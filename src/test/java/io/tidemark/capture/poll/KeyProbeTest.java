package io.tidemark.capture.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.poll.PlanLimits.KeyLimits;
import io.tidemark.capture.poll.RemainingBudget.KeyRemaining;
import io.tidemark.capture.poll.RemainingBudget.KeyStatus;
import io.tidemark.event.Budget;
import io.tidemark.event.KeyReport;
import io.tidemark.market.Failure;
import io.tidemark.market.ServiceClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class KeyProbeTest {

  static final Duration HOUR = Duration.ofHours(1);
  static final List<KeyLimits> TWO = List.of(new KeyLimits("1", 500, 500_000), new KeyLimits("2", 30, 10_000));

  final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  final PollClock time = PollFixtures.clock(timer);
  final List<Integer> asked = new ArrayList<>();
  final List<Throwable> ends = new ArrayList<>();
  private @Nullable Budget inKafka;

  @Test
  void eachKeyIsAsked_atMostOnceAnHour_andForAHundredthOfItsMonth() {
    probe(limiter(new PlanLimits(TWO, 1, 0, 1)), TWO, key -> Mono.just(report(null, 9_000L)));
    timer.advanceTimeBy(Duration.ofDays(31).minusHours(1));

    assertThat(asked).filteredOn(key -> key == 0).hasSizeBetween(730, 744);
    assertThat(asked).filteredOn(key -> key == 1).hasSize(100);
  }

  @Test
  void callsOfOthers_areDeducted_andReturnedIfTheServiceSaysSo() {
    var one = List.of(new KeyLimits("1", 500, 500_000));
    var limiter = limiter(new PlanLimits(one, 1, 0, 1));
    var remaining = new ArrayList<>(List.of(499_999L, 300_000L, 400_000L));
    probe(limiter, one, key -> Mono.just(report(500_000L, remaining.removeFirst())));

    timer.advanceTimeBy(HOUR.dividedBy(2));
    assertThat(limiter.remaining().monthRemaining()).isEqualTo(499_999);
    timer.advanceTimeBy(HOUR);
    assertThat(limiter.remaining().monthRemaining()).isEqualTo(300_000);
    assertThat(limiter.budget().getKeys().getFirst().getOthers()).isEqualTo(199_998);
    timer.advanceTimeBy(HOUR);
    assertThat(limiter.remaining().monthRemaining()).isEqualTo(400_000);
  }

  @Test
  void serviceThatCountsLess_doesNotTakeBackWhatWasCountedHere() {
    var one = List.of(new KeyLimits("1", 500, 500_000));
    var limiter = limiter(new PlanLimits(one, 1, 70_000, 1));
    probe(limiter, one, key -> Mono.just(report(500_000L, 499_000L)));

    assertThat(limiter.remaining().monthRemaining()).isEqualTo(429_999);
  }

  @Test
  void shareOfAPlan_leavesTheOthersTheirs() {
    var one = List.of(new KeyLimits("1", 500, 500_000));
    var limiter = limiter(new PlanLimits(one, 0.5, 0, 1));
    probe(limiter, one, key -> Mono.just(report(500_000L, 260_000L)));

    assertThat(limiter.remaining().monthRemaining()).isEqualTo(249_999);
  }

  @Test
  void othersUsedUpTheMonth_onlyTheProbeCalls_untilCreditsReturn() {
    var one = List.of(new KeyLimits("1", 500, 500_000));
    var limiter = limiter(new PlanLimits(one, 1, 0, 1));
    var remaining = new ArrayList<>(List.of(0L, 0L, 400_000L));
    probe(limiter, one, key -> Mono.just(report(500_000L, remaining.removeFirst())));
    var sent = new ArrayList<Instant>();
    Flux.range(0, 5).concatMap(i -> limiter.acquire(1).flatMap(permits -> permits.awaitNext()
        .doOnSuccess(done -> sent.add(time.now())).doFinally(signal -> permits.close())), 1).subscribe();

    timer.advanceTimeBy(HOUR.plusMinutes(30));
    assertThat(sent).isEmpty();
    assertThat(limiter.remaining().keys().getFirst().status()).isEqualTo(KeyStatus.USED_UP);
    timer.advanceTimeBy(HOUR);
    assertThat(sent).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void keyWhoseCreditsAreUsedUp_isAskedWithItsOwnCall(int count) {
    var keys = TWO.subList(0, count);
    var limiter = limiter(new PlanLimits(keys, 1, 0, 1));
    limiter.refused(0, KeyStatus.USED_UP, "10,000 calls");
    probe(limiter, keys, key -> key == 0 ? Mono.just(report(null, 9_000L)) : Mono.error(new Failure.NotFound("404")));

    assertThat(asked).hasSize(count).contains(0);
    assertThat(limiter.remaining().keys()).extracting(KeyRemaining::monthRemaining)
        .isEqualTo(List.of(9_000L, 9_999L).subList(0, count));
  }

  @Test
  void countOfAMonthThatIsOver_isNotTheNextOne() {
    var one = TWO.subList(0, 1);
    timer.advanceTimeBy(Duration.ofDays(31).minusSeconds(1));
    var limiter = limiter(new PlanLimits(one, 1, 0, 1));
    limiter.acquire(1).subscribe(Permits::close); // so that the question needs no reservation
    probe(limiter, one, key -> Mono.just(report(null, 100L)).delayElement(Duration.ofSeconds(2), timer));

    assertThat(asked).hasSize(1);
    assertThat(limiter.remaining().monthRemaining()).isGreaterThan(499_000);
  }

  @Test
  void sourceWithAShare_asksForAHundredthOfIt() {
    var limits = new PlanLimits(TWO, 0.5, 0, 1);
    probe(limiter(limits), limits, key -> Mono.just(report(null, 9_000L)));
    timer.advanceTimeBy(Duration.ofDays(31).minusHours(1));

    assertThat(asked).filteredOn(key -> key == 1).hasSize(50);
  }

  @Test
  void serviceWithoutTheOperation_changesNothing() {
    var limiter = limiter(new PlanLimits(TWO, 1, 0, 1));
    probe(limiter, TWO, key -> Mono.error(key == 0
        ? new Failure.NotFound("/key: 404")
        : new Failure.BadKey("/key: 401 Invalid API Key.")));
    timer.advanceTimeBy(HOUR.plusMinutes(1));

    assertThat(ends).isEmpty();
    assertThat(limiter.remaining().keysOut()).isNull();
    assertThat(limiter.remaining().monthRemaining()).as("two of the first key, one of the other").isEqualTo(509_997);
  }

  @Test
  void whatTheServiceSaid_isKnownToTheNextOwner() {
    var limits = new PlanLimits(TWO, 1, 0, 1);
    var limiter = limiter(limits);
    probe(limiter, TWO, key -> Mono.just(report(null, 4_000L)));
    limiter.settleReservation().block();

    var next = limiter(limits).remaining().keys().getLast();

    assertThat(next.monthRemaining()).isEqualTo(4_000);
    assertThat(next.report()).extracting(KeyReport::getRemaining).isEqualTo(4_000L);
  }

  @Test
  void sessionsThatKeepFailing_askOnceAnHour() {
    var limits = new PlanLimits(TWO, 1, 0, 1);
    for (int session = 0; session < 150; session++) {
      var limiter = limiter(limits);
      var polling = probe(limiter, limits, key -> Mono.just(report(null, 9_000L)));
      timer.advanceTimeBy(Duration.ofSeconds(24));
      inKafka = limiter.budget();
      polling.dispose();
    }

    assertThat(asked).filteredOn(key -> key == 0).as("in an hour and a quarter").hasSize(2);
    assertThat(asked).filteredOn(key -> key == 1).hasSize(2);
  }

  @Test
  void sessionsThatKeepFailing_askWithinThePace_ifTheServiceDoesNotAnswer() {
    var limits = new PlanLimits(TWO.subList(1, 2), 1, 0, 1);
    for (int session = 0; session < 150; session++) {
      var polling = probe(limiter(limits), limits, key -> Mono.error(new Failure.NotFound("/key: 404")));
      timer.advanceTimeBy(Duration.ofSeconds(24));
      polling.dispose();
    }

    assertThat(asked).as("10,000 a month are 17 in an hour and a quarter").hasSizeBetween(10, 19);
  }

  private void probe(BudgetLimiter limiter, List<KeyLimits> keys, IntFunction<Mono<KeyReport>> operation) {
    probe(limiter, new PlanLimits(keys, 1, 0, 1), operation);
  }

  private Disposable probe(BudgetLimiter limiter, PlanLimits limits, IntFunction<Mono<KeyReport>> operation) {
    var probing = new KeyProbe("main", limits, limiter, key -> {
      asked.add(key);
      return operation.apply(key);
    }, time).reports().subscribe(report -> {}, ends::add);
    timer.advanceTimeBy(Duration.ofSeconds(6)); // the first calls are reserved
    return probing;
  }

  private KeyReport report(@Nullable Long perMonth, Long remaining) {
    return new KeyReport(time.now(), "Demo", null, perMonth, null, remaining);
  }

  private BudgetLimiter limiter(PlanLimits limits) {
    var service = new ServiceClock(time.nanos());
    service.update(time.now());
    return new BudgetLimiter(
        limits, inKafka, 0, budget -> Mono.fromRunnable(() -> inKafka = budget), () -> true, service, time);
  }
}
