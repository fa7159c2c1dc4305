package io.tidemark.stream.candle;

import static io.tidemark.stream.tick.PendingTicks.SLICE_OF_A_TICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Candle;
import io.tidemark.event.Control;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.stream.CountingStore;
import io.tidemark.stream.PoolChanges;
import io.tidemark.stream.TaskRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store operations of one call do not grow with the number of candles that close together. */
class CandleTickCostTest {

  static final Instant START = Instant.parse("2026-01-01T11:59:00Z");
  static final Instant NOON = START.plusSeconds(60);

  /** Each candle costs a few operations, and open candles of a resource one for each interval. */
  static final long MOST_OPERATIONS = 9L * SLICE_OF_A_TICK;

  @ParameterizedTest
  @ValueSource(ints = {1_000, 30_000})
  void candlesOfAMinute_areClosedInSlices(int pools) {
    var task = new TaskRun<SpecificRecord, SpecificRecord>(
        TaskRun.withResources((resources, context,
            output) -> new Candles(new BuiltInRegistry(List.of()), resources, context, output)::process),
        0, List.of(
            TaskRun.resources(), new CountingStore<String>(Candles.ENDS),
            new CountingStore<Long>(Candles.CLOSED), new CountingStore<String>(Candles.CHANGED)));
    for (var pool = 0; pool < pools; pool++) {
      task.process("pool-" + pool, PoolChanges.moved(START, "1.0", "2.0"), START);
    }
    var published = new ArrayList<SpecificRecord>();
    for (var second = 0; published.isEmpty() || !isTick(published.getLast(), 10); second++) {
      var at = NOON.plusSeconds(second);
      published.addAll(task.process("", Control.newBuilder().setAt(at).build(), at));
    }

    System.out.printf("%,d pools: at most %,d store operations in a call%n", pools, task.mostOperations());
    var candles = published.stream().filter(Candle.class::isInstance).map(Candle.class::cast).toList();
    assertThat(candles.size()).as("1m, 5m, 15m, 1h and 4h of each pool").isEqualTo(5 * pools);
    assertThat(candles.stream().map(candle -> candle.getInterval() + candle.getId()).distinct().count())
        .isEqualTo(5L * pools);
    var closing = published.stream().filter(record -> isTick(record, 2)).findFirst().orElseThrow();
    assertThat(published.subList(published.indexOf(closing), published.size()))
        .as("behind the tick that closes them").noneMatch(Candle.class::isInstance);
    assertThat(task.mostOperations()).isLessThanOrEqualTo(MOST_OPERATIONS);
  }

  private static boolean isTick(SpecificRecord record, int second) {
    return record instanceof Control control && !control.getAt().isBefore(NOON.plusSeconds(second));
  }
}
