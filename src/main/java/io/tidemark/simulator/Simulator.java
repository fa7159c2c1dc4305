package io.tidemark.simulator;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Global;
import io.tidemark.event.Platform;
import io.tidemark.event.Pool;
import io.tidemark.market.Answer;
import io.tidemark.market.DerivativesAnswer;
import io.tidemark.market.MarketData;
import io.tidemark.market.Observation;
import io.tidemark.market.OnChainAnswer;
import io.tidemark.market.Query;
import io.tidemark.market.TickersAnswer;
import io.tidemark.market.TokenAnswer;
import io.tidemark.market.TreasuryAnswer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * A made-up market: one small consistent world, of which all 13 answers are projections. What it answers depends on its
 * settings and on the time alone, never on what was asked before.
 */
public final class Simulator implements MarketData {
  private final MarketModel world;
  private final InstantSource clock;

  public Simulator(SimulatorSettings settings, InstantSource clock) {
    this.world = new MarketModel(settings);
    this.clock = clock;
  }

  /** The market as it stands, stood or will stand at an instant. */
  public MarketData at(Instant instant) {
    return new Moment(world, instant);
  }

  private <A> Mono<Answer<A>> now(Query<A> query) {
    return Mono.defer(() -> query.askOf(at(clock.instant())));
  }

  @Override
  public Mono<Answer<OnChainAnswer<TokenAnswer>>> token(Query.TokenByAddress query) {
    return now(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> dexPools(Query.DexPools query) {
    return now(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> trendingPools(Query.TrendingPools query) {
    return now(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> newPools(Query.NewPools query) {
    return now(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> searchPools(Query.SearchPools query) {
    return now(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> tokenPools(Query.TokenPools query) {
    return now(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<Observation<Pool>>>> pool(Query.PoolByAddress query) {
    return now(query);
  }

  @Override
  public Mono<Answer<Observation<Global>>> global(Query.GlobalMarket query) {
    return now(query);
  }

  @Override
  public Mono<Answer<Observation<CoinDay>>> coinHistory(Query.CoinHistory query) {
    return now(query);
  }

  @Override
  public Mono<Answer<TickersAnswer>> coinTickers(Query.CoinTickers query) {
    return now(query);
  }

  @Override
  public Mono<Answer<DerivativesAnswer>> derivativesExchange(Query.DerivativesExchangeById query) {
    return now(query);
  }

  @Override
  public Mono<Answer<TreasuryAnswer>> treasury(Query.PublicTreasury query) {
    return now(query);
  }

  @Override
  public Mono<Answer<List<Observation<Platform>>>> assetPlatforms(Query.AssetPlatforms query) {
    return now(query);
  }
}
