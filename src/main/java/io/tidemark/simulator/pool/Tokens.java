package io.tidemark.simulator.pool;

import io.tidemark.event.Pool;
import io.tidemark.market.Observation;
import io.tidemark.market.OnChainAnswer;
import io.tidemark.market.Query;
import io.tidemark.market.TokenAnswer;
import io.tidemark.simulator.pool.PoolDetail.Part;
import java.util.List;

/** Operation 1: a token by what goes on in its pools. */
public final class Tokens {
  private static final int TOP = 3;

  private final PoolDirectory book;
  private final PoolObservations pools;
  private final TokenObservations tokens;

  public Tokens(PoolDirectory book, PoolObservations pools, TokenObservations tokens) {
    this.book = book;
    this.pools = pools;
    this.tokens = tokens;
  }

  public OnChainAnswer<TokenAnswer> token(long at, Query.TokenByAddress query) {
    var token = book.token(Network.of(query.network()), query.address(), at);
    var sources =
        book.poolsHolding(token, at).stream().filter(pool -> query.inactiveSource() || pool.isActive(at)).toList();
    var seen = tokens.single(token, sources.stream().map(pool -> new RollingActivity(pool, at)).toList(), at);
    var top = PoolOrder.order(sources.stream(), at, PoolOrder::weight).stream().limit(TOP).toList();
    var answer = new TokenAnswer(seen, top.stream().map(SimulatedPool::id).toList());
    if (!query.topPools()) {
      return new OnChainAnswer<>(answer, null);
    }
    var detail = PoolDetail.none().with(Part.COMPOSITION, query.composition()).withPriceOf(token);
    return new OnChainAnswer<>(answer, IncludedResources.of(views(top, at, detail)));
  }

  private List<Observation<Pool>> views(List<SimulatedPool> top, long at, PoolDetail detail) {
    return top.stream().map(pool -> pools.view(pool, at, detail)).toList();
  }
}
