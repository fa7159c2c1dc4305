package io.tidemark.simulator;

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
import io.tidemark.simulator.RollingActivity.RollingWindow;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A factory of observations of tokens. */
record TokenObservations(CoinPrices coins, PoolDirectory directory, FaultInjector faults) {

  /** Returns the observation of a token that is included in an answer about pools. */
  Observation<Token> included(SimulatedToken simulated, long at) {
    var nulls = new HashSet<String>();
    return faults.corruptedToken(new Observation<>(described(simulated, nulls), nulls), at);
  }

  /** Returns the observation of a token in an answer about this token, with figures from the pools of the token. */
  Observation<Token> single(SimulatedToken simulated, List<RollingActivity> pools, long at) {
    var nulls = new HashSet<String>();
    var token = described(simulated, nulls);
    var supply = BigDecimal.valueOf(simulated.supply());
    token.setSupply(new TokenSupply(
        supply.scaleByPowerOfTen(simulated.decimals()).setScale(1).toPlainString(),
        supply.setScale(1).toPlainString()));
    figures(token, pools, at);
    prices(token, simulated, pools, at, nulls);
    var launch = directory.launch(simulated.network(), simulated.address(), at);
    if (launch != null) {
      token.setLaunchpad(launch.launchpad(at));
      nulls.addAll(launch.launchpadNulls(at));
    }
    return faults.corruptedToken(new Observation<>(token, nulls), at);
  }

  private Token described(SimulatedToken simulated, Set<String> nulls) {
    var token = new Token();
    token.setId(simulated.id());
    token.setNetwork(simulated.network().id());
    token.setAddress(simulated.address());
    String coin = simulated.coin() == null ? null : simulated.coin().id();
    token.setDescription(new TokenDescription(simulated.name(), simulated.symbol(), (long) simulated.decimals(), coin));
    token.setMedia(new TokenMedia(AnswerFormats.image("tokens", simulated.id(), "large")));
    AnswerFormats.addIfNull(nulls, "description.service_coin_id", coin);
    return token;
  }

  private static void figures(Token token, List<RollingActivity> pools, long at) {
    double reserve = pools.stream().mapToDouble(pool -> pool.reserveUsd() / 2).sum();
    token.setLiquidity(new TokenLiquidity(AnswerFormats.usd(reserve)));
    double volume = pools.stream().mapToDouble(pool -> pool.volumeUsd(RollingWindow.H24)).sum();
    token.setActivity(new TokenActivity(new TokenVolume(AnswerFormats.usd(volume)), null));
    pools.stream()
        .mapToLong(pool -> pool.pool().lastTrade(at))
        .max()
        .ifPresent(last -> token.getActivity().setLastTradeTimestamp(TimeUnit.MILLISECONDS.toSeconds(last)));
  }

  /** Sets price and valuation of a token from the pool with the largest reserve. A facet without values is absent. */
  private void prices(Token token, SimulatedToken simulated, List<RollingActivity> pools, long at, Set<String> nulls) {
    String cap = simulated.coin() == null ? null : AnswerFormats.usd(coins.cap(simulated.coin(), at));
    AnswerFormats.addIfNull(nulls, "valuation.market_cap_usd", cap);
    var deepest = pools.stream().max(Comparator.comparingDouble(RollingActivity::reserveUsd)).orElse(null);
    if (deepest != null) {
      var balance = deepest.pool().balance(at);
      double price = deepest.pool().base().is(simulated) ? balance.baseUsd() : balance.quoteUsd();
      token.setPrice(new TokenPrice(AnswerFormats.price(price)));
      token.setValuation(new TokenValuation(AnswerFormats.usd(price * simulated.supply()), cap));
      return;
    }
    nulls.addAll(List.of("price.price_usd", "valuation.fdv_usd", "activity.last_trade_timestamp"));
    token.setValuation(cap == null ? null : new TokenValuation(null, cap));
  }
}
