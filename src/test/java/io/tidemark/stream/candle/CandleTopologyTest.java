package io.tidemark.stream.candle;

import static io.tidemark.stream.PoolChanges.POOL;
import static io.tidemark.stream.PoolChanges.baseline;
import static io.tidemark.stream.PoolChanges.keyFrame;
import static io.tidemark.stream.PoolChanges.moved;
import static io.tidemark.stream.PoolChanges.notVisible;
import static io.tidemark.stream.PoolChanges.removed;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Candle;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.stream.TopologyRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CandleTopologyTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final TopologyRun run = TopologyRun.start();

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void windowWithChanges_hasOneCandleOfThem() {
    run.change(baseline(NOON.minusSeconds(30), "1.50"));
    run.change(moved(at(10), "1.50", "1.70"));
    run.change(moved(at(20), "1.70", "1.20"));
    run.change(moved(at(40), "1.20", "1.60"));
    run.until(at(65));

    assertThat(run.candles(CandleInterval.MINUTE)).singleElement().satisfies(candle -> {
      assertThat(candle.getId()).isEqualTo(POOL);
      assertThat(candle.getInterval()).isEqualTo("1m");
      assertThat(candle.getStart()).isEqualTo(NOON);
      assertThat(candle.getEnd()).isEqualTo(NOON.plusSeconds(60));
      assertThat(candle.getChanges()).isEqualTo(3);
      assertThat(candle.getVisible()).isTrue();
    });
  }

  @Test
  void candle_opensWithTheLastPriceBeforeAndKeepsDigits() {
    run.change(baseline(NOON.minusSeconds(30), "1.50"));
    run.change(moved(at(10), "1.50", "1.70"));
    run.change(moved(at(20), "1.70", "1.20"));
    run.change(moved(at(40), "1.20", "1.60"));
    run.until(at(65));

    assertThat(run.candles(CandleInterval.MINUTE)).singleElement().satisfies(candle -> {
      assertThat(prices(candle)).isEqualTo("1.50 1.70 1.20 1.60");
      assertThat(candle.getOpen()).isEqualTo(1.5);
      assertThat(candle.getHigh()).isEqualTo(1.7);
      assertThat(candle.getLow()).isEqualTo(1.2);
      assertThat(candle.getClose()).isEqualTo(1.6);
    });
  }

  @Test
  void firstPriceEver_opensItsCandle() {
    run.change(moved(at(10), null, "2.0"));
    run.change(moved(at(20), "2.0", "2.5"));
    run.until(at(65));

    assertThat(run.candles(CandleInterval.MINUTE)).singleElement()
        .satisfies(candle -> assertThat(prices(candle)).isEqualTo("2.0 2.5 2.0 2.5"));
  }

  @Test
  void windowsWithoutAChange_haveNone() {
    run.change(moved(at(10), "1.0", "2.0"));
    run.change(moved(at(190), "2.0", "3.0"));
    run.ticks(at(60), at(250));

    assertThat(run.candles(CandleInterval.MINUTE)).extracting(Candle::getStart).containsExactly(NOON, at(180));
  }

  @Test
  void baselineAndKeyFrames_areNoChange() {
    run.change(baseline(at(10), "1.0"));
    run.change(keyFrame(at(20), "1.0"));
    run.until(at(65));

    assertThat(run.candles(CandleInterval.MINUTE)).isEmpty();
  }

  @Test
  void intervals_areDrawnSideBySide() {
    run.change(moved(at(10), "1.0", "2.0"));
    run.change(moved(at(250), "2.0", "3.0"));
    run.until(at(3_605));

    assertThat(run.candles(CandleInterval.MINUTE)).hasSize(2);
    assertThat(run.candles(CandleInterval.FIVE_MINUTES)).singleElement()
        .satisfies(candle -> assertThat(prices(candle)).isEqualTo("1.0 3.0 1.0 3.0"));
    assertThat(run.candles(CandleInterval.FIFTEEN_MINUTES)).singleElement()
        .satisfies(candle -> assertThat(candle.getEnd()).isEqualTo(at(900)));
    assertThat(run.candles(CandleInterval.HOUR)).singleElement()
        .satisfies(candle -> assertThat(candle.getChanges()).isEqualTo(2));
    run.until(at(4 * 3_600 + 1));
    assertThat(run.candles(CandleInterval.FOUR_HOURS)).singleElement()
        .satisfies(candle -> assertThat(candle.getEnd()).isEqualTo(at(4 * 3_600)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 200, 500, 690, 800, 999})
  void candle_comesWithinThreeSecondsAndWithinTwoOfTicksInPhase(int phase) {
    run.change(moved(at(10), "1.0", "2.0"));
    var closedAt = NOON;
    for (var tick = at(50).plusMillis(phase); closedAt.equals(NOON); tick = tick.plusSeconds(1)) {
      run.tick(tick);
      closedAt = run.candles(CandleInterval.MINUTE).isEmpty() ? NOON : tick;
    }

    var delay = Duration.between(at(60), closedAt);
    System.out.printf("ticks %d ms after the second: the candle comes after %d ms%n", phase, delay.toMillis());
    var isInPhase = phase == 0 || phase > CandleWindows.LATENESS.toMillis();
    assertThat(delay).isLessThanOrEqualTo(isInPhase ? Duration.ofSeconds(2) : Duration.ofMillis(2_700));
    run.ticks(at(70), at(200));
    assertThat(run.candles(CandleInterval.MINUTE)).isEmpty();
  }

  @Test
  void changeCommittedSoonAfterItsWindow_isInIt() {
    run.change(moved(at(10), "1.0", "2.0"));
    run.tick(at(60));
    run.change(moved(at(59), "2.0", "9.0"), at(60).plusMillis(699));
    run.ticks(at(61), at(62));

    assertThat(run.candles(CandleInterval.MINUTE)).singleElement()
        .satisfies(candle -> assertThat(prices(candle)).isEqualTo("1.0 9.0 1.0 9.0"));
  }

  @Test
  void changeCommittedLater_isInTheWindowOfItsCommit() {
    run.change(moved(at(10), "1.0", "2.0"));
    run.tick(at(60));
    run.change(moved(at(59), "2.0", "9.0"), at(60).plusMillis(700));
    run.ticks(at(61), at(122));

    assertThat(run.candles(CandleInterval.MINUTE)).extracting(CandleTopologyTest::prices)
        .containsExactly("1.0 2.0 1.0 2.0", "2.0 9.0 2.0 9.0");
    assertThat(run.metric("late-changes-total")).isZero();
  }

  @Test
  void observations_areThoseThatChangesTellOf() {
    run.change(moved(at(10), "1.0", at(5), "2.0"));
    run.change(moved(at(30), "2.0", at(10), "3.0"));
    run.change(moved(at(45), "3.0", at(38), "4.0"));
    run.until(at(65));

    assertThat(run.candles(CandleInterval.MINUTE)).singleElement()
        .satisfies(candle -> assertThat(candle.getObservations()).isEqualTo(5)); // 5, 10, 30, 38, 45
  }

  @Test
  void openCandles_comeAtMostOnceInFiveSeconds() {
    for (var second = 1; second <= 50; second++) {
      run.change(moved(at(second), "1.0", second + ".0"));
      run.tick(at(second));
    }
    run.ticks(at(51), at(56));

    var open = run.openCandles();
    assertThat(open).hasSizeBetween(9, 12);
    assertThat(open.getLast().getCandles()).extracting(Candle::getInterval)
        .containsExactly("1m", "5m", "15m", "1h", "4h", "1d");
    assertThat(open.getLast().getCandles()).extracting(CandleTopologyTest::prices)
        .containsOnly("1.0 50.0 1.0 50.0");
    run.ticks(at(57), at(200));
    assertThat(run.openCandles()).as("without a change").isEmpty();
  }

  @Test
  void openCandlesOfAResourceThatIsRemoved_areATombstone() {
    run.change(moved(at(1), "1.0", "2.0"));
    run.ticks(at(2), at(10));
    run.change(removed(at(11), "evicted"));

    assertThat(run.openCandles()).last().isNull();
  }

  @Test
  void resourceRemovedBeforeItsOpenCandlesAreDue_hasOnlyTheTombstone() {
    run.change(moved(at(1), "1.0", "2.0"));
    run.change(removed(at(1).plusMillis(1), "not_found"));
    run.ticks(at(2), at(70));

    assertThat(run.openCandles()).singleElement().isNull();
    assertThat(run.candles(CandleInterval.MINUTE)).hasSize(1);
  }

  @Test
  void lateChange_isCountedAndLeftOut() {
    run.change(moved(at(10), "1.0", "2.0"));
    run.until(at(65));
    run.candles(CandleInterval.MINUTE);

    run.change(moved(at(50), "2.0", "9.0"));
    run.until(at(130));

    assertThat(run.candles(CandleInterval.MINUTE)).isEmpty();
    assertThat(run.metric("late-changes-total")).isEqualTo(1.0);
  }

  @Test
  void priceThatIsNoNumber_leavesTheCandleAlone() {
    run.change(moved(at(10), "1.0", "2.0"));
    run.change(moved(at(20), "2.0", "NaN"));
    run.change(moved(at(30), "NaN", null));
    run.change(moved(at(70), null, "2.5"));
    run.until(at(125));

    assertThat(run.candles(CandleInterval.MINUTE)).extracting(CandleTopologyTest::prices)
        .containsExactly("1.0 2.0 1.0 2.0", "2.0 2.5 2.0 2.5");
  }

  @Test
  void longestGap_liesBetweenPollsAndEdges() {
    run.change(moved(at(10), "1.0", at(5), "2.0"));
    run.change(moved(at(45), "2.0", at(38), "3.0"));
    run.until(at(65));

    assertThat(run.candles(CandleInterval.MINUTE)).singleElement()
        .satisfies(candle -> assertThat(candle.getLongestGap()).isEqualTo(28.0));
  }

  @Test
  void changesOutOfOrder_closeWithTheNewest() {
    run.change(moved(at(40), "1.0", "2.0"));
    run.change(moved(at(20), "1.0", "0.5"));
    run.until(at(65));

    assertThat(run.candles(CandleInterval.MINUTE)).singleElement()
        .satisfies(candle -> assertThat(prices(candle)).isEqualTo("1.0 2.0 0.5 2.0"));
  }

  @Test
  void candle_hasTheNewestNameOfItsPool() {
    var second = 10;
    for (var name : Arrays.asList("OLD / SOL", "NEW / SOL", null)) {
      var change = moved(at(second), "1.0", String.valueOf(second));
      change.getAbout().setName(name);
      run.change(change);
      second += 10;
    }
    run.until(at(65));

    assertThat(run.candles(CandleInterval.MINUTE)).extracting(Candle::getName).containsExactly("NEW / SOL");
  }

  @Test
  void poolNotVisible_isMarkedInItsCandle() {
    run.change(moved(at(10), "1.0", "2.0"));
    run.change(notVisible(at(1_000)));
    run.until(at(3_605));

    assertThat(run.candles(CandleInterval.MINUTE)).singleElement()
        .satisfies(candle -> assertThat(candle.getVisible()).isTrue());
    assertThat(run.candles(CandleInterval.HOUR)).singleElement()
        .satisfies(candle -> assertThat(candle.getVisible()).isFalse());
  }

  @Test
  void withoutTicks_nothingEnds() {
    run.change(moved(at(10), "1.0", "2.0"));
    run.change(moved(at(10_000), "2.0", "3.0"));

    assertThat(run.candles(CandleInterval.MINUTE)).isEmpty();
  }

  private static Instant at(int second) {
    return NOON.plusSeconds(second);
  }

  private static String prices(Candle candle) {
    return String.join(
        " ", candle.getOpenText(), candle.getHighText(), candle.getLowText(), candle.getCloseText());
  }
}
