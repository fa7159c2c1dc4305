package io.tidemark.simulator;

import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.simulator.RollingActivity.RollingWindow;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tickers of coins in established pools of decentralised exchanges where both tokens stand for coins. */
record PoolTickers(PoolDirectory directory) {
  private static final double SPREAD = 0.6;
  private static final double TWO_PERCENT = 0.01;

  Stream<TickerFigures> of(SimulatedCoin coin, DexPairFormat format, long at) {
    return Arrays.stream(Network.values())
        .flatMap(network -> directory.established(network).filter(pool -> pool.isActive(at)))
        .map(pool -> figures(coin, pool, format, at))
        .filter(Objects::nonNull);
  }

  private @Nullable TickerFigures figures(SimulatedCoin coin, SimulatedPool pool, DexPairFormat format, long at) {
    var base = pool.base().coin();
    var quote = pool.quote().coin();
    if (base == null || quote == null || base.equals(quote)) {
      return null;
    }
    var balance = pool.balance(at);
    if (base.equals(coin)) {
      return figures(pool, pool.base(), pool.quote(), balance.baseUsd(), balance.quoteUsd(), format, at);
    }
    return quote.equals(coin)
        ? figures(pool, pool.quote(), pool.base(), balance.quoteUsd(), balance.baseUsd(), format, at)
        : null;
  }

  private TickerFigures figures(
      SimulatedPool pool, SimulatedToken base, SimulatedToken target, double usd, double targetUsd,
      DexPairFormat format, long at) {
    double traded = new RollingActivity(pool, at).volumeUsd(RollingWindow.H24);
    return new TickerFigures(
        pool.dex(), Objects.requireNonNull(directory.exchanges(pool.network()).get(pool.dex())), name(base, format),
        name(target, format), target.coin() == null ? null : target.coin().id(), usd, targetUsd, traded / usd, SPREAD,
        pool.balance(at).sideUsd() * TWO_PERCENT, pool.lastTrade(at), at, false, false);
  }

  private static String name(SimulatedToken token, DexPairFormat format) {
    return format == DexPairFormat.SYMBOL ? token.symbol() : token.address();
  }
}
