package io.tidemark.simulator.pool;

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
import io.tidemark.simulator.coin.CoinPrices;
import io.tidemark.simulator.generator.AnswerFormats;
import io.tidemark.simulator.pool.PoolDetail.Part;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Pools as answers show them. */
public final class PoolObservations {
  private final CoinPrices coins;
  private final PoolDirectory book;
  private final PoolOpinions opinions;
  private final FaultInjector faults;

  public PoolObservations(CoinPrices coins, PoolDirectory book, PoolOpinions opinions, FaultInjector faults) {
    this.coins = coins;
    this.book = book;
    this.opinions = opinions;
    this.faults = faults;
  }

  public Observation<Pool> view(SimulatedPool facts, long at, PoolDetail detail) {
    var activity = new RollingActivity(facts, at);
    var nulls = new HashSet<String>();
    var pool = new Pool();
    pool.setId(facts.id());
    pool.setNetwork(facts.network().id());
    pool.setAddress(facts.address());
    pool.setDescription(description(facts, detail));
    var balance = facts.balance(at);
    pool.setPrice(price(facts, balance, at));
    pool.setLiquidity(new PoolLiquidity(AnswerFormats.usd(balance.reserveUsd())));
    pool.setActivity(new PoolWindows(activity).activity(detail.shows(Part.SINGLE)));
    pool.setValuation(valuation(facts.base(), balance, at, nulls));
    launchpad(pool, facts, at, nulls);
    parts(pool, activity, at, detail, nulls);
    return faults.corrupted(new Observation<>(pool, nulls), at);
  }

  private PoolDescription description(SimulatedPool facts, PoolDetail detail) {
    var description = new PoolDescription();
    description.setName(facts.fee() == null ? facts.pair() : facts.pair() + " " + facts.fee() + "%");
    description.setPoolCreatedAt(Launchpads.second(facts.created()));
    description.setBaseToken(facts.base().id());
    description.setQuoteToken(facts.quote().id());
    description.setDex(facts.dex());
    if (detail.shows(Part.DEX_NAME)) {
      description.setDexName(book.exchanges(facts.network()).get(facts.dex()));
    }
    return description;
  }

  private PoolPrice price(SimulatedPool facts, PoolBalance balance, long at) {
    double unit = coins.price(facts.network().nativeCoin(), facts.lastTrade(at));
    return new PoolPrice(
        AnswerFormats.price(balance.baseUsd()),
        AnswerFormats.price(balance.baseUsd() / unit),
        AnswerFormats.price(balance.quoteUsd()),
        AnswerFormats.price(balance.quoteUsd() / unit),
        AnswerFormats.price(balance.price()),
        AnswerFormats.price(1 / balance.price()));
  }

  private PoolValuation valuation(SimulatedToken base, PoolBalance balance, long at, Set<String> nulls) {
    String diluted = AnswerFormats.usd(balance.baseUsd() * base.supply());
    if (base.coin() == null) {
      nulls.add("valuation.market_cap_usd");
      return new PoolValuation(diluted, null);
    }
    return new PoolValuation(diluted, AnswerFormats.usd(coins.cap(base.coin(), at)));
  }

  private void launchpad(Pool pool, SimulatedPool facts, long at, Set<String> nulls) {
    var launch = book.launch(facts.network(), facts.address(), at);
    var launchpad = launch == null || launch.pool().created() != facts.created() ? null : Launchpads.of(launch, at);
    if (launchpad != null) {
      pool.setLaunchpad(launchpad);
      nulls.addAll(Launchpads.open(launchpad) ? Launchpads.OPEN : Set.of());
    }
  }

  private void parts(Pool pool, RollingActivity activity, long at, PoolDetail detail, Set<String> nulls) {
    var facts = activity.pool();
    var balance = facts.balance(at);
    if (detail.shows(Part.SINGLE)) {
      single(pool, facts, at, nulls);
    }
    if (detail.shows(Part.COMPOSITION)) {
      pool.setComposition(composition(balance));
    }
    if (detail.shows(Part.BREAKDOWN)) {
      pool.setFlow(new PoolWindows(activity).flow());
    }
    if (detail.shows(Part.COMMUNITY)) {
      pool.setSentiment(opinions.sentiment(facts, at));
    }
    if (detail.shows(Part.LAST_TRADE)) {
      pool.setTrade(new PoolTrade(TimeUnit.MILLISECONDS.toSeconds(facts.lastTrade(at))));
    }
    if (detail.pricedToken() != null) {
      pool.setTokenPrice(tokenPrice(detail.pricedToken(), facts, balance));
    }
  }

  private void single(Pool pool, SimulatedPool facts, long at, Set<String> nulls) {
    pool.getDescription().setPoolName(facts.pair());
    pool.getDescription().setPoolFeePercentage(facts.fee());
    if (facts.fee() == null) {
      nulls.add("description.pool_fee_percentage");
    }
    String locked = opinions.locked(facts, at);
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

  private static PoolTokenPrice tokenPrice(SimulatedToken asked, SimulatedPool facts, PoolBalance balance) {
    return facts.base().is(asked)
        ? new PoolTokenPrice(AnswerFormats.price(balance.baseUsd()), null)
        : new PoolTokenPrice(null, AnswerFormats.price(balance.quoteUsd()));
  }
}
