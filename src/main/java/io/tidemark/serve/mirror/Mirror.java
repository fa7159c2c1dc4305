package io.tidemark.serve.mirror;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Contract;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.event.Global;
import io.tidemark.event.Holding;
import io.tidemark.event.Platform;
import io.tidemark.event.Pool;
import io.tidemark.event.Ticker;
import io.tidemark.event.Timeframes;
import io.tidemark.event.Treasury;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.Timeframe;
import io.tidemark.serve.mirror.WatchedTargets.MirroredTarget;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A market that answers from the newest states of a source. It makes no calls to the service. A search that is not
 * watched is answered from the known pools, and so is a query for one pool, if the pool is known. The answer to any
 * other query that is not watched is "not found", with a hint on how to watch that query.
 *
 * <p>Answers are not cached. Computing an answer with 20 pools takes half a millisecond of processor time, and a
 * freshly computed answer is never older than the states.
 */
public final class Mirror implements MarketData {
  private static final int TICKERS_PER_PAGE = 100;

  /** Maximum length of a symbol. A longer base or target of a ticker is taken for a contract address. */
  private static final int LONGEST_SYMBOL = 30;

  /** A type of a Move chain such as {@code 0x2::sui::SUI}, or an entity of Hedera such as {@code 0.0.456858}. */
  private static final Pattern SHORT_ADDRESS = Pattern.compile(".*::.*|\\d+\\.\\d+\\.\\d+");

  /** After this time, a client asks again that asked before all states were read. */
  private static final Duration CATCH_UP_PAUSE = Duration.ofSeconds(2);

  private final MirrorStore store;
  private final InstantSource clock;
  private final Scheduler threads;
  private final PoolAnswers onChain;

  /** @param threads threads that compute answers */
  Mirror(MirrorStore store, InstantSource clock, Scheduler threads) {
    this.store = store;
    this.clock = clock;
    this.threads = threads;
    this.onChain = new PoolAnswers(store);
  }

  /** Returns the failure of a query for what a mirror may know once it has read all states. */
  public static Failure notCaughtUp() {
    return new Failure.ServerError("The mirror has not read all states yet.", CATCH_UP_PAUSE);
  }

  /**
   * Reads an answer on threads of the mirror, so that readers delay neither event loops nor the timers of polls.
   * Fails with {@link Failure.ServerError} until the store has caught up.
   */
  private <A> Mono<Answer<A>> answer(Query<A> query, Function<AnswerReading, A> body) {
    return Mono.fromSupplier(() -> {
      if (!store.isCaughtUp()) {
        throw notCaughtUp();
      }
      var reading = new AnswerReading(store, query, clock.instant());
      return reading.answer(query, body.apply(reading));
    }).subscribeOn(threads);
  }

