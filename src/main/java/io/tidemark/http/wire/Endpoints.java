package io.tidemark.http.wire;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Global;
import io.tidemark.event.Platform;
import io.tidemark.event.Pool;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.PlatformFilter;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.market.Query.Timeframe;
import io.tidemark.market.Query.TokenPoolSort;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.market.WireValue;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The endpoints of the 13 operations, in the order of the interface document. */
public final class Endpoints {
  private static final QueryParameter<Set<IncludedResource>> INCLUDE =
      QueryParameter.someOf("include", Set.of(IncludedResource.BASE_TOKEN), IncludedResource.values());
  private static final QueryParameter<Set<TopPools>> INCLUDE_TOP_POOLS =
      QueryParameter.someOf("include", Set.of(), TopPools.values());
  private static final QueryParameter<Integer> PAGE = QueryParameter.page();
  private static final QueryParameter<Boolean> COMMUNITY =
      QueryParameter.flag(List.of("include_gt_community_data"), false);
  private static final QueryParameter<Boolean> COMPOSITION = QueryParameter.flag(List.of("include_composition"), false);
  private static final QueryParameter<Boolean> INACTIVE_SOURCE =
      QueryParameter.flag(List.of("include_inactive_source"), false);
  private static final QueryParameter<Boolean> VOLUME_BREAKDOWN =
      QueryParameter.flag(List.of("include_volume_breakdown"), false);
  private static final QueryParameter<PoolSort> POOL_SORT =
      QueryParameter.oneOf("sort", PoolSort.H24_TX_COUNT_DESC, PoolSort.values());
  private static final QueryParameter<TokenPoolSort> TOKEN_POOL_SORT =
      QueryParameter.oneOf("sort", TokenPoolSort.H24_VOLUME_USD_LIQUIDITY_DESC, TokenPoolSort.values());
  private static final QueryParameter<TrendingDuration> DURATION =
      QueryParameter.oneOf("duration", TrendingDuration.H24, TrendingDuration.values());
  private static final QueryParameter<String> QUERY = QueryParameter.text("query");
  private static final QueryParameter<String> NETWORK = QueryParameter.text("network");
  private static final QueryParameter<LocalDate> DATE = QueryParameter.day("date");
  private static final QueryParameter<Boolean> LOCALIZATION = QueryParameter.flag(List.of("localization"), true);
  private static final QueryParameter<String> EXCHANGE_IDS = QueryParameter.text("exchange_ids");

  /** The interface document does not name this parameter. The service uses the first of the two names. */
  private static final QueryParameter<Boolean> LOGO =
      QueryParameter.flag(List.of("include_exchange_logo", "logo"), false);

  private static final QueryParameter<TickerOrder> ORDER =
      QueryParameter.oneOf("order", TickerOrder.TRUST_SCORE_DESC, TickerOrder.values());
  private static final QueryParameter<Boolean> DEPTH = QueryParameter.flag(List.of("depth"), false);
  private static final QueryParameter<DexPairFormat> DEX_PAIR_FORMAT =
      QueryParameter.oneOf("dex_pair_format", DexPairFormat.CONTRACT_ADDRESS, DexPairFormat.values());
  private static final QueryParameter<IncludeTickers> INCLUDE_TICKERS =
      QueryParameter.oneOf("include_tickers", null, IncludeTickers.values());
  private static final QueryParameter<Set<Timeframe>> HOLDING_AMOUNT_CHANGE =
      QueryParameter.someOf("holding_amount_change", Set.of(), Timeframe.values());
  private static final QueryParameter<Set<Timeframe>> HOLDING_CHANGE_PERCENTAGE =
      QueryParameter.someOf("holding_change_percentage", Set.of(), Timeframe.values());
  private static final QueryParameter<PlatformFilter> FILTER =
      QueryParameter.oneOf("filter", null, PlatformFilter.values());

  static final Endpoint<Query.TokenByAddress, OnChainAnswer<TokenAnswer>> TOKEN = new Endpoint<>(
      Operation.TOKEN, true, PathTemplate.of("/networks/{network}/tokens/{address}"),
      in -> new Query.TokenByAddress(in.path("network"), in.path("address"), !in.get(INCLUDE_TOP_POOLS).isEmpty(),
          in.get(COMPOSITION), in.get(INACTIVE_SOURCE)),
      (q, out) -> out.path("network", q.network()).path("address", q.address())
          .put(INCLUDE_TOP_POOLS, q.topPools() ? Set.of(TopPools.TOP_POOLS) : Set.of())
          .put(COMPOSITION, q.composition()).put(INACTIVE_SOURCE, q.inactiveSource()),
      OnChainAnswerCodec.token());

