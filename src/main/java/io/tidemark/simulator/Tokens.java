package io.tidemark.simulator;

import io.tidemark.event.Pool;
import io.tidemark.market.OnChain;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import io.tidemark.market.TokenAnswer;
import io.tidemark.simulator.Detail.Part;
import java.util.List;

/** Operation 1: a token by what goes on in its pools. */
final class Tokens {
  private static final int TOP = 3;

  private final PoolBook book;
  private final PoolView pools;
  private final TokenView tokens;

  Tokens(PoolBook book, PoolView pools, TokenView tokens) {
    this.book = book;
    this.pools = pools;
    this.tokens = tokens;
  }

  OnChain<TokenAnswer> token(long at, Query.TokenByAddress query) {
    var token = book.token(Network.of(query.network()), query.address(), at);
    var sources = book.poolsOf(token, at).stream().filter(pool -> query.inactiveSource() || pool.active(at)).toList();
    var seen = tokens.whole(token, sources.stream().map(pool -> new Activity(pool, at)).toList(), at);
    var top = Ranks.order(sources.stream(), at, Ranks::weight).stream().limit(TOP).toList();
    var answer = new TokenAnswer(seen, top.stream().map(PoolFacts::id).toList());
    if (!query.topPools()) {
      return new OnChain<>(answer, null);
    }
    var detail = Detail.none().with(Part.COMPOSITION, query.composition()).asking(token);
    return new OnChain<>(answer, Inclusion.of(views(top, at, detail)));
  }

  private List<Seen<Pool>> views(List<PoolFacts> top, long at, Detail detail) {
    return top.stream().map(pool -> pools.view(pool, at, detail)).toList();
  }
}
