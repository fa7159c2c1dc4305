package io.tidemark.market;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Global;
import io.tidemark.event.Platform;
import io.tidemark.event.Pool;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * A market data service with the 13 operations of the interface document. Each returned {@code Mono} emits one answer
 * or fails with a {@link Failure}. No request is sent before the {@code Mono} is subscribed to.
 */
public interface MarketData {
  Mono<Answer<OnChainAnswer<TokenAnswer>>> token(Query.TokenByAddress query);

  Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> dexPools(Query.DexPools query);

  Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> trendingPools(Query.TrendingPools query);

  Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> newPools(Query.NewPools query);

  Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> searchPools(Query.SearchPools query);

  Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> tokenPools(Query.TokenPools query);

  Mono<Answer<OnChainAnswer<Observation<Pool>>>> pool(Query.PoolByAddress query);

  Mono<Answer<Observation<Global>>> global(Query.GlobalMarket query);

  Mono<Answer<Observation<CoinDay>>> coinHistory(Query.CoinHistory query);

  Mono<Answer<TickersAnswer>> coinTickers(Query.CoinTickers query);

  Mono<Answer<DerivativesAnswer>> derivativesExchange(Query.DerivativesExchangeById query);

  Mono<Answer<TreasuryAnswer>> treasury(Query.PublicTreasury query);

  Mono<Answer<List<Observation<Platform>>>> assetPlatforms(Query.AssetPlatforms query);
}
