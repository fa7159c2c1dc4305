package io.tidemark.http;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Global;
import io.tidemark.event.Platform;
import io.tidemark.event.Pool;
import io.tidemark.market.DerivativesAnswer;
import io.tidemark.market.DexPairFormat;
import io.tidemark.market.Include;
import io.tidemark.market.IncludeTickers;
import io.tidemark.market.OnChain;
import io.tidemark.market.Operation;
import io.tidemark.market.PlatformFilter;
import io.tidemark.market.PoolSort;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import io.tidemark.market.TickerOrder;
import io.tidemark.market.TickersAnswer;
import io.tidemark.market.Timeframe;
import io.tidemark.market.TokenAnswer;
import io.tidemark.market.TokenPoolSort;
import io.tidemark.market.TreasuryAnswer;
import io.tidemark.market.TrendingDuration;
import io.tidemark.market.Wire;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The interface document as a table: its 13 operations, in its order. */
public final class Endpoints {
  private static final Parameter<Set<Include>> INCLUDE =
      Parameter.some("include", Set.of(Include.BASE_TOKEN), Include.values());
  private static final Parameter<Set<TopPools>> INCLUDE_TOP_POOLS =
      Parameter.some("include", Set.of(), TopPools.values());
  private static final Parameter<Integer> PAGE = Parameter.page();
  private static final Parameter<Boolean> COMMUNITY = Parameter.flag(false, "include_gt_community_data");
  private static final Parameter<Boolean> COMPOSITION = Parameter.flag(false, "include_composition");
  private static final Parameter<Boolean> INACTIVE_SOURCE = Parameter.flag(false, "include_inactive_source");
  private static final Parameter<Boolean> VOLUME_BREAKDOWN = Parameter.flag(false, "include_volume_breakdown");
  private static final Parameter<PoolSort> POOL_SORT =
      Parameter.one("sort", PoolSort.H24_TX_COUNT_DESC, PoolSort.values());
  private static final Parameter<TokenPoolSort> TOKEN_POOL_SORT =
      Parameter.one("sort", TokenPoolSort.H24_VOLUME_USD_LIQUIDITY_DESC, TokenPoolSort.values());
  private static final Parameter<TrendingDuration> DURATION =
      Parameter.one("duration", TrendingDuration.H24, TrendingDuration.values());
  private static final Parameter<String> QUERY = Parameter.text("query");
  private static final Parameter<String> NETWORK = Parameter.text("network");
  private static final Parameter<LocalDate> DATE = Parameter.day("date");
  private static final Parameter<Boolean> LOCALIZATION = Parameter.flag(true, "localization");
  private static final Parameter<String> EXCHANGE_IDS = Parameter.text("exchange_ids");

  /** The document does not show its name; the service's own is the first. */
  private static final Parameter<Boolean> LOGO = Parameter.flag(false, "include_exchange_logo", "logo");

  private static final Parameter<TickerOrder> ORDER =
      Parameter.one("order", TickerOrder.TRUST_SCORE_DESC, TickerOrder.values());
  private static final Parameter<Boolean> DEPTH = Parameter.flag(false, "depth");
  private static final Parameter<DexPairFormat> DEX_PAIR_FORMAT =
      Parameter.one("dex_pair_format", DexPairFormat.CONTRACT_ADDRESS, DexPairFormat.values());
  private static final Parameter<IncludeTickers> INCLUDE_TICKERS =
      Parameter.one("include_tickers", null, IncludeTickers.values());
  private static final Parameter<Set<Timeframe>> HOLDING_AMOUNT_CHANGE =
      Parameter.some("holding_amount_change", Set.of(), Timeframe.values());
  private static final Parameter<Set<Timeframe>> HOLDING_CHANGE_PERCENTAGE =
      Parameter.some("holding_change_percentage", Set.of(), Timeframe.values());
  private static final Parameter<PlatformFilter> FILTER = Parameter.one("filter", null, PlatformFilter.values());

  static final Endpoint<Query.TokenByAddress, OnChain<TokenAnswer>> TOKEN = onChain(
      Operation.TOKEN,
      "/networks/{network}/tokens/{address}",
      in -> new Query.TokenByAddress(in.at("network"), in.at("address"), !in.get(INCLUDE_TOP_POOLS).isEmpty(),
          in.get(COMPOSITION), in.get(INACTIVE_SOURCE)),
      (q, out) -> out.at("network", q.network()).at("address", q.address())
          .put(INCLUDE_TOP_POOLS, q.topPools() ? Set.of(TopPools.TOP_POOLS) : Set.of())
          .put(COMPOSITION, q.composition()).put(INACTIVE_SOURCE, q.inactiveSource()),
      OnChainCodec.token());