  @Override
  public Mono<Answer<OnChainAnswer<TokenAnswer>>> token(Query.TokenByAddress query) {
    return answer(query, reading -> onChain.token(reading, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> dexPools(Query.DexPools query) {
    return answer(query, reading -> onChain.list(reading, query, query.include()));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> trendingPools(Query.TrendingPools query) {
    return answer(query, reading -> onChain.list(reading, query, query.include()));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> newPools(Query.NewPools query) {
    return answer(query, reading -> onChain.list(reading, query, query.include()));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> searchPools(Query.SearchPools query) {
    return answer(query, reading -> onChain.search(reading, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> tokenPools(Query.TokenPools query) {
    return answer(query, reading -> onChain.list(reading, query, query.include()));
  }

  @Override
  public Mono<Answer<OnChainAnswer<Observation<Pool>>>> pool(Query.PoolByAddress query) {
    return answer(query, reading -> onChain.pool(reading, query));
  }

  @Override
  public Mono<Answer<Observation<Global>>> global(Query.GlobalMarket query) {
    return answer(query, reading -> {
      reading.target();
      return known(reading, "global", Global.class, "global");
    });
  }

  @Override
  public Mono<Answer<Observation<CoinDay>>> coinHistory(Query.CoinHistory query) {
    return answer(query, reading -> {
      var target = reading.target();
      var days = store.of("coin-day", CoinDay.class);
      var attributes = KnownAttributes.all(days.view().facets()).without(!query.localization(), "translation");
      return subject(reading, target, days, attributes, "coin not found");
    });
  }

  @Override
  public Mono<Answer<TickersAnswer>> coinTickers(Query.CoinTickers query) {
    return answer(query, reading -> {
      var target = reading.target();
      var watched = (Query.CoinTickers) store.targets().query(target);
      var tickers = store.of("ticker", Ticker.class);
      var attributes = KnownAttributes.all(tickers.view().facets())
          .hiding(!query.logo() || !watched.logo(), "media.logo")
          .without(!query.depth() || !watched.depth(), "depth");
      var ofCoin = members(reading, target, tickers, attributes);
      var all = ofCoin.stream()
          .filter(ticker -> query.exchangeIds() == null
              || WatchedTargets.exchanges(query.exchangeIds()).contains(ticker.resource().getMarket()))
          .toList();
      if (query.dexPairFormat() == DexPairFormat.SYMBOL && all.stream().anyMatch(Mirror::hasAddress)) {
        throw new Failure.NotFound("Not known. This mirror knows the tickers of decentralised exchanges by contract"
            + " address only; leave out the parameter dex_pair_format");
      }
      var first = (query.page() - 1L) * TICKERS_PER_PAGE;
      if (first >= all.size() && !target.exhausted()) {
        throw WatchHint.pageNotWatched(query.page(), target.pages());
      }
      var name = ofCoin.stream().map(Mirror::coinName).filter(Objects::nonNull).findFirst().orElse(null);
      return new TickersAnswer(name, ordered(all, query).stream().skip(first).limit(TICKERS_PER_PAGE).toList());
    });
  }

  private static @Nullable String coinName(Observation<Ticker> ticker) {
    var description = ticker.resource().getDescription();
    return description == null ? null : description.getCoinName();
  }

  private static boolean hasAddress(Observation<Ticker> ticker) {
    return isAddress(ticker.resource().getBase()) || isAddress(ticker.resource().getTarget());
  }

  private static boolean isAddress(String baseOrTarget) {
    return baseOrTarget.length() > LONGEST_SYMBOL || SHORT_ADDRESS.matcher(baseOrTarget).matches();
  }

  /**
   * Returns the tickers in the order that the query requests. The service no longer has trust scores, so an order by
   * trust score is the order in which the watched target lists the tickers, or the reverse of that order.
   */
  private static List<Observation<Ticker>> ordered(List<Observation<Ticker>> all, Query.CoinTickers query) {
    var byVolume = Comparator.comparingDouble(Mirror::volume);
    return switch (query.order()) {
      case TRUST_SCORE_DESC -> all;
      case TRUST_SCORE_ASC -> all.reversed();
      case VOLUME_DESC -> all.stream().sorted(byVolume.reversed()).toList();
      case VOLUME_ASC -> all.stream().sorted(byVolume).toList();
    };
  }

  private static double volume(Observation<Ticker> ticker) {
    var converted = ticker.resource().getConverted();
    var volume = converted == null ? null : converted.getConvertedVolume();
    return volume == null || volume.getUsd() == null ? 0 : volume.getUsd();
  }

  @Override
  public Mono<Answer<DerivativesAnswer>> derivativesExchange(Query.DerivativesExchangeById query) {
    return answer(query, reading -> {
      var target = reading.target();
      var exchange = known(reading, "derivatives-exchange", DerivativesExchange.class, query.id());
      if (query.includeTickers() == null) {
        return new DerivativesAnswer(exchange, null);
      }
      var contracts = store.of("contract", Contract.class);
      var listed = members(reading, target, contracts, KnownAttributes.all(contracts.view().facets())).stream()
          .filter(contract -> query.includeTickers() == IncludeTickers.ALL || !isExpired(contract.resource()))
          .toList();
      return new DerivativesAnswer(exchange, listed);
    });
  }

  private static boolean isExpired(Contract contract) {
    return contract.getDescription() != null && contract.getDescription().getExpiredAt() != null;
  }

  @Override
  public Mono<Answer<TreasuryAnswer>> treasury(Query.PublicTreasury query) {
    return answer(query, reading -> {
      var target = reading.target();
      var treasuries = store.of("treasury", Treasury.class);
      var treasury = subject(
          reading, target, treasuries, KnownAttributes.all(treasuries.view().facets()), "treasury not found");
      var holdings = store.of("holding", Holding.class);
      var listed = members(reading, target, holdings, KnownAttributes.all(holdings.view().facets())).stream()
          .map(holding -> withTimeframes(holding, query, (Query.PublicTreasury) store.targets().query(target)))
          .toList();
      return new TreasuryAnswer(treasury, listed);
    });
  }

  /**
   * Returns the holding with the timeframes that are both asked for and watched. A timeframe without a value is null.
   */
  private static Observation<Holding> withTimeframes(
      Observation<Holding> holding, Query.PublicTreasury asked, Query.PublicTreasury watched) {
    var trend = holding.resource().getTrend();
    if (trend == null) {
      return holding;
    }
    var nulls = new HashSet<>(holding.nulls());
    trend.setHoldingAmountChange(timeframes(trend.getHoldingAmountChange(), asked.holdingAmountChange(),
        watched.holdingAmountChange(), "trend.holding_amount_change.", nulls));
    trend.setHoldingChangePercentage(timeframes(trend.getHoldingChangePercentage(), asked.holdingChangePercentage(),
        watched.holdingChangePercentage(), "trend.holding_change_percentage.", nulls));
    if (trend.getHoldingAmountChange() == null && trend.getHoldingChangePercentage() == null) {
      holding.resource().setTrend(null);
    }
    return new Observation<>(holding.resource(), nulls);
  }

  private static @Nullable Timeframes timeframes(@Nullable Timeframes known, Set<Timeframe> asked,
      Set<Timeframe> watched, String prefix, Set<String> nulls) {
    var shown = new HashSet<>(asked);
    shown.retainAll(watched);
    if (shown.isEmpty()) {
      return null;
    }
    var timeframes = new Timeframes();
    for (var frame : shown) {
      var name = frame.name().toLowerCase(Locale.ROOT);
      var position = timeframes.getSchema().getField(name).pos();
      var value = known == null ? null : known.get(position);
      timeframes.put(position, value);
      if (value == null) {
        nulls.add(prefix + name);
      }
    }
    return timeframes;
  }

  @Override
  public Mono<Answer<List<Observation<Platform>>>> assetPlatforms(Query.AssetPlatforms query) {
    return answer(query, reading -> {
      var platforms = store.of("platform", Platform.class);
      var attributes = KnownAttributes.all(platforms.view().facets()).without(true, "nft");
      return members(reading, reading.target(), platforms, attributes).stream().map(Mirror::withId).toList();
    });
  }

  private static Observation<Platform> withId(Observation<Platform> platform) {
    if (platform.resource().getId() != null) {
      return platform;
    }
    var nulls = new HashSet<>(platform.nulls());
    nulls.add("id");
    return new Observation<>(platform.resource(), nulls);
  }

  private <R extends SpecificRecord> Observation<R> known(
      AnswerReading reading, String resource, Class<R> type, String key) {
    var states = store.of(resource, type);
    return found(reading.find(states, key, KnownAttributes.all(states.view().facets())), resource + " not found");
  }

  private static <R extends SpecificRecord> Observation<R> found(@Nullable Observation<R> resource, String message) {
    if (resource == null) {
      throw new Failure.NotFound(message);
    }
    return resource;
  }

  /** Returns the one resource of its kind that a target shows. Its id may be another than the one in the query. */
  private <R extends SpecificRecord> Observation<R> subject(AnswerReading reading, MirroredTarget target,
      EncodedStates<R> states, KnownAttributes attributes, String message) {
    return found(members(reading, target, states, attributes).stream().findFirst().orElse(null), message);
  }

  /** Returns the known resources of one kind that a target shows, in the order in which the target lists them. */
  private <R extends SpecificRecord> List<Observation<R>> members(
      AnswerReading reading, MirroredTarget target, EncodedStates<R> states, KnownAttributes attributes) {
    return reading.findAll(states, store.targets().shown(target), attributes);
  }
}
