package io.tidemark.http;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Global;
import io.tidemark.event.Platform;
import io.tidemark.event.Pool;
import io.tidemark.market.Answer;
import io.tidemark.market.DerivativesAnswer;
import io.tidemark.market.MarketData;
import io.tidemark.market.OnChain;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import io.tidemark.market.TickersAnswer;
import io.tidemark.market.TokenAnswer;
import io.tidemark.market.TreasuryAnswer;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** The service over HTTP. */
public final class HttpMarketData implements MarketData, AutoCloseable {
  /** @param permit awaited before every request but a question's first, which the caller has one for */
  public HttpMarketData(ClientSettings settings, Supplier<Mono<Void>> permit, InstantSource clock) {}

  @Override
  public Mono<Answer<OnChain<TokenAnswer>>> token(Query.TokenByAddress query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<OnChain<List<Seen<Pool>>>>> dexPools(Query.DexPools query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<OnChain<List<Seen<Pool>>>>> trendingPools(Query.TrendingPools query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<OnChain<List<Seen<Pool>>>>> newPools(Query.NewPools query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<OnChain<List<Seen<Pool>>>>> searchPools(Query.SearchPools query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<OnChain<List<Seen<Pool>>>>> tokenPools(Query.TokenPools query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<OnChain<Seen<Pool>>>> pool(Query.PoolByAddress query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<Seen<Global>>> global(Query.GlobalMarket query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<Seen<CoinDay>>> coinHistory(Query.CoinHistory query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<TickersAnswer>> coinTickers(Query.CoinTickers query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<DerivativesAnswer>> derivativesExchange(Query.DerivativesExchangeById query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<TreasuryAnswer>> treasury(Query.PublicTreasury query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<List<Seen<Platform>>>> assetPlatforms(Query.AssetPlatforms query) {
    return ask(query);
  }

  private <A> Mono<Answer<A>> ask(Query<A> query) {
    return Mono.error(new UnsupportedOperationException(query.toString()));
  }

  @Override
  public void close() {}
}
