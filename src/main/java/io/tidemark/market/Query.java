package io.tidemark.market;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Global;
import io.tidemark.event.Platform;
import io.tidemark.event.Pool;
import io.tidemark.event.ResourceKey;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One query to the market data interface, with a type for each of the 13 operations of the interface document. Each
 * address has only one spelling, whatever the origin of the query. Addresses of 20 bytes in hexadecimal digits, as on
 * EVM networks, are in lower case, as in the service's answers. All other addresses, and the text of a search, keep
 * their case, which may be significant. Callers pass immutable sets.
 */
public sealed interface Query<A> {
  /** Passes this query to the market's method for this type of query, so that callers need no casts. */
  Mono<Answer<A>> askOf(MarketData market);

  /** Returns the operation that answers the query. */
  default Operation operation() {
    return switch (this) {
      case TokenByAddress q -> Operation.TOKEN;
      case DexPools q -> Operation.DEX_POOLS;
      case TrendingPools q -> Operation.TRENDING_POOLS;
      case NewPools q -> Operation.NEW_POOLS;
      case SearchPools q -> Operation.SEARCH_POOLS;
      case TokenPools q -> Operation.TOKEN_POOLS;
      case PoolByAddress q -> Operation.POOL;
      case GlobalMarket q -> Operation.GLOBAL;
      case CoinHistory q -> Operation.COIN_HISTORY;
      case CoinTickers q -> Operation.COIN_TICKERS;
      case DerivativesExchangeById q -> Operation.DERIVATIVES_EXCHANGE;
      case PublicTreasury q -> Operation.TREASURY;
      case AssetPlatforms q -> Operation.ASSET_PLATFORMS;
    };
  }

  /**
   * Returns the operation, the parameters that are part of the keys of the resources in the answer, and the filter of
   * asset platforms. Other parameters are left out.
   */
  default String subject() {
    return operation().wire() + " " + switch (this) {
      case TokenByAddress q -> ResourceKeys.of(q.network(), q.address());
      case DexPools q -> ResourceKeys.of(q.network(), q.dex(), q.sort().wire());
      case TrendingPools q -> ResourceKeys.of(q.network(), q.duration().wire());
      case NewPools q -> q.network();
      case SearchPools q -> ResourceKeys.of(q.network() == null ? "" : q.network(), q.query());
      case TokenPools q -> ResourceKeys.of(q.network(), q.tokenAddress(), q.sort().wire());
      case PoolByAddress q -> ResourceKeys.of(q.network(), q.address());
      case GlobalMarket q -> "";
      case CoinHistory q -> ResourceKeys.of(q.id(), q.date().toString());
      case CoinTickers q -> q.id();
      case DerivativesExchangeById q -> q.id();
      case PublicTreasury q -> q.entityId();
      case AssetPlatforms q -> q.filter() == null ? "" : q.filter().wire();
    };
  }

  /** A query whose answer has pages, numbered from 1. */
  sealed interface Paged<A> extends Query<A> {
    int page();

    Paged<A> withPage(int page);

    /** Returns whether the query asks for community data of pools. */
    default boolean community() {
      return false;
    }
  }

  /**
   * Operation 1: one token. {@code composition} requires {@code topPools}, which only the reader of the watch list
   * checks.
   */
  record TokenByAddress(String network, String address, boolean topPools, boolean composition, boolean inactiveSource)
      implements Query<OnChainAnswer<TokenAnswer>> {
    public TokenByAddress {
      address = ResourceKey.canonical(address);
    }

    @Override
    public Mono<Answer<OnChainAnswer<TokenAnswer>>> askOf(MarketData market) {
      return market.token(this);
    }
  }

  /** Operation 2: top pools of an exchange. */
  record DexPools(String network, String dex, Set<IncludedResource> include, int page, PoolSort sort, boolean community)
      implements Paged<OnChainAnswer<List<Observation<Pool>>>> {
    @Override
    public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> askOf(MarketData market) {
      return market.dexPools(this);
    }

    @Override
    public DexPools withPage(int page) {
      return new DexPools(network, dex, include, page, sort, community);
    }
  }

  /** Operation 3: trending pools of a network. */
  record TrendingPools(String network, Set<IncludedResource> include, int page, TrendingDuration duration,
      boolean community)
      implements Paged<OnChainAnswer<List<Observation<Pool>>>> {
    @Override
    public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> askOf(MarketData market) {
      return market.trendingPools(this);
    }

    @Override
    public TrendingPools withPage(int page) {
      return new TrendingPools(network, include, page, duration, community);
    }
  }

  /** Operation 4: pools created in the past 48 hours, newest first. */
  record NewPools(String network, Set<IncludedResource> include, int page, boolean community)
      implements Paged<OnChainAnswer<List<Observation<Pool>>>> {
    @Override
    public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> askOf(MarketData market) {
      return market.newPools(this);
    }

    @Override
    public NewPools withPage(int page) {
      return new NewPools(network, include, page, community);
    }
  }

  /** Operation 5: pools by address, token name or symbol. Searches all networks if {@code network} is null. */
  record SearchPools(String query, @Nullable String network, Set<IncludedResource> include, int page)
      implements Paged<OnChainAnswer<List<Observation<Pool>>>> {
    @Override
    public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> askOf(MarketData market) {
      return market.searchPools(this);
    }

    @Override
    public SearchPools withPage(int page) {
      return new SearchPools(query, network, include, page);
    }
  }

