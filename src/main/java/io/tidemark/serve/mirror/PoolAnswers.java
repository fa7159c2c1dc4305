package io.tidemark.serve.mirror;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import io.tidemark.market.Answer.Dex;
import io.tidemark.market.Answer.Included;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.ResourceKeys;
import io.tidemark.serve.mirror.WatchedTargets.MirroredTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The mirror's answers about pools and tokens, which are the answers to operations 1 to 7 of the interface document.
 */
final class PoolAnswers {
  static final int POOLS_PER_PAGE = 20;

  /** Pause before a retry while the topic with the order of a list is read up to what the list's target says. */
  private static final Duration ORDER_PAUSE = Duration.ofSeconds(2);
  private static final int LONGEST_SEARCH = 200;
  private static final int MOST_FOUND = 200;

  private static final KnownAttributes POOL =
      KnownAttributes.of("description", "price", "liquidity", "activity", "valuation", "launchpad")
          .optional("launchpad");

  /** Attributes of a pool that is in a list or included in another answer. */
  private static final KnownAttributes LISTED =
      POOL.hiding(true, "description.pool_name", "description.pool_fee_percentage", "activity.transactions.h6");

  private static final KnownAttributes TOKEN =
      KnownAttributes
          .of("description", "media", "supply", "price", "valuation", "liquidity", "activity", "launchpad")
          .optional("launchpad");

  private static final KnownAttributes INCLUDED_TOKEN = KnownAttributes.of("description", "media");

  private final MirrorStore store;
  private final EncodedStates<Pool> pools;
  private final EncodedStates<Token> tokens;

  PoolAnswers(MirrorStore store) {
    this.store = store;
    this.pools = store.of("pool", Pool.class);
    this.tokens = store.of("token", Token.class);
  }

  OnChainAnswer<TokenAnswer> token(AnswerReading reading, Query.TokenByAddress query) {
    var target = reading.target();
    var token = store.targets().shown(target).stream().findFirst()
        .map(key -> reading.find(tokens, key, TOKEN))
        .orElseThrow(() -> new Failure.NotFound("token not found: " + query.address()));
    var order = order(reading, target);
    var answer = new TokenAnswer(token, order);
    if (!query.topPools() || order == null || order.isEmpty()) {
      return new OnChainAnswer<>(answer, null);
    }
    var watched = (Query.TokenByAddress) store.targets().query(target);
    var shown =
        LISTED.with(true, "token_price").with(query.composition() && watched.composition(), "composition");
    return new OnChainAnswer<>(answer,
        new Included(reading.findAll(pools, order, shown), List.of(), List.of()));
  }

  OnChainAnswer<List<Observation<Pool>>> list(AnswerReading reading, Query.Paged<?> query,
      Set<IncludedResource> include) {
    var target = reading.target();
    if (query.page() > target.pages() && !target.exhausted()) {
      throw WatchHint.pageNotWatched(query.page(), target.pages());
    }
    var order = order(reading, target);
    if (order == null) {
      throw new Failure.ServerError("This list was observed, but its order is not read yet.", ORDER_PAUSE);
    }
    var community = query.community()
        && store.targets().query(target) instanceof Query.Paged<?> watched && watched.community();
    var priced = query instanceof Query.TokenPools;
    return page(reading, order, query.page(), include,
        LISTED.with(community, "sentiment").with(priced, "token_price", "trade"));
  }

  /**
   * Answers a search. A watched search returns the service's result. Any other search is made among the known pools.
   */
  OnChainAnswer<List<Observation<Pool>>> search(AnswerReading reading, Query.SearchPools query) {
    if (store.targets().find(query) != null) {
      return list(reading, query, query.include());
    }
    if (query.query().length() > LONGEST_SEARCH) {
      throw new Failure.BadRequest("query: must have at most " + LONGEST_SEARCH + " characters");
    }
    var found = store.search().find(query.query(), query.network(), MOST_FOUND);
    found.stream().skip((query.page() - 1L) * POOLS_PER_PAGE).limit(POOLS_PER_PAGE)
        .forEach(key -> reading.notAfter(observed(key)));
    return page(reading, found, query.page(), query.include(), LISTED);
  }

