package io.tidemark.capture.poll;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.capture.poll.PlanLimits.KeyLimits;
import io.tidemark.capture.poll.RemainingBudget.KeyStatus;
import io.tidemark.capture.poll.Schedule.KnownTarget;
import io.tidemark.capture.poll.WatchList.WatchedHistory;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.event.CoinDay;
import io.tidemark.event.Global;
import io.tidemark.event.Platform;
import io.tidemark.event.Pool;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class PollerTest {

  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Duration LATENCY = Duration.ofMillis(200);
  static final Target GLOBAL = new Target("main", "/global", new Query.GlobalMarket(), 1);
  static final Target NEW_POOLS = list(3);

  final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  final PollClock time = PollFixtures.clock(timer);
  final List<Query<?>> polled = new ArrayList<>();
  final List<Snapshot> snapshots = new ArrayList<>();
  final List<Throwable> ends = new ArrayList<>();
  final List<Integer> keysUsed = new ArrayList<>();
  /** Age of the answers of the market. */
  @Nullable
  Duration age;

  @Test
  void list_isReadToItsLastFullPage() {
    poll(pools(20, 20, 20), NEW_POOLS);

    assertThat(snapshots).singleElement().satisfies(snapshot -> {
      assertThat(snapshot.pages()).hasSize(3);
      assertThat(snapshot.exhausted()).isFalse();
      assertThat(snapshot.complete()).isTrue();
    });
    assertThat(polled).extracting(query -> ((Query.Paged<?>) query).page()).containsExactly(1, 2, 3);
  }

  @Test
  void pageThatIsNotFull_isTheLast() {
    poll(pools(20, 7, 20), NEW_POOLS);

    assertThat(snapshots).singleElement().satisfies(snapshot -> {
      assertThat(snapshot.pages()).hasSize(2);
      assertThat(snapshot.exhausted()).isTrue();
    });
  }

  @Test
  void pageThatIsNotFull_isNotTheLast_ifALaterOneHadRowsBefore() {
    var sizes = List.of(new int[] {20, 20, 7}, new int[] {19, 20, 7}, new int[] {20, 0, 20}, new int[] {19, 20, 20});
    poll(query -> poolsOf(sizes.get(snapshots.size())[page(query) - 1]), NEW_POOLS);
    timer.advanceTimeBy(MINUTE.multipliedBy(3));

    assertThat(snapshots).extracting(snapshot -> snapshot.pages().size()).containsExactly(3, 3, 2, 1);
  }

  @Test
  void pageThatIsNotFull_afterARestart_isNotTheLast_ifALaterOneHadRowsBefore() {
    var known = new KnownTarget(Instant.EPOCH.minus(MINUTE), List.of(), 3, ByteBuffer.allocate(0));
    var watched = new WatchList(List.of(new WatchedTarget(NEW_POOLS, MINUTE, 1)), List.of());
    subscribe(
        new Poller(new Market(query -> Mono.just(poolsOf(new int[] {19, 20, 7}[page(query) - 1]))), limiter(1_000),
            new Schedule(watched, name -> known, time), time, 8, due -> {}));

    assertThat(snapshots).singleElement().satisfies(snapshot -> assertThat(snapshot.pages()).hasSize(3));
  }

  @Test
  void singleAnswer_isTheWholePoll() {
    poll(query -> Observation.of(new Global()), GLOBAL);

    assertThat(snapshots).singleElement().satisfies(snapshot -> {
      assertThat(snapshot.exhausted()).isTrue();
      assertThat(snapshot.observedAt()).isEqualTo(Instant.EPOCH.plus(LATENCY));
    });
  }

  @Test
  void target_isPolledOncePerPeriod() {
    poll(query -> Observation.of(new Global()), GLOBAL);
    timer.advanceTimeBy(MINUTE.multipliedBy(10));

    assertThat(snapshots).hasSize(11);
  }

  @Test
  void answerThatMakesItsTargetDue_isNotWaitedOver() {
    var polledAt = new ArrayList<Instant>();
    age = MINUTE;

    poll(query -> {
      polledAt.add(time.now());
      return Observation.of(new Global());
    }, GLOBAL);

    assertThat(polledAt.get(1)).isBefore(polledAt.getFirst().plus(LATENCY.multipliedBy(2)));
  }

  @Test
  void passingFailure_isPostponedForItsTargetAlone() {
    var token = new Target("main", "token", new Query.TokenByAddress("eth", "0x1", false, false, false), 1);
    poll(query -> query.equals(GLOBAL.query()) ? new Failure.Unreachable("refused", null) : new Object(), GLOBAL,
        token);
    timer.advanceTimeBy(MINUTE);

    assertThat(snapshots).filteredOn(Snapshot::complete).hasSize(2);
    assertThat(snapshots).filteredOn(snapshot -> !snapshot.complete()).hasSizeBetween(3, 5);
  }

  @Test
  void serviceThatIsAway_isNotLoggedForEachPoll() {
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    var log = (Logger) LoggerFactory.getLogger(PollFailureLog.class);
    log.addAppender(lines);
    var backAt = time.now().plusSeconds(50);
    try {
      poll(query -> time.now().isBefore(backAt) ? new Failure.Unreachable("refused", null) : new Object(),
          Stream.concat(Stream.of(GLOBAL), Stream.of("0x1", "0x2", "0x3").map(PollerTest::token))
              .toArray(Target[]::new));
      timer.advanceTimeBy(MINUTE.multipliedBy(3));
    } finally {
      log.detachAppender(lines);
    }

    assertThat(snapshots).filteredOn(snapshot -> snapshot.failure() != null).hasSizeGreaterThan(8);
    assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).hasSize(2)
        .first().asString().contains("(refused); it is polled again in ");
    assertThat(lines.list.getLast().getFormattedMessage()).contains("all polls succeed again");
  }

  @Test
  void retryOfAListAsLargeAsTheMinute_isMadeAndTheRestObserved() {
    var failure = new AtomicInteger(1);
    var market = new Market(query -> failure.getAndDecrement() > 0
        ? Poller.permitFurtherRequest().then(Mono.fromSupplier(() -> poolsOf(20)))
        : Mono.just(poolsOf(20)));

    subscribe(poller(market, 10, list(10)));
    timer.advanceTimeBy(MINUTE.plusSeconds(2));

    assertThat(snapshots).singleElement().satisfies(snapshot -> assertThat(snapshot.pages()).hasSize(10));
  }

  @Test
  void failedPage_keepsThePagesBeforeIt() {
    poll(query -> page(query) == 3 ? new Failure.Blocked("403") : poolsOf(20), NEW_POOLS);

    assertThat(snapshots).singleElement().satisfies(snapshot -> {
      assertThat(snapshot.pages()).hasSize(2);
      assertThat(snapshot.complete()).isFalse();
      assertThat(snapshot.exhausted()).isFalse();
    });
  }

  @Test
  void listWhoseFurtherPagesCannotBeFetchedSoon_isIncomplete_andPolledWholeAfterThePause() {
    var limited = new AtomicInteger(1);
    poll(query -> !query.equals(GLOBAL.query()) ? poolsOf(20)
        : limited.getAndDecrement() > 0 ? new Failure.RateLimited("429", Duration.ofMinutes(10)) : new Object(),
        list(10), GLOBAL);
    timer.advanceTimeBy(MINUTE.multipliedBy(4));

    assertThat(snapshots).filteredOn(snapshot -> snapshot.target().equals(list(10))).singleElement()
        .satisfies(snapshot -> {
          assertThat(snapshot.complete()).isFalse();
          assertThat(snapshot.pages()).hasSizeBetween(1, 2);
        });
    timer.advanceTimeBy(MINUTE.multipliedBy(6).plusSeconds(10));

    assertThat(snapshots).filteredOn(snapshot -> snapshot.target().equals(list(10))).hasSize(2)
        .last().satisfies(snapshot -> {
          assertThat(snapshot.pages()).hasSize(10);
          assertThat(snapshot.startedAt()).isAfterOrEqualTo(Instant.EPOCH.plus(MINUTE.multipliedBy(10)));
        });
  }

  @Test
  void unreadablePage_isPassedOn() {
    var broken = new Failure.Unreadable("no JSON", new byte[] {'<'}, 200, Map.of());
    poll(query -> broken, NEW_POOLS);

    assertThat(snapshots).singleElement().satisfies(snapshot -> assertThat(snapshot.failure()).isSameAs(broken));
  }

  @Test
  void unreadableDay_isRepolledAfterHalfAnHour_delaysNoOther() {
    var first = new AtomicInteger(1);
    var market =
        new Market(query -> Mono.just(first.getAndDecrement() > 0 ? new Garbled() : Observation.of(new CoinDay())));
    var days = new WatchedHistory("bitcoin", 2, MINUTE, PollerTest::day);

    subscribe(
        new Poller(market, limiter(1_000), new Schedule(new WatchList(List.of(), List.of(days)), name -> null, time),
            time,
            256, due -> {}));
    timer.advanceTimeBy(MINUTE.multipliedBy(10));
    assertThat(polled).as("two days").hasSize(2);
    assertThat(snapshots.getFirst().failure()).isInstanceOf(Failure.Unreadable.class);
    timer.advanceTimeBy(MINUTE.multipliedBy(22));

    assertThat(polled).hasSize(3);
    assertThat(polled.getLast()).isEqualTo(polled.getFirst());
    assertThat(snapshots.getLast().complete()).isTrue();
  }

  @Test
  void oneRefusal_doesNotGiveUpTheOnlyKey() {
    var calls = new AtomicInteger();
    poll(query -> calls.getAndIncrement() == 0 ? new Failure.BadKey("401") : Observation.of(new Global()), GLOBAL,
        token("0x1"));
    timer.advanceTimeBy(MINUTE.multipliedBy(3));

    assertThat(ends).isEmpty();
    assertThat(snapshots.get(1).observedAt()).isBefore(Instant.EPOCH.plus(KeyBudget.FIRST_TRIAL).plusSeconds(2));
    assertThat(snapshots).filteredOn(Snapshot::complete).extracting(snapshot -> snapshot.target().name())
        .contains("/global", "0x1");
  }

  @Test
  void onlyKeyRefused_isTriedEverMoreSlowly_andUsedOnceAccepted() {
    var acceptedFrom = time.now().plus(Duration.ofDays(3));
    poll(query -> time.now().isBefore(acceptedFrom) ? new Failure.BadKey("401") : Observation.of(new Global()), GLOBAL,
        token("0x1"), token("0x2"));
    timer.advanceTimeBy(Duration.ofDays(1));
    assertThat(polled.size()).isBetween(10, 18);
    timer.advanceTimeBy(Duration.ofDays(2));
    assertThat(polled.size()).isBetween(18, 28);
    timer.advanceTimeBy(Duration.ofHours(14));

    assertThat(ends).isEmpty();
    assertThat(snapshots).filteredOn(Snapshot::complete).hasSizeGreaterThan(100);
  }

  @Test
  void keyAcceptedAfterDays_allTargetsArePolledWithinMinutes() {
    var acceptedFrom = time.now().plus(Duration.ofDays(10));
    poll(query -> time.now().isBefore(acceptedFrom) ? new Failure.BadKey("401") : Observation.of(new Global()),
        token("0x1"), token("0x2"), token("0x3"));
    timer.advanceTimeBy(Duration.ofDays(10).plusHours(8));

    var complete = snapshots.stream().filter(Snapshot::complete).toList();
    assertThat(complete).filteredOn(
        each -> each.observedAt().isBefore(complete.getFirst().observedAt().plus(MINUTE.multipliedBy(2))))
        .extracting(snapshot -> snapshot.target().name()).contains("0x1", "0x2", "0x3");
  }

  @Test
  void keyAcceptedAfterDays_theNewestDayIsPolledWithinMinutes() {
    var acceptedFrom = time.now().plus(Duration.ofDays(10));
    var market = new Market(query -> Mono.fromSupplier(() -> {
      if (time.now().isBefore(acceptedFrom)) {
        throw new Failure.BadKey("401");
      }
      return Observation.of(query instanceof Query.CoinHistory ? new CoinDay() : new Global());
    }));
    var watched = Stream.of(GLOBAL, token("0x1")).map(target -> new WatchedTarget(target, MINUTE, 1)).toList();
    var days = new WatchedHistory("bitcoin", 2, MINUTE, PollerTest::day);

    subscribe(
        new Poller(market, limiter(1_000), new Schedule(new WatchList(watched, List.of(days)), name -> null, time),
            time, 256, due -> {}));
    timer.advanceTimeBy(Duration.ofDays(10).plusHours(8));

    var complete = snapshots.stream().filter(Snapshot::complete).toList();
    assertThat(complete).filteredOn(
        each -> each.observedAt().isBefore(complete.getFirst().observedAt().plus(MINUTE.multipliedBy(5))))
        .filteredOn(snapshot -> snapshot.target().query() instanceof Query.CoinHistory).isNotEmpty();
  }

  @Test
  void keyAcceptedAfterDays_butNotForTheMostValuableTarget_theOthersGoOn() {
    var acceptedFrom = time.now().plus(Duration.ofDays(10));
    poll(query -> time.now().isBefore(acceptedFrom) || query.equals(GLOBAL.query())
        ? new Failure.BadKey("401")
        : Observation.of(new Global()), GLOBAL, token("0x1"), token("0x2"));
    timer.advanceTimeBy(Duration.ofDays(11));

    assertThat(snapshots).filteredOn(Snapshot::complete).hasSizeGreaterThan(1000);
  }

  @Test
  void oneTargetOfSeveralAnswered401_theOthersGoOn() {
    poll(query -> query.equals(GLOBAL.query()) ? new Failure.BadKey("401") : Observation.of(new Global()), GLOBAL,
        token("0x1"), token("0x2"));
    timer.advanceTimeBy(Duration.ofHours(1));

    assertThat(snapshots).filteredOn(Snapshot::complete).hasSizeGreaterThan(100);
    assertThat(snapshots).filteredOn(snapshot -> !snapshot.complete()).hasSizeBetween(5, 7);
  }

  @Test
  void oneOfTwoKeysRefused_theOtherGoesOnAndTheTargetIsPolledWithIt() {
    var limiter = twoKeys();
    pollWith(limiter, key -> key == 1 ? new Failure.BadKey("401 Invalid API Key.") : Observation.of(new Global()));
    timer.advanceTimeBy(MINUTE.multipliedBy(9));

    assertThat(ends).isEmpty();
    assertThat(snapshots).filteredOn(Snapshot::complete).hasSizeBetween(9, 10);
    assertThat(keysUsed).as("after 0, 10, 30, 70, 150 and 310 s").filteredOn(key -> key == 1).hasSize(6);
    assertThat(limiter.minuteLimit()).isEqualTo(500);
    assertThat(limiter.remaining().keysOut())
        .startsWith("1 of 2 keys are out: 2 (refused: 401 Invalid API Key.; tried again at ");
  }

  @Test
  void refusedKey_isTriedAgainMoreAndMoreSlowly() {
    pollWith(twoKeys(), key -> key == 1 ? new Failure.BadKey("401") : Observation.of(new Global()));
    timer.advanceTimeBy(Duration.ofHours(3));

    assertThat(keysUsed).as("after 0, 10, 30, 70, 150, ..., 10230 s").filteredOn(key -> key == 1).hasSize(11);
  }

  @Test
  void refusedKey_isUsedAgainOnceItIsAccepted() {
    var acceptedFrom = time.now().plus(Duration.ofMinutes(20));
    var limiter = twoKeys();
    pollWith(limiter, key -> key == 1 && time.now().isBefore(acceptedFrom)
        ? new Failure.BadKey("401")
        : Observation.of(new Global()));
    timer.advanceTimeBy(Duration.ofMinutes(31));
    assertThat(limiter.remaining().keysOut()).isNull();
    keysUsed.clear();
    timer.advanceTimeBy(Duration.ofMinutes(20));

    assertThat(keysUsed).filteredOn(key -> key == 1).hasSize(10);
  }

  @Test
  void allKeysRefused_bothAreTriedOn() {
    pollWith(twoKeys(), key -> new Failure.BadKey("key refused"));
    assertThat(keysUsed).containsExactly(0, 1);
    timer.advanceTimeBy(Duration.ofDays(1));

    assertThat(ends).isEmpty();
    assertThat(keysUsed).contains(0, 1).hasSizeBetween(6, 30);
  }

  @Test
  void tooManyCallsOfOneKey_itRestsAndTheOtherGoesOn() {
    var limited = new Failure.RateLimited("429", Duration.ofMinutes(5));
    pollWith(twoKeys(), key -> key == 0 ? limited : Observation.of(new Global()));
    timer.advanceTimeBy(Duration.ofMinutes(4));

    assertThat(keysUsed).containsExactly(0, 1, 1, 1, 1, 1);
    assertThat(snapshots).filteredOn(Snapshot::complete).hasSize(5);
  }

  @Test
  void oneKeyUsedUp_isTriedAFewTimesADay_whileTheOtherPolls() {
    var usedUp = new Failure.CreditsExhausted("10,000 calls");
    var limiter = twoKeys();
    pollWith(limiter, key -> key == 0 ? usedUp : Observation.of(new Global()));
    timer.advanceTimeBy(Duration.ofDays(1));
    keysUsed.clear();
    timer.advanceTimeBy(Duration.ofDays(1));

    assertThat(keysUsed).filteredOn(key -> key == 0).hasSizeBetween(3, 4);
    assertThat(keysUsed).filteredOn(key -> key == 1).hasSizeGreaterThan(1_400);
    assertThat(limiter.remaining().keysOut()).contains("1 (used up: 10,000 calls; tried again at ");
  }

  private BudgetLimiter twoKeys() {
    var limits = List.of(new KeyLimits("1", 500, 1_000_000_000), new KeyLimits("2", 500, 1_000_000_000));
    return new BudgetLimiter(
        new PlanLimits(limits, 1, 0, 1), null, 0, budget -> Mono.empty(), () -> true, service(), time);
  }

  private void pollWith(BudgetLimiter limiter, IntFunction<Object> answers) {
    var market = new Market(query -> Poller.keyOfRequest().doOnNext(keysUsed::add).map(answers::apply));
    subscribe(new Poller(market, limiter, schedule(GLOBAL), time, 256, due -> {}));
    timer.advanceTimeBy(Duration.ofSeconds(1));
  }

  static Stream<Failure> lasting() {
    return Stream.of(new Failure.NotInPlan("paid plans only"), new Failure.BadRequest("unknown sort"),
        new Failure.NotFound("404"));
  }

  @ParameterizedTest
  @MethodSource("lasting")
  void answerThatLooksFinal_isRecheckedAFewTimesADay_andRecovers(Failure failure) {
    var wellFrom = time.now().plus(Duration.ofDays(2));
    poll(query -> time.now().isBefore(wellFrom) ? failure : Observation.of(new Global()), GLOBAL);
    timer.advanceTimeBy(Duration.ofDays(1));
    assertThat(polled).hasSizeBetween(9, 12);
    timer.advanceTimeBy(Duration.ofHours(23));
    assertThat(polled).hasSizeBetween(12, 17);
    timer.advanceTimeBy(Duration.ofHours(9));

    assertThat(ends).isEmpty();
    assertThat(snapshots.getLast().complete()).isTrue();
    assertThat(snapshots).filteredOn(Snapshot::complete).hasSizeGreaterThan(20);
  }

  @Test
  void notFound_isConfirmedByRepeats_whileOthersAreAnswered() {
    poll(query -> query.equals(GLOBAL.query()) ? Observation.of(new Global()) : new Failure.NotFound("404"), GLOBAL,
        token("0x1"));
    timer.advanceTimeBy(Duration.ofHours(3));

    assertThat(unknown()).hasSize(8).containsSubsequence(false, false, false, false, false, true, true);
  }

  @Test
  void notFoundOfATargetThatWasRemovedMeanwhile_keepsNoOtherFromConfirmation() {
    var pollers = new ArrayList<Poller>();
    var removed = token("0x2");
    pollers.add(poller(query -> {
      if (query.equals(removed.query())) {
        pollers.getFirst().unwatch(removed.name());
      }
      return query.equals(GLOBAL.query()) ? Observation.of(new Global()) : new Failure.NotFound("404");
    }, GLOBAL, token("0x1"), removed));
    subscribe(pollers.getFirst());
    timer.advanceTimeBy(Duration.ofHours(3));

    assertThat(snapshots).filteredOn(each -> each.target().equals(removed)).hasSize(1);
    assertThat(unknown()).contains(true);
  }

  @Test
  void notFoundOfMostOfTheSource_isNeverConfirmed() {
    poll(query -> query.equals(GLOBAL.query()) ? Observation.of(new Global()) : new Failure.NotFound("404"), GLOBAL,
        token("0x1"), token("0x2"));
    timer.advanceTimeBy(Duration.ofDays(1));

    assertThat(unknown()).hasSizeGreaterThan(10).containsOnly(false);
  }

  @Test
  void notFoundOfAList_isNeverConfirmed() {
    poll(query -> query instanceof Query.NewPools ? new Failure.NotFound("404") : Observation.of(new Global()), GLOBAL,
        list(1));
    timer.advanceTimeBy(Duration.ofDays(1));

    assertThat(unknown()).hasSizeGreaterThan(8).containsOnly(false);
  }

  /** Of each "not found", whether it is confirmed. */
  private List<Boolean> unknown() {
    return snapshots.stream().map(Snapshot::failure).filter(Failure.NotFound.class::isInstance)
        .map(failure -> ((Failure.NotFound) failure).isConfirmed()).toList();
  }

  @Test
  void pagesBeyondThePlan_areLeftOutForAWhile() {
    var wellFrom = time.now().plus(Duration.ofMinutes(20));
    poll(query -> page(query) > 2 && time.now().isBefore(wellFrom) ? new Failure.NotInPlan("page") : poolsOf(20),
        NEW_POOLS);
    timer.advanceTimeBy(Duration.ofMinutes(20));
    assertThat(polled).filteredOn(query -> page(query) == 3).hasSizeBetween(4, 6);
    assertThat(polled).filteredOn(query -> page(query) == 1).hasSizeBetween(19, 22);
    timer.advanceTimeBy(Duration.ofMinutes(25));

    assertThat(snapshots.getLast().pages()).hasSize(3);
    assertThat(snapshots.getLast().complete()).isTrue();
  }

  @Test
  void tooManyCalls_pauseThenGoOn() {
    var calls = new AtomicInteger();
    var limited = new Failure.RateLimited("429", Duration.ofSeconds(30));
    poll(query -> calls.getAndIncrement() == 0 ? limited : Observation.of(new Global()), GLOBAL);
    timer.advanceTimeBy(Duration.ofSeconds(29));
    assertThat(snapshots).hasSize(1);
    timer.advanceTimeBy(Duration.ofSeconds(2));

    assertThat(snapshots).hasSize(2);
    assertThat(snapshots.getLast().complete()).isTrue();
  }

  @Test
  void oneTargetAlwaysRateLimited_theOthersAreStillPolled() {
    var limited = new Failure.RateLimited("429", Duration.ofSeconds(30));
    var token = new Target("main", "token", new Query.TokenByAddress("eth", "0x1", false, false, false), 1);
    poll(query -> query instanceof Query.GlobalMarket ? Observation.of(new Global()) : limited, token, GLOBAL);
    timer.advanceTimeBy(Duration.ofHours(1));

    assertThat(snapshots).filteredOn(Snapshot::complete).hasSizeGreaterThan(40);
    assertThat(snapshots).filteredOn(each -> !each.complete()).hasSizeBetween(10, 20);
  }

  /** Ten minutes in which everything is refused, then none. */
  @ParameterizedTest
  @CsvSource({"PT30S, 21", "PT0S, 11", ", 11", "-PT5S, 11", "PT24H, 2"})
  void stormOfTooManyCalls_isPolledOncePerPauseAndSurvived(@Nullable Duration retryAfter, int most) {
    var over = time.now().plus(Duration.ofMinutes(10));
    var limited = new Failure.RateLimited("429", retryAfter);
    var token = new Target("main", "token", new Query.TokenByAddress("eth", "0x1", false, false, false), 1);
    poll(query -> time.now().isBefore(over) ? limited : Observation.of(new Global()), GLOBAL, token);
    timer.advanceTimeBy(Duration.ofMinutes(10));
    assertThat(polled.size()).as("both targets, when the storm begins together").isBetween(2, 2 * most);
    timer.advanceTimeBy(Duration.ofMinutes(5));

    assertThat(ends).isEmpty();
    assertThat(snapshots).anyMatch(Snapshot::complete);
  }

  @Test
  void listWithMorePagesThanTheMonthHasCalls_leavesTheCallsToOthers() {
    var limiter = new BudgetLimiter(
        PollFixtures.plan(10, 1_000, 1, 998, 1), null, 0, budget -> Mono.empty(), () -> true, service(), time);
    var watched = List.of(new WatchedTarget(NEW_POOLS, MINUTE, 10), new WatchedTarget(GLOBAL, MINUTE, 1));
    var schedule = new Schedule(new WatchList(watched, List.of()), name -> null, time);

    subscribe(new Poller(new Market(query -> Mono.just(Observation.of(new Global()))), limiter, schedule, time, 8,
        due -> {}));

    assertThat(snapshots).extracting(Snapshot::target).containsExactly(GLOBAL);
  }

  @Test
  void refusedKey_isTriedByALongList_ifTheOtherHasFewCallsLeft() {
    var limits = new PlanLimits(List.of(new KeyLimits("1", 500, 2), new KeyLimits("2", 500, 1_000_000)), 1, 0, 1);
    var limiter = new BudgetLimiter(limits, null, 0, budget -> Mono.empty(), () -> true, service(), time);
    var refused = limiter.refused(1, KeyStatus.REFUSED, "401");
    var market = new Market(query -> Poller.keyOfRequest().doOnNext(keysUsed::add)
        .map(key -> query instanceof Query.GlobalMarket ? Observation.of(new Global()) : poolsOf(20)));

    subscribe(new Poller(market, limiter, schedule(NEW_POOLS, GLOBAL), time, 256, due -> {}));
    timer.advanceTimeBy(Duration.ofSeconds(5));
    assertThat(keysUsed).as("of the other target").containsExactly(0);
    timer.advanceTimeBy(Duration.ofHours(1));

    assertThat(refused).isTrue();
    assertThat(keysUsed).contains(1);
  }

  @Test
  void creditsUsedUp_triesAFewTimesADay_untilTheServicesMonthEnds() {
    var wellFrom = time.now().plus(Duration.ofDays(3));
    var usedUp = new Failure.CreditsExhausted("10,000 calls");
    poll(query -> time.now().isBefore(wellFrom) ? usedUp : Observation.of(new Global()), GLOBAL);
    timer.advanceTimeBy(Duration.ofDays(3));
    assertThat(polled).hasSizeBetween(15, 26);
    timer.advanceTimeBy(Duration.ofHours(8));

    assertThat(snapshots).filteredOn(Snapshot::complete).hasSizeGreaterThan(30);
  }

  @Test
  void slowReader_isNotOverrun() {
    var reader = new BaseSubscriber<Snapshot>() {
      @Override
      protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
        subscription.request(5);
      }
    };

    poller(query -> Observation.of(new Global()), globals(50)).snapshots().subscribe(reader);
    timer.advanceTimeBy(Duration.ofHours(1));

    assertThat(polled).hasSizeBetween(5, 5 + 8);
  }

  /** Snapshots wait side by side for a slow reader, so one of the same target could overtake another. */
  @Test
  void targetWhoseSnapshotWaits_isNotPolledAgain() {
    var reader = new BaseSubscriber<Snapshot>() {
      @Override
      protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
        subscription.request(1);
      }
    };

    poller(query -> Observation.of(new Global()), GLOBAL).snapshots().subscribe(reader);
    timer.advanceTimeBy(Duration.ofHours(1));
    assertThat(polled).as("the snapshot that was taken, and the one that waits").hasSize(2);

    reader.request(1);
    timer.advanceTimeBy(Duration.ofHours(1));
    assertThat(polled).hasSize(3);
  }

  @Test
  void severalTargets_arePolledTogetherButNeverOneTwice() {
    var open = Collections.synchronizedList(new ArrayList<String>());
    var together = new AtomicInteger();
    var slow = new Market(query -> Mono.delay(MINUTE.multipliedBy(2), timer)
        .doOnSubscribe(s -> {
          open.add(query.toString());
          together.accumulateAndGet(open.size(), Math::max);
          assertThat(open).doesNotHaveDuplicates();
        })
        .doFinally(s -> open.remove(query.toString()))
        .thenReturn(Observation.of(new Global())));
    var token = new Target("main", "token", new Query.TokenByAddress("eth", "0x1", false, false, false), 1);

    subscribe(poller(slow, GLOBAL, token));
    timer.advanceTimeBy(Duration.ofHours(1));

    assertThat(together).hasValue(2);
    assertThat(ends).isEmpty();
    assertThat(snapshots).hasSizeGreaterThan(40);
  }

  /**
   * Every call counts from its permission until 61 s after its answer, so the whole budget is that many calls in 61 s and
   * the latency. What is missing from it here is the end of a period that is cut off.
   */
  @ParameterizedTest
  @CsvSource({
    "30, 0.1", "30, 1", "30, 2", "30, 5",
    "500, 0.1", "500, 1", "500, 2", "500, 5",
    "1000, 0.1", "1000, 1", "1000, 2", "1000, 5",
  })
  void wholeBudget_isUsedAtAnyLatency(int perMinute, double seconds) {
    var latency = Duration.ofMillis((long) (1_000 * seconds));
    var answeredAt = new ArrayList<Instant>();
    var service = new Market(query -> Mono.delay(latency, timer)
        .doOnNext(late -> answeredAt.add(time.now()))
        .thenReturn(Observation.of(new Global())));

    subscribe(poller(service, perMinute, globals(perMinute + 50)));
    timer.advanceTimeBy(MINUTE.multipliedBy(3));
    answeredAt.clear();
    timer.advanceTimeBy(MINUTE.multipliedBy(5));

    assertThat(answeredAt.size() / 5.0)
        .isBetween(0.95 * perMinute * 60 / (61 + seconds), (double) perMinute);
    assertThat(mostIn(MINUTE, answeredAt)).isLessThanOrEqualTo(perMinute);
  }

  @Test
  void callsInFlight_followTheLatency_withinTheirBound() {
    var open = new AtomicInteger();
    var most = new AtomicInteger();
    var latency = new AtomicReference<>(Duration.ofMillis(100));
    var service = new Market(query -> Mono.defer(() -> Mono.delay(latency.get(), timer))
        .doOnSubscribe(s -> most.accumulateAndGet(open.incrementAndGet(), Math::max))
        .doOnTerminate(open::decrementAndGet)
        .thenReturn(Observation.of(new Global())));

    subscribe(poller(service, 1_000, globals(1_100)));
    timer.advanceTimeBy(MINUTE.multipliedBy(2));
    assertThat(most).as("fast").hasValueLessThanOrEqualTo(8);

    latency.set(Duration.ofSeconds(5));
    timer.advanceTimeBy(MINUTE.multipliedBy(5));
    assertThat(most).as("1000 a minute of 5 s each: 83, and a quarter more").hasValueBetween(83, 105);

    latency.set(MINUTE);
    timer.advanceTimeBy(MINUTE.multipliedBy(10));
    assertThat(most).as("the bound").hasValueBetween(200, 256);
  }

  @Test
  void serviceThatDoesNotAnswer_getsNoMoreCallsAtATime() {
    var open = new AtomicInteger();
    var most = new AtomicInteger();
    var service = new Market(query -> Mono.delay(Duration.ofSeconds(30), timer)
        .doOnSubscribe(s -> most.accumulateAndGet(open.incrementAndGet(), Math::max))
        .doOnTerminate(open::decrementAndGet)
        .thenReturn(new Failure.Unreachable("no byte", null)));

    subscribe(poller(service, 1_000, globals(1_100)));
    timer.advanceTimeBy(MINUTE.multipliedBy(10));

    assertThat(most).hasValue(8);
  }

  @Test
  void endOfPolling_abandonsAllCallsInFlightAtOnce() {
    var open = new AtomicInteger();
    var latency = new AtomicReference<>(Duration.ofSeconds(5));
    var service = new Market(query -> Mono.defer(() -> Mono.delay(latency.get(), timer))
        .doOnSubscribe(s -> open.incrementAndGet())
        .doFinally(s -> open.decrementAndGet())
        .thenReturn(Observation.of(new Global())));
    var polling = poller(service, 1_000, globals(1_100)).snapshots().subscribe(snapshots::add, ends::add);
    timer.advanceTimeBy(MINUTE.multipliedBy(3));
    assertThat(open).hasValueGreaterThan(60);
    var sent = polled.size();

    polling.dispose();

    assertThat(open).hasValue(0);
    timer.advanceTimeBy(MINUTE.multipliedBy(3));
    assertThat(polled).hasSize(sent);
  }

  @Test
  void lostLease_stopsEveryFurtherCall_howeverManyAreInFlight() {
    var held = new AtomicBoolean(true);
    var service = new Market(query -> Mono.delay(Duration.ofSeconds(5), timer)
        .thenReturn(Observation.of(new Global())));
    subscribe(new Poller(service, limiter(1_000, held::get), schedule(globals(1_100)), time, 256, due -> {}));
    timer.advanceTimeBy(MINUTE.multipliedBy(3));
    var sent = polled.size();

    held.set(false);
    timer.advanceTimeBy(MINUTE.multipliedBy(3));
    assertThat(polled).hasSize(sent);

    held.set(true);
    timer.advanceTimeBy(MINUTE);
    assertThat(polled).hasSizeGreaterThan(sent + 800);
  }

  private static Target[] globals(int count) {
    return Stream.iterate(0, i -> i + 1)
        .limit(count)
        .map(i -> new Target("main", "/global" + i, new Query.GlobalMarket(), 1))
        .toArray(Target[]::new);
  }

  /** The largest number of times within any such span. */
  private static int mostIn(Duration span, List<Instant> times) {
    var most = 0;
    var first = 0;
    for (int last = 0; last < times.size(); last++) {
      while (!times.get(first).isAfter(times.get(last).minus(span))) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }

  private void poll(Function<Query<?>, Object> answers, Target... targets) {
    subscribe(poller(answers, targets));
    timer.advanceTimeBy(Duration.ofSeconds(1));
  }

  private void subscribe(Poller poller) {
    poller.snapshots().subscribe(snapshots::add, ends::add);
  }

  private Poller poller(Function<Query<?>, Object> answers, Target... targets) {
    return poller(new Market(query -> Mono.delay(LATENCY, timer).map(late -> answers.apply(query))), targets);
  }

  private Poller poller(MarketData market, Target... targets) {
    return poller(market, 1_000, targets);
  }

  private BudgetLimiter limiter(int perMinute) {
    return limiter(perMinute, () -> true);
  }

  private BudgetLimiter limiter(int perMinute, BooleanSupplier leaseHeld) {
    return new BudgetLimiter(
        PollFixtures.plan(perMinute, 1_000_000_000), null, 0, budget -> Mono.empty(), leaseHeld, service(), time);
  }

  private Poller poller(MarketData market, int perMinute, Target... targets) {
    return new Poller(market, limiter(perMinute), schedule(targets), time, 256, due -> {});
  }

  private Schedule schedule(Target... targets) {
    var watched = Stream.of(targets).map(target -> new WatchedTarget(target, MINUTE, 1)).toList();
    return new Schedule(new WatchList(watched, List.of()), name -> null, time);
  }

  private static Target token(String address) {
    return new Target("main", address, new Query.TokenByAddress("eth", address, false, false, false), 1);
  }

  private static Target day(LocalDate date) {
    return new Target("main", "/history?date=" + date, new Query.CoinHistory("bitcoin", date, false), 1);
  }

  private ServiceClock service() {
    var service = new ServiceClock(time.nanos());
    service.update(time.now());
    return service;
  }

  private static Target list(int pages) {
    return new Target("main", "/new_pools", new Query.NewPools("eth", Set.of(), 1, false), pages);
  }

  private static int page(Query<?> query) {
    return ((Query.Paged<?>) query).page();
  }

  private static Function<Query<?>, Object> pools(int... sizes) {
    return query -> poolsOf(sizes[page(query) - 1]);
  }

  private static OnChainAnswer<List<Observation<Pool>>> poolsOf(int size) {
    return new OnChainAnswer<>(Collections.nCopies(size, Observation.of(new Pool())), null);
  }

  /** A body that is not what the document says. */
  private record Garbled() implements Body<Object> {
    @Override
    public Object read() {
      throw new Failure.Unreadable("no JSON", raw(), 200, Map.of());
    }

    @Override
    public byte[] raw() {
      return new byte[] {'<'};
    }
  }

  /** A market that answers with what a function says: a value, or a failure. */
  private final class Market implements MarketData {

    private final Function<Query<?>, Mono<?>> answers;

    Market(Function<Query<?>, Mono<?>> answers) {
      this.answers = answers;
    }

    @SuppressWarnings("unchecked")
    private <A> Mono<Answer<A>> answer(Query<A> query) {
      return Mono.defer(() -> {
        polled.add(query);
        return answers.apply(query);
      })
          .flatMap(value -> value instanceof Failure failure ? Mono.error(failure) : Mono.just(value))
          .map(value -> new Answer<>(
              query, (Body<A>) body(value), Integer.toString(value.hashCode()), time.now(), time.now(), null, null,
              null, age));
    }

    private Body<?> body(Object value) {
      return value instanceof Garbled garbled ? garbled : Body.of(value);
    }

    @Override
    public Mono<Answer<OnChainAnswer<TokenAnswer>>> token(Query.TokenByAddress query) {
      return answer(query);
    }

    @Override
    public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> dexPools(Query.DexPools query) {
      return answer(query);
    }

    @Override
    public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> trendingPools(Query.TrendingPools query) {
      return answer(query);
    }

    @Override
    public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> newPools(Query.NewPools query) {
      return answer(query);
    }

    @Override
    public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> searchPools(Query.SearchPools query) {
      return answer(query);
    }

    @Override
    public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> tokenPools(Query.TokenPools query) {
      return answer(query);
    }

    @Override
    public Mono<Answer<OnChainAnswer<Observation<Pool>>>> pool(Query.PoolByAddress query) {
      return answer(query);
    }

    @Override
    public Mono<Answer<Observation<Global>>> global(Query.GlobalMarket query) {
      return answer(query);
    }

    @Override
    public Mono<Answer<Observation<CoinDay>>> coinHistory(Query.CoinHistory query) {
      return answer(query);
    }

    @Override
    public Mono<Answer<TickersAnswer>> coinTickers(Query.CoinTickers query) {
      return answer(query);
    }

    @Override
    public Mono<Answer<DerivativesAnswer>> derivativesExchange(Query.DerivativesExchangeById query) {
      return answer(query);
    }

    @Override
    public Mono<Answer<TreasuryAnswer>> treasury(Query.PublicTreasury query) {
      return answer(query);
    }

    @Override
    public Mono<Answer<List<Observation<Platform>>>> assetPlatforms(Query.AssetPlatforms query) {
      return answer(query);
    }
  }
}