  static final Endpoint<Query.DexPools, OnChainAnswer<List<Observation<Pool>>>> DEX_POOLS = new Endpoint<>(
      Operation.DEX_POOLS, true, PathTemplate.of("/networks/{network}/dexes/{dex}/pools"),
      in -> new Query.DexPools(in.path("network"), in.path("dex"), in.get(INCLUDE), in.get(PAGE), in.get(POOL_SORT),
          in.get(COMMUNITY)),
      (q, out) -> out.path("network", q.network()).path("dex", q.dex()).put(INCLUDE, q.include()).put(PAGE, q.page())
          .put(POOL_SORT, q.sort()).put(COMMUNITY, q.community()),
      OnChainAnswerCodec.pools(Query.DexPools::network, q -> null));

  static final Endpoint<Query.TrendingPools, OnChainAnswer<List<Observation<Pool>>>> TRENDING_POOLS = new Endpoint<>(
      Operation.TRENDING_POOLS, true, PathTemplate.of("/networks/{network}/trending_pools"),
      in -> new Query.TrendingPools(in.path("network"), in.get(INCLUDE), in.get(PAGE), in.get(DURATION),
          in.get(COMMUNITY)),
      (q, out) -> out.path("network", q.network()).put(INCLUDE, q.include()).put(PAGE, q.page())
          .put(DURATION, q.duration()).put(COMMUNITY, q.community()),
      OnChainAnswerCodec.pools(Query.TrendingPools::network, q -> null));

  static final Endpoint<Query.NewPools, OnChainAnswer<List<Observation<Pool>>>> NEW_POOLS = new Endpoint<>(
      Operation.NEW_POOLS, true, PathTemplate.of("/networks/{network}/new_pools"),
      in -> new Query.NewPools(in.path("network"), in.get(INCLUDE), in.get(PAGE), in.get(COMMUNITY)),
      (q, out) -> out.path("network", q.network()).put(INCLUDE, q.include()).put(PAGE, q.page())
          .put(COMMUNITY, q.community()),
      OnChainAnswerCodec.pools(Query.NewPools::network, q -> null));

  static final Endpoint<Query.SearchPools, OnChainAnswer<List<Observation<Pool>>>> SEARCH_POOLS = new Endpoint<>(
      Operation.SEARCH_POOLS, true, PathTemplate.of("/search/pools"),
      in -> new Query.SearchPools(in.get(QUERY), in.optionalText(NETWORK), in.get(INCLUDE), in.get(PAGE)),
      (q, out) -> out.put(QUERY, q.query()).put(NETWORK, q.network()).put(INCLUDE, q.include()).put(PAGE, q.page()),
      OnChainAnswerCodec.pools(Query.SearchPools::network, q -> null));

  static final Endpoint<Query.TokenPools, OnChainAnswer<List<Observation<Pool>>>> TOKEN_POOLS = new Endpoint<>(
      Operation.TOKEN_POOLS, true, PathTemplate.of("/networks/{network}/tokens/{token_address}/pools"),
      in -> new Query.TokenPools(in.path("network"), in.path("token_address"), in.get(INCLUDE), in.get(INACTIVE_SOURCE),
          in.get(PAGE), in.get(TOKEN_POOL_SORT), in.get(COMMUNITY)),
      (q, out) -> out.path("network", q.network()).path("token_address", q.tokenAddress()).put(INCLUDE, q.include())
          .put(INACTIVE_SOURCE, q.inactiveSource()).put(PAGE, q.page()).put(TOKEN_POOL_SORT, q.sort())
          .put(COMMUNITY, q.community()),
      OnChainAnswerCodec.pools(Query.TokenPools::network, Query.TokenPools::tokenAddress));

  static final Endpoint<Query.PoolByAddress, OnChainAnswer<Observation<Pool>>> POOL = new Endpoint<>(
      Operation.POOL, true, PathTemplate.of("/networks/{network}/pools/{address}"),
      in -> new Query.PoolByAddress(in.path("network"), in.path("address"), in.get(INCLUDE), in.get(VOLUME_BREAKDOWN),
          in.get(COMPOSITION)),
      (q, out) -> out.path("network", q.network()).path("address", q.address()).put(INCLUDE, q.include())
          .put(VOLUME_BREAKDOWN, q.volumeBreakdown()).put(COMPOSITION, q.composition()),
      OnChainAnswerCodec.pool());

  static final Endpoint<Query.GlobalMarket, Observation<Global>> GLOBAL = new Endpoint<>(
      Operation.GLOBAL, false, PathTemplate.of("/global"),
      in -> new Query.GlobalMarket(),
      (q, out) -> out,
      PlainAnswerCodec.global());

  static final Endpoint<Query.CoinHistory, Observation<CoinDay>> COIN_HISTORY = new Endpoint<>(
      Operation.COIN_HISTORY, false, PathTemplate.of("/coins/{id}/history"),
      in -> new Query.CoinHistory(in.path("id"), in.get(DATE), in.get(LOCALIZATION)),
      (q, out) -> out.path("id", q.id()).put(DATE, q.date()).put(LOCALIZATION, q.localization()),
      PlainAnswerCodec.coinHistory());