  static final Endpoint<Query.DexPools, OnChain<List<Seen<Pool>>>> DEX_POOLS = onChain(
      Operation.DEX_POOLS,
      "/networks/{network}/dexes/{dex}/pools",
      in -> new Query.DexPools(in.at("network"), in.at("dex"), in.get(INCLUDE), in.get(PAGE), in.get(POOL_SORT),
          in.get(COMMUNITY)),
      (q, out) -> out.at("network", q.network()).at("dex", q.dex()).put(INCLUDE, q.include()).put(PAGE, q.page())
          .put(POOL_SORT, q.sort()).put(COMMUNITY, q.community()),
      OnChainCodec.pools(q -> new Asked(q.network(), null)));

  static final Endpoint<Query.TrendingPools, OnChain<List<Seen<Pool>>>> TRENDING_POOLS = onChain(
      Operation.TRENDING_POOLS,
      "/networks/{network}/trending_pools",
      in -> new Query.TrendingPools(in.at("network"), in.get(INCLUDE), in.get(PAGE), in.get(DURATION),
          in.get(COMMUNITY)),
      (q, out) -> out.at("network", q.network()).put(INCLUDE, q.include()).put(PAGE, q.page())
          .put(DURATION, q.duration()).put(COMMUNITY, q.community()),
      OnChainCodec.pools(q -> new Asked(q.network(), null)));

  static final Endpoint<Query.NewPools, OnChain<List<Seen<Pool>>>> NEW_POOLS = onChain(
      Operation.NEW_POOLS,
      "/networks/{network}/new_pools",
      in -> new Query.NewPools(in.at("network"), in.get(INCLUDE), in.get(PAGE), in.get(COMMUNITY)),
      (q, out) -> out.at("network", q.network()).put(INCLUDE, q.include()).put(PAGE, q.page())
          .put(COMMUNITY, q.community()),
      OnChainCodec.pools(q -> new Asked(q.network(), null)));

  static final Endpoint<Query.SearchPools, OnChain<List<Seen<Pool>>>> SEARCH_POOLS = onChain(
      Operation.SEARCH_POOLS,
      "/search/pools",
      in -> new Query.SearchPools(in.get(QUERY), in.find(NETWORK), in.get(INCLUDE), in.get(PAGE)),
      (q, out) -> out.put(QUERY, q.query()).put(NETWORK, q.network()).put(INCLUDE, q.include())
          .put(PAGE, q.page()),
      OnChainCodec.pools(q -> new Asked(q.network(), null)));

  static final Endpoint<Query.TokenPools, OnChain<List<Seen<Pool>>>> TOKEN_POOLS = onChain(
      Operation.TOKEN_POOLS,
      "/networks/{network}/tokens/{token_address}/pools",
      in -> new Query.TokenPools(in.at("network"), in.at("token_address"), in.get(INCLUDE), in.get(INACTIVE_SOURCE),
          in.get(PAGE), in.get(TOKEN_POOL_SORT), in.get(COMMUNITY)),
      (q, out) -> out.at("network", q.network()).at("token_address", q.tokenAddress()).put(INCLUDE, q.include())
          .put(INACTIVE_SOURCE, q.inactiveSource()).put(PAGE, q.page()).put(TOKEN_POOL_SORT, q.sort())
          .put(COMMUNITY, q.community()),
      OnChainCodec.pools(q -> new Asked(q.network(), q.tokenAddress())));

  static final Endpoint<Query.PoolByAddress, OnChain<Seen<Pool>>> POOL = onChain(
      Operation.POOL,
      "/networks/{network}/pools/{address}",
      in -> new Query.PoolByAddress(in.at("network"), in.at("address"), in.get(INCLUDE), in.get(VOLUME_BREAKDOWN),
          in.get(COMPOSITION)),
      (q, out) -> out.at("network", q.network()).at("address", q.address()).put(INCLUDE, q.include())
          .put(VOLUME_BREAKDOWN, q.volumeBreakdown()).put(COMPOSITION, q.composition()),
      OnChainCodec.pool());

  static final Endpoint<Query.GlobalMarket, Seen<Global>> GLOBAL = offChain(
      Operation.GLOBAL,
      "/global",
      in -> new Query.GlobalMarket(),
      (q, out) -> out,
      new GlobalCodec());

  static final Endpoint<Query.CoinHistory, Seen<CoinDay>> COIN_HISTORY = offChain(
      Operation.COIN_HISTORY,
      "/coins/{id}/history",
      in -> new Query.CoinHistory(in.at("id"), in.get(DATE), in.get(LOCALIZATION)),
      (q, out) -> out.at("id", q.id()).put(DATE, q.date()).put(LOCALIZATION, q.localization()),
      new CoinDayCodec());

