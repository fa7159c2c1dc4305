package io.tidemark.serve.mirror;

import static io.tidemark.serve.mirror.MirroredMarket.TOPICS;
import static io.tidemark.serve.mirror.MirroredMarket.committed;

import io.tidemark.event.PoolState;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingState;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.market.Query;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * A measurement: the memory of a mirror of very many visible pools, and how long it takes to apply and to read them. To
 * be run with {@code java -Xmx512m -XX:+UseSerialGC} and the class path of the tests.
 */
public final class ManyMirroredPools {
  private static final int POOLS = 100_000;
  private static final int READS = 20_000;
  private static final Instant NOW = Instant.parse("2026-05-05T12:34:56Z");
  private static final String TRENDING = "/networks/eth/trending_pools?include=base_token,dex,quote_token";

  private ManyMirroredPools() {}

  /** Of how many pools: 100,000 by default. */
  public static void main(String[] arguments) {
    var count = arguments.length == 0 ? POOLS : Integer.parseInt(arguments[0]);
    var simulator = new Simulator(
        new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED), InstantSource.fixed(NOW));
    try (var market = new MirroredMarket(simulator::at, NOW)) {
      market.poll(TRENDING, 1);
      var before = usedHeap();
      var seconds = fill(market, count);
      var used = usedHeap() - before;
      System.out.printf(
          "%,d pools: applied in %.1f s, %,d MiB of heap (%,d bytes a pool), of it %,d MiB keys and states%n",
          count, seconds, used >> 20, used / count, market.store.bytes() >> 20);
      measure(market, count);
    }
    System.exit(0);
  }

  /** Copies of the pools of a list, each with an id of its own and decoded anew, as a reader of Kafka gets them. */
  private static double fill(MirroredMarket market, int count) {
    var pools = market.records.stream().filter(record -> record.value() instanceof PoolState).toList();
    var applied = 0L;
    for (var number = 0; number < count; number++) {
      var record = copy(pools.get(number % pools.size()), number);
      var start = System.nanoTime();
      market.store.apply(record);
      applied += System.nanoTime() - start;
    }
    return applied / 1e9;
  }

  private static CommittedRecord copy(CommittedRecord record, int number) {
    var state = (PoolState) record.value();
    var address = "0x%040x".formatted(number);
    var known = state.getKnown();
    known.setAddress(address);
    known.setId("eth_" + address);
    return committed(TOPICS.pool().state(), known.getId(), state, record.timestamp());
  }

  private static void measure(MirroredMarket market, int count) {
    List<String> ids = new ArrayList<>();
    for (var rank = 0; rank < 20; rank++) {
      ids.add("eth_0x%040x".formatted(rank * (count / 20)));
    }
    var ranking = market.records.stream().filter(record -> record.value() instanceof RankingState).findFirst()
        .map(record -> (RankingState) record.value()).orElseThrow();
    ranking.getKnown().setOrder(new RankingOrder(ids, new ArrayList<>(Collections.nCopies(20, 0L))));
    market.store.apply(committed(TOPICS.ranking().state(), ranking.getKnown().getId(), ranking, NOW.toEpochMilli()));
    var mirror = market.mirror();
    var trending = Endpoints.parseTarget(TRENDING);
    print("a pool", number -> MirroredMarket.body(
        new Query.PoolByAddress("eth", "0x%040x".formatted(number % count), Set.of(), false, false), mirror).length(),
        READS);
    print("a trending page with tokens and exchanges", number -> MirroredMarket.body(trending, mirror).length(),
        READS / 10);
    print("a search over all names", number -> MirroredMarket.body(
        new Query.SearchPools("no such name " + number, null, Set.of(), 1), mirror).length(), READS / 100);
  }

  /** The first half is for the compiler. */
  private static void print(String what, LongUnaryOperator read, int reads) {
    var nanos = LongStream.range(0, reads).map(number -> {
      var start = System.nanoTime();
      var length = read.applyAsLong(number);
      return length < 0 ? 0 : System.nanoTime() - start;
    }).toArray();
    var warm = Arrays.copyOfRange(nanos, reads / 2, reads);
    Arrays.sort(warm);
    System.out.printf("%s, as JSON: median %,d us, p99 %,d us%n", what, warm[warm.length / 2] / 1_000,
        warm[warm.length * 99 / 100] / 1_000);
  }

  private static long usedHeap() {
    for (var i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