  private @Nullable Instant observed(String pool) {
    var target = store.targets().lastShowingPool(pool);
    var known = target == null ? pools.find(pool) : null;
    return target != null ? target.contentTime() : known == null ? null : Instant.ofEpochMilli(known.observedAt());
  }

  /**
   * Answers a query for one pool. If no target polls the pool by its address, the answer has only the attributes that
   * are known from lists.
   */
  OnChainAnswer<Observation<Pool>> pool(AnswerReading reading, Query.PoolByAddress query) {
    var target = store.targets().find(query);
    var key = target == null
        ? query.network() + "_" + query.address()
        : store.targets().shown(reading.from(target)).stream().findFirst().orElse("");
    if (target == null) {
      var list = store.targets().lastShowingPool(key);
      if (list != null) {
        reading.from(list);
      } else {
        reading.notAfter(observed(key));
      }
    }
    var pool = reading.find(pools, key, attributes(query, target));
    if (pool == null) {
      throw target == null ? reading.notAnswered() : new Failure.NotFound("pool not found: " + query.address());
    }
    withDexName(pool, query.include());
    return new OnChainAnswer<>(pool, included(reading, List.of(pool), query.include()));
  }

  /**
   * Returns the attributes of the answer to a query for one pool: those that the target which dates the answer
   * observes, even if older values of other attributes are known.
   *
   * @param target target that polls the pool by its address; null if there is none
   */
  private KnownAttributes attributes(Query.PoolByAddress query, @Nullable MirroredTarget target) {
    if (target == null) {
      return LISTED;
    }
    var watched = (Query.PoolByAddress) store.targets().query(target);
    return POOL.with(true, "lock")
        .with(query.composition() && watched.composition(), "composition")
        .with(query.volumeBreakdown() && watched.volumeBreakdown(), "flow");
  }

  /**
   * Returns the order of a list, or null if the list has no visible order. While a newer order waits for its pools,
   * the answer is dated to the previous observation of the target, if there was one.
   */
  private @Nullable List<String> order(AnswerReading reading, MirroredTarget watched) {
    var ranking = requireNonNull(ResourceKeys.ranking(store.targets().query(watched))).getId();
    var order = reading.order(ranking);
    if (store.rankings().isPending(ranking)) {
      var target = reading.target();
      reading.notAfter(target.previousObservedAt());
    }
    return order;
  }

  private OnChainAnswer<List<Observation<Pool>>> page(AnswerReading reading, List<String> order, int page,
      Set<IncludedResource> include, KnownAttributes attributes) {
    var keys = order.stream().skip((page - 1L) * POOLS_PER_PAGE).limit(POOLS_PER_PAGE).toList();
    var found = reading.findAll(pools, keys, attributes);
    found.forEach(pool -> withDexName(pool, include));
    return new OnChainAnswer<>(found, included(reading, found, include));
  }

  /**
   * Removes the name of the exchange from a pool, unless the answer includes exchanges: the service sends the name
   * only with an included exchange.
   */
  private static void withDexName(Observation<Pool> pool, Set<IncludedResource> include) {
    var description = pool.resource().getDescription();
    if (description != null && !include.contains(IncludedResource.DEX)) {
      description.setDexName(null);
    }
  }

  /**
   * Returns the known tokens and the exchanges of the given pools that the query includes, each once, or null if
   * there are none.
   */
  private @Nullable Included included(AnswerReading reading, List<Observation<Pool>> of,
      Set<IncludedResource> include) {
    var ids = new LinkedHashSet<String>();
    var dexes = new LinkedHashMap<String, Dex>();
    for (var pool : of) {
      var description = pool.resource().getDescription();
      if (description == null) {
        continue;
      }
      if (include.contains(IncludedResource.BASE_TOKEN) && description.getBaseToken() != null) {
        ids.add(description.getBaseToken());
      }
      if (include.contains(IncludedResource.QUOTE_TOKEN) && description.getQuoteToken() != null) {
        ids.add(description.getQuoteToken());
      }
      if (include.contains(IncludedResource.DEX) && description.getDex() != null) {
        dexes.putIfAbsent(description.getDex(), new Dex(description.getDex(), description.getDexName()));
      }
    }
    var found = reading.findAll(tokens, ids, INCLUDED_TOKEN);
    return found.isEmpty() && dexes.isEmpty()
        ? null
        : new Included(List.of(), found, List.copyOf(dexes.values()));
  }
}