  static final Endpoint<Query.CoinTickers, TickersAnswer> COIN_TICKERS = offChain(
      Operation.COIN_TICKERS,
      "/coins/{id}/tickers",
      in -> new Query.CoinTickers(in.at("id"), in.find(EXCHANGE_IDS), in.get(LOGO), in.get(PAGE), in.get(ORDER),
          in.get(DEPTH), in.get(DEX_PAIR_FORMAT)),
      (q, out) -> out.at("id", q.id()).put(EXCHANGE_IDS, q.exchangeIds()).put(LOGO, q.logo()).put(PAGE, q.page())
          .put(ORDER, q.order()).put(DEPTH, q.depth()).put(DEX_PAIR_FORMAT, q.dexPairFormat()),
      new TickersCodec());

  static final Endpoint<Query.DerivativesExchangeById, DerivativesAnswer> DERIVATIVES_EXCHANGE = offChain(
      Operation.DERIVATIVES_EXCHANGE,
      "/derivatives/exchanges/{id}",
      in -> new Query.DerivativesExchangeById(in.at("id"), in.find(INCLUDE_TICKERS)),
      (q, out) -> out.at("id", q.id()).put(INCLUDE_TICKERS, q.includeTickers()),
      new DerivativesCodec());

  static final Endpoint<Query.PublicTreasury, TreasuryAnswer> TREASURY = offChain(
      Operation.TREASURY,
      "/public_treasury/{entity_id}",
      in -> new Query.PublicTreasury(in.at("entity_id"), in.get(HOLDING_AMOUNT_CHANGE),
          in.get(HOLDING_CHANGE_PERCENTAGE)),
      (q, out) -> out.at("entity_id", q.entityId()).put(HOLDING_AMOUNT_CHANGE, q.holdingAmountChange())
          .put(HOLDING_CHANGE_PERCENTAGE, q.holdingChangePercentage()),
      new TreasuryCodec());

  static final Endpoint<Query.AssetPlatforms, List<Seen<Platform>>> ASSET_PLATFORMS = offChain(
      Operation.ASSET_PLATFORMS,
      "/asset_platforms",
      in -> new Query.AssetPlatforms(in.find(FILTER)),
      (q, out) -> out.put(FILTER, q.filter()),
      new PlatformsCodec());

  static final List<Endpoint<?, ?>> ALL = List.of(TOKEN, DEX_POOLS, TRENDING_POOLS, NEW_POOLS, SEARCH_POOLS,
      TOKEN_POOLS, POOL, GLOBAL, COIN_HISTORY, COIN_TICKERS, DERIVATIVES_EXCHANGE, TREASURY, ASSET_PLATFORMS);

  private static final Map<Operation, Endpoint<?, ?>> BY_OPERATION =
      ALL.stream().collect(Collectors.toUnmodifiableMap(Endpoint::operation, Function.identity()));

  private Endpoints() {}

  /**
   * The canonical name of a target: the document's path (without {@code /onchain}) and the sorted query without the
   * page and without what has its default value, like {@code
   * /networks/solana/trending_pools?duration=1h&include=base_token,dex,quote_token}.
   */
  public static String nameOf(Query<?> query) {
    return urlOf(firstPage(query));
  }

  /**
   * The question behind a canonical name, first page.
   *
   * @throws IllegalArgumentException where it is no operation of the document, or a parameter is wrong
   */
  public static Query<?> queryOf(String name) {
    int mark = name.indexOf('?');
    var path = mark < 0 ? name : name.substring(0, mark);
    return ALL.stream()
        .flatMap(endpoint -> Stream.ofNullable(endpoint.parse(path, mark < 0 ? "" : name.substring(mark + 1))))
        .findFirst()
        .map(Endpoints::firstPage)
        .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is no operation of the document"));
  }

  /** Path and query as asked, page included. */
  static <A> String urlOf(Query<A> query) {
    return Endpoints.<A, Query<A>>of(query).format(query);
  }

  /** The row of a question. */
  @SuppressWarnings("unchecked") // a question and its row bear the same operation
  static <A, Q extends Query<A>> Endpoint<Q, A> of(Query<A> query) {
    return (Endpoint<Q, A>) Objects.requireNonNull(BY_OPERATION.get(query.operation()));
  }

  private static Query<?> firstPage(Query<?> query) {
    return query instanceof Query.Paged<?> paged ? paged.withPage(1) : query;
  }

  private static <Q extends Query<A>, A> Endpoint<Q, A> onChain(
      Operation operation,
      String path,
      Function<Question, Q> parse,
      BiFunction<Q, Question, Question> format,
      AnswerCodec<Q, A> answer) {
    return new Endpoint<>(operation, true, PathTemplate.of(path), parse, format, answer);
  }

  private static <Q extends Query<A>, A> Endpoint<Q, A> offChain(
      Operation operation,
      String path,
      Function<Question, Q> parse,
      BiFunction<Q, Question, Question> format,
      AnswerCodec<Q, A> answer) {
    return new Endpoint<>(operation, false, PathTemplate.of(path), parse, format, answer);
  }

  /** What operation 1 can include. */
  private enum TopPools implements Wire {
    TOP_POOLS;

    @Override
    public String wire() {
      return "top_pools";
    }
  }
}