  /** Operation 6: top pools of a token. */
  record TokenPools(String network, String tokenAddress, Set<IncludedResource> include, boolean inactiveSource,
      int page,
      TokenPoolSort sort, boolean community)
      implements Paged<OnChainAnswer<List<Observation<Pool>>>> {
    public TokenPools {
      tokenAddress = ResourceKey.canonical(tokenAddress);
    }

    @Override
    public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> askOf(MarketData market) {
      return market.tokenPools(this);
    }

    @Override
    public TokenPools withPage(int page) {
      return new TokenPools(network, tokenAddress, include, inactiveSource, page, sort, community);
    }
  }

  /** Operation 7: one pool. */
  record PoolByAddress(
      String network, String address, Set<IncludedResource> include, boolean volumeBreakdown, boolean composition)
      implements Query<OnChainAnswer<Observation<Pool>>> {
    public PoolByAddress {
      address = ResourceKey.canonical(address);
    }

    @Override
    public Mono<Answer<OnChainAnswer<Observation<Pool>>>> askOf(MarketData market) {
      return market.pool(this);
    }
  }

  /** Operation 8: the market across all coins. */
  record GlobalMarket() implements Query<Observation<Global>> {
    @Override
    public Mono<Answer<Observation<Global>>> askOf(MarketData market) {
      return market.global(this);
    }
  }

  /** Operation 9: a coin at 00:00 UTC of a day. */
  record CoinHistory(String id, LocalDate date, boolean localization) implements Query<Observation<CoinDay>> {
    @Override
    public Mono<Answer<Observation<CoinDay>>> askOf(MarketData market) {
      return market.coinHistory(this);
    }
  }

  /** Operation 10: a coin across exchanges. */
  record CoinTickers(String id, @Nullable String exchangeIds, boolean logo, int page, TickerOrder order, boolean depth,
      DexPairFormat dexPairFormat)
      implements Paged<TickersAnswer> {
    @Override
    public Mono<Answer<TickersAnswer>> askOf(MarketData market) {
      return market.coinTickers(this);
    }

    @Override
    public CoinTickers withPage(int page) {
      return new CoinTickers(id, exchangeIds, logo, page, order, depth, dexPairFormat);
    }
  }

  /** Operation 11: a derivatives exchange. The answer has no tickers if {@code includeTickers} is null. */
  record DerivativesExchangeById(String id, @Nullable IncludeTickers includeTickers)
      implements Query<DerivativesAnswer> {
    @Override
    public Mono<Answer<DerivativesAnswer>> askOf(MarketData market) {
      return market.derivativesExchange(this);
    }
  }

  /** Operation 12: the holdings of a company or government. */
  record PublicTreasury(String entityId, Set<Timeframe> holdingAmountChange, Set<Timeframe> holdingChangePercentage)
      implements Query<TreasuryAnswer> {
    @Override
    public Mono<Answer<TreasuryAnswer>> askOf(MarketData market) {
      return market.treasury(this);
    }
  }

  /** Operation 13: all asset platforms, or those that support NFTs. */
  record AssetPlatforms(@Nullable PlatformFilter filter) implements Query<List<Observation<Platform>>> {
    @Override
    public Mono<Answer<List<Observation<Platform>>>> askOf(MarketData market) {
      return market.assetPlatforms(this);
    }
  }

  /** A kind of related resource that a query asks the answer to include in its top-level array {@code included}. */
  enum IncludedResource implements WireValue {
    BASE_TOKEN,
    QUOTE_TOKEN,
    DEX;

    public static final Set<IncludedResource> ALL = Set.of(values());
  }

  /** Order of an exchange's pools. The first constant is the default. */
  enum PoolSort implements WireValue {
    H24_TX_COUNT_DESC,
    H24_VOLUME_USD_DESC
  }

  /** Order of a token's pools. The first constant is the default. */
  enum TokenPoolSort implements WireValue {
    H24_VOLUME_USD_LIQUIDITY_DESC,
    H24_TX_COUNT_DESC,
    H24_VOLUME_USD_DESC
  }

  /** Duration by which the trending list is sorted. The default is H24. */
  enum TrendingDuration implements WireValue {
    M5("5m"),
    H1("1h"),
    H6("6h"),
    H24("24h");

    private final String wire;

    TrendingDuration(String wire) {
      this.wire = wire;
    }

    @Override
    public String wire() {
      return wire;
    }
  }

  /** Order of a coin's tickers. The first constant is the default. */
  enum TickerOrder implements WireValue {
    TRUST_SCORE_DESC,
    TRUST_SCORE_ASC,
    VOLUME_DESC,
    VOLUME_ASC
  }

  /** How the pairs on decentralised exchanges are named. The first constant is the default. */
  enum DexPairFormat implements WireValue {
    CONTRACT_ADDRESS,
    SYMBOL
  }

  /** Which contracts are listed in the answer about a derivatives exchange. */
  enum IncludeTickers implements WireValue {
    ALL,
    UNEXPIRED
  }

  /** A period over which the change of a holding is reported. */
  enum Timeframe implements WireValue {
    D7("7d"),
    D14("14d"),
    D30("30d"),
    D90("90d"),
    Y1("1y"),
    YTD("ytd");

    private final String wire;

    Timeframe(String wire) {
      this.wire = wire;
    }

    @Override
    public String wire() {
      return wire;
    }
  }

  /** A filter on the list of asset platforms. */
  enum PlatformFilter implements WireValue {
    NFT
  }
}
