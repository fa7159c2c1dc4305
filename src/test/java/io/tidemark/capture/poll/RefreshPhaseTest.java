package io.tidemark.capture.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.poll.AgeIndex.CacheKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefreshPhaseTest {

  static final double PERIOD = 60;
  static final double ROUND_TRIP = 0.15;

  final RefreshPhase phase = new RefreshPhase(PERIOD);
  final Random random = new Random(1);
  double now = 1000;
  int early;
  boolean wholeSeconds;

  @Test
  void noAges_nextPollIsAPeriodAfterTheLast() {
    phase.answered(now, now + ROUND_TRIP, Double.NaN);

    assertThat(phase.nextUseful(now, 0)).isEqualTo(now + PERIOD);
  }

  @Test
  void cacheOnASchedule_isPolledRightAfterItsRefresh() {
    var late = pollScheduled(100, 17.3, 0);

    assertThat(late).isLessThan(ROUND_TRIP + 0.1);
    assertThat(early).as("until it was sharp").isLessThan(12);
    assertThat(phase.isRefreshedByRequests()).isFalse();
  }

  @Test
  void steadyRefreshes_areFollowedWithHardlyAnEarlyPoll() {
    pollScheduled(100, 17.3, 0);
    early = 0;

    var late = pollScheduled(1000, 17.3, 0);

    assertThat(late).isLessThan(0.01 * PERIOD);
    assertThat(early).isBetween(1, 25);
  }

  @Test
  void refreshesWithJitter_areFollowedWithFewEarlyPolls() {
    pollScheduled(100, 17.3, 0.5);
    early = 0;

    var late = pollScheduled(200, 17.3, 0.5);

    assertThat(late).isLessThan(1.5);
    assertThat(early).isLessThan(30);
  }

  @ParameterizedTest
  @ValueSource(doubles = {17.05, 17.3, 17.6, 17.95})
  void agesInWholeSeconds_areRecognized_withHardlyAnEarlyPoll(double offset) {
    wholeSeconds = true;
    pollScheduled(100, offset, 0);
    early = 0;

    var late = pollScheduled(1000, offset, 0);

    assertThat(late).isLessThan(0.01 * PERIOD);
    assertThat(early).isLessThan(30);
  }

  @Test
  void phaseThatJumps_isFoundAgain() {
    pollScheduled(50, 17.3, 0);

    var late = pollScheduled(30, 41.7, 0);

    assertThat(late).isLessThan(ROUND_TRIP + 0.2);
  }

  @Test
  void clockSetBackDuringACall_delaysNoLaterPoll() {
    pollScheduled(100, 17.3, 0);
    phase.answered(now, now - 0.8, 0);
    pollScheduled(10, 17.3, 0);
    early = 0;

    var late = pollScheduled(1000, 17.3, 0);

    assertThat(late).isLessThan(0.5);
    assertThat(early).isLessThan(30);
  }

  @ParameterizedTest
  @EnumSource(CacheKind.class)
  void answerOlderThanAPeriod_nextPollIsAtTheNextRefreshOfTheSameGrid(CacheKind kind) {
    var known = new RefreshPhase(120);
    known.restore(-311, 1, kind);

    known.answered(0, ROUND_TRIP, 311);

    assertThat(known.nextUseful(0, 0)).isBetween(48.0, 50.0);
    assertThat(known.nextUseful(0, 0.6)).isBetween(48.0, 50.0);
    known.answered(60, 60 + ROUND_TRIP, 371);
    assertThat(known.nextUseful(60, 0)).isBetween(168.0, 170.0);
  }

  @Test
  void refreshThatIsALittleLate_isAwaitedWithinTheUsualDeviation() {
    pollScheduled(100, 17.3, 0);
    var refresh = 17.3 + PERIOD * Math.ceil((now - 17.3) / PERIOD);
    var sent = refresh + 2;

    phase.answered(sent, sent + ROUND_TRIP, 62);

    assertThat(phase.nextUseful(sent, 0.5)).isBetween(sent + 1, refresh + 0.15 * PERIOD + 1);
  }

  @Test
  void cacheThatRequestsRefresh_isPolledAPeriodAfterTheFill() {
    var filled = Double.NEGATIVE_INFINITY;
    var same = 0;
    var wait = 0.0;
    for (int k = 0; k < 100; k++) {
      var served = now + ROUND_TRIP / 2;
      if (served >= filled + PERIOD) {
        filled = served;
      } else {
        same++;
      }
      phase.answered(now, now + ROUND_TRIP, Math.floor(served - filled));
      var next = phase.nextUseful(now, 0);
      wait = next - filled;
      // the budget lets some polls wait
      now = next + (k % 3 == 0 ? 7 * random.nextDouble() : 0);
    }

    assertThat(phase.isRefreshedByRequests()).isTrue();
    assertThat(same).isLessThan(6);
    assertThat(wait).isBetween(PERIOD, PERIOD + 0.5);
  }

  /** Each poll comes as soon as it is useful, so none shows by being late that the cache waited for it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cacheThatRequestsRefresh_isRecognizedWithBudgetToSpare(boolean differencesOfSeconds) {
    var filled = Double.NEGATIVE_INFINITY;
    var early = 0;
    var late = 0.0;
    for (int k = 0; k < 100; k++) {
      var roundTrip = ROUND_TRIP * (0.8 + 0.4 * random.nextDouble());
      var served = now + roundTrip / 2;
      if (served >= filled + PERIOD) {
        late = k < 50 ? 0 : Math.max(late, served - filled - PERIOD);
        filled = served;
      } else if (k >= 50) {
        early++;
      }
      phase.answered(now, now + roundTrip,
          differencesOfSeconds ? Math.floor(served) - Math.floor(filled) : Math.floor(served - filled));
      now = phase.nextUseful(now + roundTrip, 0.6 * random.nextDouble());
    }

    assertThat(phase.isRefreshedByRequests()).isTrue();
    assertThat(early).isZero();
    assertThat(late).isLessThan(0.5);
  }

  /** Two polls wait until no refresh on a schedule can be a second ago, and find one of that moment. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cacheFilledOnRequest_isRecognizedByTheFourthPoll_noneEarly(boolean differencesOfSeconds) {
    wholeSeconds = differencesOfSeconds;
    var polls = new CachePolls(8, true);

    polls.poll(4);
    assertThat(polls.phase.kind()).isEqualTo(CacheKind.ON_REQUEST);
    polls.poll(200);

    assertThat(polls.early).isZero();
    assertThat(polls.quantile(0.99)).isLessThan(0.15 * 8);
  }

  @ParameterizedTest
  @CsvSource({"8, false", "8, true", "30, false", "30, true"})
  void roundTripsOfABusyMachine_areTakenForNoOtherKindOfCache(double period, boolean byRequests) {
    wholeSeconds = true;
    for (int seed = 1; seed <= 30; seed++) {
      random.setSeed(seed);
      var polls = new CachePolls(period, byRequests);
      polls.busy = true;
      polls.poll(20);
      polls.measure();
      polls.poll(200);

      assertThat(polls.quantile(0.5)).isLessThan(0.03 * period);
      assertThat(polls.quantile(0.99)).isLessThan(0.15 * period);
      assertThat(polls.early).isLessThanOrEqualTo((int) (0.03 * 200));
      assertThat(polls.phase.kind()).isEqualTo(byRequests ? CacheKind.ON_REQUEST : CacheKind.ON_SCHEDULE);
    }
  }

  /** What is late is found by the next poll, not by the one a period later. */
  @Test
  void pollBeforeTheRefresh_isRepeatedAtOnce() {
    var polls = new CachePolls(8, false);
    polls.poll(30);
    polls.measure();
    polls.busy = true;
    polls.poll(500);

    assertThat(polls.quantile(1)).isLessThan(1);
  }

  @Test
  void kindThatIsKnown_isNotWaitedForAgainAfterARestart() {
    var polls = new CachePolls(8, true);
    polls.poll(10);
    var restarted = new RefreshPhase(8);

    restarted.restore(polls.phase.refreshedAt(), 1, polls.phase.kind());

    assertThat(restarted.nextUseful(polls.time, 0.5)).isLessThan(polls.phase.refreshedAt() + 8.1);
  }

  /** Polls of a cache of one kind, as its phase says, with round trips of this machine. */
  private final class CachePolls {

    final RefreshPhase phase;
    final double period;
    final boolean byRequests;
    final List<Double> waits = new ArrayList<>();
    double time = 1000 + random.nextDouble();
    double filled = Double.NEGATIVE_INFINITY;
    /** Whether some round trips take much longer than most, and polls are late. */
    boolean busy;
    int early;
    int polled;

    CachePolls(double period, boolean byRequests) {
      this.phase = new RefreshPhase(period);
      this.period = period;
      this.byRequests = byRequests;
    }

    void measure() {
      early = 0;
      waits.clear();
    }

    void poll(int polls) {
      for (int k = 0; k < polls; k++) {
        var sent = time + (busy ? late(0.005, 30, 0.2) : 0.001);
        var served = sent + (busy ? 0.003 + late(0.01, 20, 0.2) : 0.003);
        var received = served + (busy ? 0.005 + late(0.015, 20, 0.3) : 0.005);
        var refresh = byRequests ? filled + period : 17.3 + Math.floor((served - 17.3) / period) * period;
        if (byRequests ? served < refresh : refresh == filled) {
          early++;
        } else {
          if (polled > 0) {
            waits.add(served - refresh);
          }
          filled = byRequests ? served : refresh;
        }
        phase.answered(sent, received,
            wholeSeconds ? Math.floor(served) - Math.floor(filled) : Math.floor(served - filled));
        time = Math.max(received, phase.nextUseful(sent, polled++ == 0 ? 0 : 0.4 + 0.2 * random.nextDouble()));
      }
    }

    private double late(double mean, int seldom, double most) {
      return -mean * Math.log(1 - random.nextDouble()) + (random.nextInt(seldom) == 0 ? most * random.nextDouble() : 0);
    }

    double quantile(double part) {
      return waits.stream().sorted().toList().get((int) Math.min(waits.size() - 1, part * waits.size()));
    }
  }

  /** Polls as the phase says; returns how late the last ones were on average. */
  private double pollScheduled(int polls, double offset, double jitter) {
    var sum = 0.0;
    var counted = 0;
    var last = Double.NaN;
    for (int k = 0; k < polls; k++) {
      var served = now + ROUND_TRIP / 2;
      var turn = Math.floor((served - offset) / PERIOD);
      var filled = offset + turn * PERIOD + jitter * new Random((long) turn).nextDouble();
      if (filled > served) {
        filled = offset + (turn - 1) * PERIOD + jitter * new Random((long) turn - 1).nextDouble();
      }
      early += filled == last ? 1 : 0;
      if (k >= polls / 2 && filled != last) {
        sum += now + ROUND_TRIP - filled;
        counted++;
      }
      last = filled;
      phase.answered(now, now + ROUND_TRIP,
          wholeSeconds ? Math.floor(served) - Math.floor(filled) : Math.floor(served - filled));
      now = phase.nextUseful(now + ROUND_TRIP, 0.6 * random.nextDouble());
    }
    return sum / counted;
  }
}
