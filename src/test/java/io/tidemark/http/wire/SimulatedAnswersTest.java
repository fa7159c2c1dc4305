package io.tidemark.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.market.Failure;
import io.tidemark.market.KnownIds;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.market.Query.Timeframe;
import io.tidemark.market.Query.TokenPoolSort;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The simulated market at its dirtiest survives the wire: what it answers is what is read. */
class SimulatedAnswersTest {
  private static final Instant START = Instant.parse("2026-05-05T12:34:56Z");
  private static final int MOMENTS = 12;
  private static final KnownIds IDS = KnownIds.SIMULATED;
  private static final Set<IncludedResource> ALL = Set.of(IncludedResource.values());
  private static final Simulator SIMULATOR = new Simulator(
      new SimulatorSettings(3, Scenario.DIRTY_DATA, SimulatorSettings.DEMO_SPEED), InstantSource.fixed(START));

  static final List<Query<?>> QUERIES = List.of(
      new Query.TokenByAddress(IDS.network(), IDS.token(), true, true, false),
      new Query.DexPools(IDS.network(), IDS.dex(), ALL, 1, PoolSort.H24_TX_COUNT_DESC, true),
      new Query.TrendingPools("solana", ALL, 1, TrendingDuration.M5, true),
      new Query.NewPools("solana", ALL, 1, true),
      new Query.SearchPools("weth", null, ALL, 1),
      new Query.TokenPools(IDS.network(), IDS.token(), ALL, false, 1, TokenPoolSort.H24_VOLUME_USD_DESC, true),
      new Query.PoolByAddress(IDS.network(), IDS.pool(), ALL, true, true),
      new Query.GlobalMarket(),
      new Query.CoinHistory(IDS.coin(), LocalDate.of(2026, 5, 1), true),
      new Query.CoinTickers(
          IDS.coin(), null, true, 1, TickerOrder.VOLUME_DESC, true, DexPairFormat.CONTRACT_ADDRESS),
      new Query.DerivativesExchangeById(IDS.derivativesExchange(), IncludeTickers.ALL),
      new Query.PublicTreasury(IDS.company(), Set.of(Timeframe.values()), Set.of(Timeframe.D7)),
      new Query.AssetPlatforms(null));

  @ParameterizedTest
  @FieldSource("QUERIES")
  void answer_writtenAndRead_isTheSame(Query<?> query) {
    long answers = Stream.iterate(START, at -> at.plusSeconds(61)).limit(MOMENTS)
        .filter(at -> isAnswered(query, at))
        .count();

    assertThat(answers).isPositive();
  }

  /** False where the market fails, as it does now and then. */
  private static <A> boolean isAnswered(Query<A> query, Instant at) {
    return Boolean.TRUE.equals(query.askOf(SIMULATOR.at(at))
        .map(answer -> answer.body().read())
        .doOnNext(answer -> assertThat(again(query, answer)).isEqualTo(answer))
        .map(answer -> true)
        .onErrorReturn(Failure.class, false)
        .block());
  }

  private static <A> A again(Query<A> query, A answer) {
    return GoldenBodies.decode(query, GoldenBodies.encode(query, answer, FieldNaming.DOCUMENT));
  }
}
