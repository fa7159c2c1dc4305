package io.tidemark.stream.candle;

import static io.tidemark.stream.PoolChanges.POOL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.event.Candle;
import io.tidemark.event.Control;
import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolActivityChange;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Windows;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.stream.CountingStore;
import io.tidemark.stream.PoolChanges;
import io.tidemark.stream.TaskRun;
import io.tidemark.stream.TopologyRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The volume of candles against the trades that the rolling windows were made of. */
class VolumeBoundsTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final int HOURS = 30;

  @ParameterizedTest
  @CsvSource({"1, 60, 0", "2, 60, 7", "3, 300, 0", "4, 20, 3", "5, 900, 60"})
  void estimate_isNeverFurtherOffThanItsError(long seed, int pollSeconds, int jitterSeconds) {
    var random = new Random(seed);
    var trades = trades(random);
    var candles = candles(trades, random, pollSeconds, jitterSeconds);

    for (var interval : CandleInterval.values()) {
      var all = candles.stream().filter(candle -> candle.getInterval().equals(interval.label())).toList();
      var estimated = all.stream().filter(candle -> candle.getVolumeUsdEstimate() != null).toList();
      assertThat(estimated).allSatisfy(candle -> assertThat(traded(trades, candle))
          .isCloseTo(candle.getVolumeUsdEstimate(), within(candle.getVolumeUsdError() + 1e-6)));
      System.out.printf("polls of %d s, %s: %d candles, %d with a volume, mean error %.1f %%%n", pollSeconds,
          interval.label(), all.size(), estimated.size(), 100 * estimated.stream()
              .mapToDouble(candle -> candle.getVolumeUsdError() / candle.getVolumeUsdEstimate()).average().orElse(0));
    }
    assertThat(candles.stream().filter(candle -> candle.getVolumeUsdEstimate() != null))
        .hasSizeGreaterThan(candles.size() / 3);
  }

  @Test
  void candlesOfAnHour_goOnWhereTheLastOneEnded() {
    var random = new Random(1);
    var hours = candles(trades(random), random, 60, 0).stream()
        .filter(candle -> candle.getInterval().equals("1h") && candle.getVolumeUntil() != null)
        .toList();

    assertThat(hours).hasSizeGreaterThan(20);
    for (var n = 1; n < hours.size(); n++) {
      assertThat(hours.get(n).getVolumeSince()).isEqualTo(hours.get(n - 1).getVolumeUntil());
    }
  }

  @Test
  void windowsThatContradictEachOther_giveNoEstimate() {
    try (var run = TopologyRun.start()) {
      run.change(change(NOON, "1.0", "2.0", new Windows("100", "100", "100", "100", "100", "100")));
      run.change(change(NOON.plusSeconds(10), "2.0", "3.0", new Windows("10", null, null, null, null, "100000")));
      run.until(NOON.plusSeconds(65));

      assertThat(run.candles(CandleInterval.MINUTE)).singleElement().satisfies(candle -> {
        assertThat(candle.getVolumeUsdEstimate()).isNull();
        assertThat(candle.getVolumeUsdError()).isNull();
      });
    }
  }

  @Test
  void volumesThatAreNoAmounts_giveNoEstimate() {
    try (var run = TopologyRun.start()) {
      run.change(change(NOON, "1.0", "2.0", new Windows("NaN", "-5", null, "x", null, "")));
      run.change(change(NOON.plusSeconds(10), "2.0", "3.0", new Windows("-1", "NaN", null, null, null, null)));
      run.until(NOON.plusSeconds(65));

      assertThat(run.candles(CandleInterval.MINUTE)).singleElement()
          .satisfies(candle -> assertThat(candle.getVolumeUsdEstimate()).isNull());
    }
  }

  /** What was traded in USD, by its time. */
  private static NavigableMap<Instant, Double> trades(Random random) {
    var trades = new TreeMap<Instant, Double>();
    for (var at = NOON.minus(Duration.ofHours(25)); at.isBefore(NOON.plus(Duration.ofHours(HOURS)));) {
      trades.put(at, Math.floor(1 + random.nextDouble() * 1_000));
      at = at.plusMillis(1 + (long) (random.nextDouble() * 120_000));
    }
    return trades;
  }

  private static List<Candle> candles(
      NavigableMap<Instant, Double> trades, Random random, int pollSeconds, int jitterSeconds) {
    var task = new TaskRun<SpecificRecord, SpecificRecord>(
        TaskRun.withResources((resources, context,
            output) -> new Candles(new BuiltInRegistry(List.of()), resources, context, output)::process),
        0, List.of(
            TaskRun.resources(), new CountingStore<String>(Candles.ENDS),
            new CountingStore<Long>(Candles.CLOSED), new CountingStore<String>(Candles.CHANGED)));
    var published = new ArrayList<SpecificRecord>();
    var price = 1.0;
    for (var second = 0; second < HOURS * 3_600; second += pollSeconds) {
      var at = NOON.plusSeconds(second + (jitterSeconds == 0 ? 0 : random.nextInt(jitterSeconds)));
      task.process(POOL, change(at, price + "", (price + 1) + "", windows(trades, at)), at);
      price++;
      published.addAll(task.process("", tick(at.plusSeconds(1)), at.plusSeconds(1)));
      published.addAll(task.process("", tick(at.plusSeconds(2)), at.plusSeconds(2)));
    }
    var end = NOON.plus(Duration.ofDays(2));
    task.process("", tick(end), end);
    published.addAll(task.process("", tick(end.plusSeconds(1)), end.plusSeconds(1)));
    return published.stream()
        .filter(Candle.class::isInstance)
        .map(each -> SpecificData.get().deepCopy(Candle.getClassSchema(), (Candle) each))
        .toList();
  }

  private static Control tick(Instant at) {
    return Control.newBuilder().setAt(at).build();
  }

  private static PoolChange change(Instant at, String before, String after, Windows volume) {
    var change = PoolChanges.moved(at, before, after);
    change.setActivity(
        PoolActivityChange.newBuilder().setAfter(PoolActivity.newBuilder().setVolumeUsd(volume).build()).build());
    return change;
  }

  private static Windows windows(NavigableMap<Instant, Double> trades, Instant at) {
    return new Windows(
        window(trades, at, 5), window(trades, at, 15), window(trades, at, 30), window(trades, at, 60),
        window(trades, at, 360), window(trades, at, 1_440));
  }

  private static String window(NavigableMap<Instant, Double> trades, Instant at, int minutes) {
    return sum(trades, at.minus(Duration.ofMinutes(minutes)), at) + "";
  }

  private static double traded(NavigableMap<Instant, Double> trades, Candle candle) {
    return sum(trades, candle.getVolumeSince(), candle.getVolumeUntil());
  }

  private static double sum(NavigableMap<Instant, Double> trades, Instant after, Instant until) {
    return trades.subMap(after, false, until, true).values().stream().mapToDouble(each -> each).sum();
  }
}
