package io.tidemark.simulator.pool;

import io.tidemark.event.Token;
import io.tidemark.event.TokenActivity;
import io.tidemark.event.TokenDescription;
import io.tidemark.event.TokenLiquidity;
import io.tidemark.event.TokenMedia;
import io.tidemark.event.TokenPrice;
import io.tidemark.event.TokenSupply;
import io.tidemark.event.TokenValuation;
import io.tidemark.event.TokenVolume;
import io.tidemark.market.Observation;
import io.tidemark.simulator.coin.CoinPrices;
import io.tidemark.simulator.generator.AnswerFormats;
import io.tidemark.simulator.generator.Images;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Tokens as answers show them. */
public final class TokenObservations {
  private final CoinPrices coins;
  private final PoolDirectory book;
  private final FaultInjector faults;

  public TokenObservations(CoinPrices coins, PoolDirectory book, FaultInjector faults) {
    this.coins = coins;
    this.book = book;
    this.faults = faults;
  }

  /** As it comes along with a pool. */
  Observation<Token> included(SimulatedToken facts, long at) {
    var nulls = new HashSet<String>();
    return faults.corruptedToken(new Observation<>(described(facts, nulls), nulls), at);
  }

  /** As its own operation shows it, by what goes on in its pools. */
  Observation<Token> single(SimulatedToken facts, List<RollingActivity> pools, long at) {
    var nulls = new HashSet<String>();
    var token = described(facts, nulls);
    token.setSupply(new TokenSupply(
        supply(BigDecimal.valueOf(facts.supply()).scaleByPowerOfTen(facts.decimals())),
        supply(BigDecimal.valueOf(facts.supply()))));
    figures(token, pools, at);
    prices(token, facts, pools, at, nulls);
    launchpad(token, facts, at, nulls);
    return faults.corruptedToken(new Observation<>(token, nulls), at);
  }

  private Token described(SimulatedToken facts, Set<String> nulls) {
    var token = new Token();
    token.setId(facts.id());
    token.setNetwork(facts.network().id());
    token.setAddress(facts.address());
    String coin = facts.coin() == null ? null : facts.coin().id();
    token.setDescription(new TokenDescription(facts.name(), facts.symbol(), (long) facts.decimals(), coin));
    token.setMedia(new TokenMedia(Images.token(facts.id())));
    if (coin == null) {
      nulls.add("description.service_coin_id");
    }
    return token;
  }

  private static void figures(Token token, List<RollingActivity> pools, long at) {
    token.setLiquidity(new TokenLiquidity(AnswerFormats.usd(sum(pools, pool -> pool.reserveUsd() / 2))));
    var volume = new TokenVolume(AnswerFormats.usd(sum(pools, pool -> pool.flow(RollingWindow.H24).usd())));
    token.setActivity(new TokenActivity(volume, null));
    pools.stream()
        .mapToLong(pool -> pool.pool().lastTrade(at))
        .max()
        .ifPresent(last -> token.getActivity().setLastTradeTimestamp(TimeUnit.MILLISECONDS.toSeconds(last)));
  }

  /** By its deepest pool; a facet of which nothing is known is left out. */
  private void prices(Token token, SimulatedToken facts, List<RollingActivity> pools, long at, Set<String> nulls) {
    String cap = facts.coin() == null ? null : AnswerFormats.usd(coins.cap(facts.coin(), at));
    if (cap == null) {
      nulls.add("valuation.market_cap_usd");
    }
    var deepest = pools.stream().max(Comparator.comparingDouble(RollingActivity::reserveUsd)).orElse(null);
    if (deepest != null) {
      double price = price(facts, deepest.pool(), at);
      token.setPrice(new TokenPrice(AnswerFormats.price(price)));
      token.setValuation(new TokenValuation(AnswerFormats.usd(price * facts.supply()), cap));
      return;
    }
    nulls.addAll(List.of("price.price_usd", "valuation.fdv_usd", "activity.last_trade_timestamp"));
    token.setValuation(cap == null ? null : new TokenValuation(null, cap));
  }

  private static double price(SimulatedToken facts, SimulatedPool pool, long at) {
    var balance = pool.balance(at);
    return pool.base().is(facts) ? balance.baseUsd() : balance.quoteUsd();
  }

  private void launchpad(Token token, SimulatedToken facts, long at, Set<String> nulls) {
    var launchpad = Launchpads.of(book.launch(facts.network(), facts.address(), at), at);
    if (launchpad != null) {
      token.setLaunchpad(launchpad);
      nulls.addAll(Launchpads.open(launchpad) ? Launchpads.OPEN : Set.of());
    }
  }

  private static double sum(List<RollingActivity> pools, ToDoubleFunction<RollingActivity> figure) {
    return pools.stream().mapToDouble(figure).sum();
  }

  private static String supply(BigDecimal tokens) {
    return tokens.setScale(1).toPlainString();
  }
}
