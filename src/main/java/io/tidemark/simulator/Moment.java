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
import java.util.List;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** The world at one instant. */
final class Moment implements MarketData {
  private final MarketModel world;
  private final Instant now;
  private final long at;
  private final Answers answers;

  Moment(MarketModel world, Instant now) {
    this.world = world;
    this.now = now;
    this.at = now.toEpochMilli();
    this.answers = new Answers(now);
  }

  private <A> Mono<Answer<A>> answer(Query<A> query, Supplier<A> value) {
    return Mono.fromSupplier(() -> {
      world.faults.failIfDue(query.operation(), at);
      return answers.answer(query, value.get());
    });
  }

  @Override
  public Mono<Answer<OnChainAnswer<TokenAnswer>>> token(Query.TokenByAddress query) {
    return answer(query, () -> world.tokens.token(at, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> dexPools(Query.DexPools query) {
    return answer(query, () -> world.lists.dexPools(at, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> trendingPools(Query.TrendingPools query) {
    return answer(query, () -> world.lists.trendingPools(at, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> newPools(Query.NewPools query) {
    return answer(query, () -> world.lists.newPools(at, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> searchPools(Query.SearchPools query) {
    return answer(query, () -> world.lists.searchPools(at, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> tokenPools(Query.TokenPools query) {
    return answer(query, () -> world.lists.tokenPools(at, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<Observation<Pool>>>> pool(Query.PoolByAddress query) {
    return answer(query, () -> world.pool(at, query));
  }

  @Override
  public Mono<Answer<Observation<Global>>> global(Query.GlobalMarket query) {
    return answer(query, () -> world.globals.at(at));
  }

  @Override
  public Mono<Answer<Observation<CoinDay>>> coinHistory(Query.CoinHistory query) {
    return answer(query, () -> world.history.at(now, query));
  }

  @Override
  public Mono<Answer<TickersAnswer>> coinTickers(Query.CoinTickers query) {
    return answer(query, () -> world.tickers.tickers(at, query));
  }

  @Override
  public Mono<Answer<DerivativesAnswer>> derivativesExchange(Query.DerivativesExchangeById query) {
    return answer(query, () -> world.derivatives.exchange(at, query));
  }

  @Override
  public Mono<Answer<TreasuryAnswer>> treasury(Query.PublicTreasury query) {
    return answer(query, () -> world.treasuries.treasury(at, query));
  }

  @Override
  public Mono<Answer<List<Observation<Platform>>>> assetPlatforms(Query.AssetPlatforms query) {
    return answer(query, () -> world.platforms.at(at, query));
  }
}