  static final Endpoint<Query.CoinTickers, TickersAnswer> COIN_TICKERS = new Endpoint<>(
      Operation.COIN_TICKERS, false, PathTemplate.of("/coins/{id}/tickers"),
      in -> new Query.CoinTickers(in.path("id"), in.optionalText(EXCHANGE_IDS), in.get(LOGO), in.get(PAGE),
          in.get(ORDER), in.get(DEPTH), in.get(DEX_PAIR_FORMAT)),
      (q, out) -> out.path("id", q.id()).put(EXCHANGE_IDS, q.exchangeIds()).put(LOGO, q.logo()).put(PAGE, q.page())
          .put(ORDER, q.order()).put(DEPTH, q.depth()).put(DEX_PAIR_FORMAT, q.dexPairFormat()),
      PlainAnswerCodec.coinTickers());

  static final Endpoint<Query.DerivativesExchangeById, DerivativesAnswer> DERIVATIVES_EXCHANGE = new Endpoint<>(
      Operation.DERIVATIVES_EXCHANGE, false, PathTemplate.of("/derivatives/exchanges/{id}"),
      in -> new Query.DerivativesExchangeById(in.path("id"), in.optional(INCLUDE_TICKERS)),
      (q, out) -> out.path("id", q.id()).put(INCLUDE_TICKERS, q.includeTickers()),
      PlainAnswerCodec.derivativesExchange());

  static final Endpoint<Query.PublicTreasury, TreasuryAnswer> TREASURY = new Endpoint<>(
      Operation.TREASURY, false, PathTemplate.of("/public_treasury/{entity_id}"),
      in -> new Query.PublicTreasury(in.path("entity_id"), in.get(HOLDING_AMOUNT_CHANGE),
          in.get(HOLDING_CHANGE_PERCENTAGE)),
      (q, out) -> out.path("entity_id", q.entityId()).put(HOLDING_AMOUNT_CHANGE, q.holdingAmountChange())
          .put(HOLDING_CHANGE_PERCENTAGE, q.holdingChangePercentage()),
      PlainAnswerCodec.treasury());

  static final Endpoint<Query.AssetPlatforms, List<Observation<Platform>>> ASSET_PLATFORMS = new Endpoint<>(
      Operation.ASSET_PLATFORMS, false, PathTemplate.of("/asset_platforms"),
      in -> new Query.AssetPlatforms(in.optional(FILTER)),
      (q, out) -> out.put(FILTER, q.filter()),
      PlainAnswerCodec.assetPlatforms());

  public static final List<Endpoint<?, ?>> ALL = List.of(TOKEN, DEX_POOLS, TRENDING_POOLS, NEW_POOLS, SEARCH_POOLS,
      TOKEN_POOLS, POOL, GLOBAL, COIN_HISTORY, COIN_TICKERS, DERIVATIVES_EXCHANGE, TREASURY, ASSET_PLATFORMS);

  private static final Map<Operation, Endpoint<?, ?>> BY_OPERATION =
      ALL.stream().collect(Collectors.toUnmodifiableMap(Endpoint::operation, Function.identity()));

  private Endpoints() {}

  /**
   * Returns the canonical name of a target: the path in the interface document (without {@code /onchain}) and the
   * sorted query string, such as {@code
   * /networks/solana/trending_pools?duration=1h&include=base_token,dex,quote_token}. The page and default values are
   * left out.
   */
  public static String targetName(Query<?> query) {
    return pathAndQuery(firstPage(query));
  }

  /**
   * Parses the canonical name of a target. Returns the query for the first page.
   *
   * @throws IllegalArgumentException if the name is not an operation of the interface document, or a parameter is
   *     invalid or unknown
   */
  public static Query<?> parseTarget(String name) {
    int mark = name.indexOf('?');
    var path = mark < 0 ? name : name.substring(0, mark);
    return ALL.stream()
        .flatMap(endpoint -> Stream.ofNullable(
            endpoint.parseStrictly(path, mark < 0 ? "" : name.substring(mark + 1))))
        .findFirst()
        .map(Endpoints::firstPage)
        .orElseThrow(() -> new IllegalArgumentException(
            "'" + name + "' is not an operation of the interface document"));
  }

  /**
   * Returns the path and query string of the request for a query, like {@link #targetName} but with the page unless
   * it is 1. For an on-chain operation, the path is relative to the on-chain path.
   */
  public static <A> String pathAndQuery(Query<A> query) {
    return Endpoints.<A, Query<A>>of(query).format(query);
  }

  /** Returns the endpoint of a query. */
  @SuppressWarnings("unchecked") // a query and its endpoint have the same operation
  public static <A, Q extends Query<A>> Endpoint<Q, A> of(Query<A> query) {
    return (Endpoint<Q, A>) Objects.requireNonNull(BY_OPERATION.get(query.operation()));
  }

  private static Query<?> firstPage(Query<?> query) {
    return query instanceof Query.Paged<?> paged ? paged.withPage(1) : query;
  }

  /** The values of {@code include} in operation 1. */
  private enum TopPools implements WireValue {
    TOP_POOLS;

    @Override
    public String wire() {
      return "top_pools";
    }
  }
}
