package io.tidemark.simulator;

import io.tidemark.event.Pool;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.MarketData;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.Timeframe;
import io.tidemark.market.Query.TrendingDuration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/** Markets and queries for tests of the simulator. */
public final class SimulatorFixture {
  public static final Instant NOW = Instant.parse("2026-05-05T12:34:56Z");
  static final String POOL = "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640";
  static final String WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
  static final String SOL = "So11111111111111111111111111111111111111112";
  public static final Set<IncludedResource> NO_INCLUDES = Set.of();
  public static final Set<IncludedResource> ALL_INCLUDES = EnumSet.allOf(IncludedResource.class);
  static final Set<Timeframe> ALL_TIMEFRAMES = EnumSet.allOf(Timeframe.class);

  private SimulatorFixture() {}

  public static Simulator calm(long seed) {
    return simulator(seed, Scenario.CALM);
  }

  public static Simulator simulator(long seed, Scenario scenario) {
    return new Simulator(
        new SimulatorSettings(seed, scenario, SimulatorSettings.DEMO_SPEED), InstantSource.fixed(NOW));
  }

  public static <A> A ask(MarketData market, Query<A> query) {
    return Objects.requireNonNull(query.askOf(market).block()).body().read();
  }

  public static List<Pool> pools(MarketData market, Query<OnChainAnswer<List<Observation<Pool>>>> query) {
    return resources(ask(market, query).data());
  }

  static <R extends SpecificRecord> List<R> resources(List<Observation<R>> observations) {
    return observations.stream().map(Observation::resource).toList();
  }

  public static Query.PoolByAddress pool(String network, String address) {
    return new Query.PoolByAddress(network, address, ALL_INCLUDES, true, true);
  }

  public static Query.NewPools newPools(String network, int page) {
    return new Query.NewPools(network, ALL_INCLUDES, page, true);
  }

  static Query.TrendingPools trending(String network, TrendingDuration duration) {
    return new Query.TrendingPools(network, ALL_INCLUDES, 1, duration, true);
  }
}
