package io.tidemark.http.server;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.InvalidParameterException;
import io.tidemark.market.Query;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Path and query string of a request.
 *
 * @param path relative to the on-chain path or to the prefix; null where it is under neither
 */
record RequestTarget(@Nullable String path, boolean onChain, String rawQuery) {
  private static final String ON_CHAIN = MarketRoutes.ON_CHAIN;

  /** The status of a request without a required parameter, where the operation is not on-chain. */
  static final int MISSING_PARAMETER = 422;

  static RequestTarget of(String uri, String prefix) {
    int mark = uri.indexOf('?');
    var path = mark < 0 ? uri : uri.substring(0, mark);
    var query = mark < 0 ? "" : uri.substring(mark + 1);
    if (!path.startsWith(prefix + "/")) {
      return new RequestTarget(null, false, query);
    }
    var relative = path.substring(prefix.length());
    return relative.startsWith(ON_CHAIN + "/")
        ? new RequestTarget(relative.substring(ON_CHAIN.length()), true, query)
        : new RequestTarget(relative, false, query);
  }

  Mono<HttpReply> reply(QueryResponder responder, InstantSource clock) {
    var now = clock.instant();
    try {
      var query = query();
      if (query == null) {
        return Mono
            .just(FailureReplies.error(onChain, 404, "Incorrect path. The interface has no such operation.", now));
      }
      return isBeyondLastPage(query) ? Mono.just(beyondLastPage(now)) : responder.respond(query);
    } catch (InvalidParameterException e) {
      int status = e.isMissing() && !onChain ? MISSING_PARAMETER : 400;
      return Mono.just(FailureReplies.error(onChain, status, String.valueOf(e.getMessage()), now));
    } catch (IllegalArgumentException e) {
      return Mono.just(FailureReplies.error(onChain, 400, String.valueOf(e.getMessage()), now));
    }
  }

  private @Nullable Query<?> query() {
    for (var endpoint : Endpoints.ALL) {
      var query = path != null && endpoint.onChain() == onChain ? endpoint.parse(path, rawQuery) : null;
      if (query != null) {
        return query;
      }
    }
    return null;
  }

  /** Pools have 10 pages without a paid plan; tickers have as many as there are. */
  private boolean isBeyondLastPage(Query<?> query) {
    return onChain && query instanceof Query.Paged<?> paged && paged.page() > MarketRoutes.LAST_PAGE_OF_POOLS;
  }

  private static HttpReply beyondLastPage(Instant now) {
    return FailureReplies.error(true, 401,
        "Your request exceeds the allowed max number for page (" + MarketRoutes.LAST_PAGE_OF_POOLS
            + "). Upgrade to Analyst plan or above.",
        now);
  }
}
