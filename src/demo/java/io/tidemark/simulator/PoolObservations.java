package io.tidemark.simulator;

import io.tidemark.event.Pool;
import io.tidemark.event.PoolComposition;
import io.tidemark.event.PoolDescription;
import io.tidemark.event.PoolLiquidity;
import io.tidemark.event.PoolLock;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolTokenPrice;
import io.tidemark.event.PoolTrade;
import io.tidemark.event.PoolValuation;
import io.tidemark.market.Observation;
import io.tidemark.simulator.PoolObservations.RequestedPoolParts.Part;
import io.tidemark.simulator.TradeHistory.PoolBalance;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A factory of observations of pools. */
record PoolObservations(CoinPrices coins, PoolDirectory directory, PoolSentimentModel opinions, FaultInjector faults) {

  Observation<Pool> observation(SimulatedPool simulated, long at, RequestedPoolParts requested) {
    var activity = new RollingActivity(simulated, at);
    var nulls = new HashSet<String>();
    var pool = new Pool();
    pool.setId(simulated.id());
    pool.setNetwork(simulated.network().id());
    pool.setAddress(simulated.address());
    pool.setDescription(description(simulated, requested));
    var balance = simulated.balance(at);
    pool.setPrice(price(simulated, balance, at));
    pool.setLiquidity(new PoolLiquidity(AnswerFormats.usd(balance.reserveUsd())));
    pool.setActivity(activity.activity(requested.has(Part.SINGLE)));
    pool.setValuation(valuation(simulated.base(), balance, at, nulls));
    var launch = directory.launch(simulated.network(), simulated.address(), at);
    if (launch != null && launch.pool().created() == simulated.created()) {
      pool.setLaunchpad(launch.launchpad(at));
      nulls.addAll(launch.launchpadNulls(at));
    }
    parts(pool, activity, at, requested, nulls);
    return faults.corrupted(new Observation<>(pool, nulls), at);
  }

  private PoolDescription description(SimulatedPool simulated, RequestedPoolParts requested) {
    var description = new PoolDescription();
    description.setName(simulated.fee() == null ? simulated.pair() : simulated.pair() + " " + simulated.fee() + "%");
    description.setPoolCreatedAt(AnswerFormats.second(simulated.created()));
    description.setBaseToken(simulated.base().id());
    description.setQuoteToken(simulated.quote().id());
    description.setDex(simulated.dex());
    if (requested.has(Part.DEX_NAME)) {
      description.setDexName(directory.exchanges(simulated.network()).get(simulated.dex()));
    }
    return description;
  }

  private PoolPrice price(SimulatedPool simulated, PoolBalance balance, long at) {
    double unit = coins.price(simulated.network().nativeCoin, simulated.lastTrade(at));
    return new PoolPrice(
        AnswerFormats.price(balance.baseUsd()), AnswerFormats.price(balance.baseUsd() / unit),
        AnswerFormats.price(balance.quoteUsd()), AnswerFormats.price(balance.quoteUsd() / unit),
        AnswerFormats.price(balance.price()), AnswerFormats.price(1 / balance.price()));
  }

  private PoolValuation valuation(SimulatedToken base, PoolBalance balance, long at, Set<String> nulls) {
    String diluted = AnswerFormats.usd(balance.baseUsd() * base.supply());
    if (base.coin() == null) {
      nulls.add("valuation.market_cap_usd");
      return new PoolValuation(diluted, null);
    }
    return new PoolValuation(diluted, AnswerFormats.usd(coins.cap(base.coin(), at)));
  }

  private void parts(Pool pool, RollingActivity activity, long at, RequestedPoolParts requested, Set<String> nulls) {
    var simulated = activity.pool();
    var balance = simulated.balance(at);
    if (requested.has(Part.SINGLE)) {
      single(pool, simulated, at, nulls);
    }
    if (requested.has(Part.COMPOSITION)) {
      pool.setComposition(composition(balance));
    }
    if (requested.has(Part.BREAKDOWN)) {
      pool.setFlow(activity.flow());
    }
    if (requested.has(Part.COMMUNITY)) {
      pool.setSentiment(opinions.sentiment(simulated, at));
    }
    if (requested.has(Part.LAST_TRADE)) {
      pool.setTrade(new PoolTrade(TimeUnit.MILLISECONDS.toSeconds(simulated.lastTrade(at))));
    }
    if (requested.pricedToken() != null) {
      pool.setTokenPrice(tokenPrice(requested.pricedToken(), simulated, balance));
    }
  }

  private void single(Pool pool, SimulatedPool simulated, long at, Set<String> nulls) {
    pool.getDescription().setPoolName(simulated.pair());
    pool.getDescription().setPoolFeePercentage(simulated.fee());
    AnswerFormats.addIfNull(nulls, "description.pool_fee_percentage", simulated.fee());
    String locked = opinions.locked(simulated, at);
    if (locked == null) {
      nulls.add("lock.locked_liquidity_percentage");
    } else {
      pool.setLock(new PoolLock(locked));
    }
  }

  private static PoolComposition composition(PoolBalance balance) {
    String side = AnswerFormats.usd(balance.sideUsd());
    return new PoolComposition(AnswerFormats.price(balance.base()), side, AnswerFormats.price(balance.quote()), side);
  }

  private static PoolTokenPrice tokenPrice(SimulatedToken token, SimulatedPool simulated, PoolBalance balance) {
    return simulated.base().is(token)
        ? new PoolTokenPrice(AnswerFormats.price(balance.baseUsd()), null)
        : new PoolTokenPrice(null, AnswerFormats.price(balance.quoteUsd()));
  }

  /**
   * The parts of a pool that a query requests besides the parts in every answer.
   *
   * @param pricedToken token whose price the answer contains; null for none
   */
  record RequestedPoolParts(Set<Part> parts, @Nullable SimulatedToken pricedToken) {
    enum Part {
      /** Attributes that only answers to operation 7, a single pool, have. */
      SINGLE,
      COMPOSITION,
      BREAKDOWN,
      COMMUNITY,
      DEX_NAME,
      LAST_TRADE
    }

    static final RequestedPoolParts NONE = new RequestedPoolParts(Set.of(), null);

    RequestedPoolParts with(Part part, boolean wanted) {
      var more = wanted ? EnumSet.of(part) : EnumSet.noneOf(Part.class);
      more.addAll(parts);
      return new RequestedPoolParts(more, pricedToken);
    }

    RequestedPoolParts withPriceOf(SimulatedToken token) {
      return new RequestedPoolParts(parts, token);
    }

    boolean has(Part part) {
      return parts.contains(part);
    }
  }
}
