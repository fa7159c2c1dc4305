package io.tidemark.simulator;

import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolFlow;
import io.tidemark.event.TradeWindows;
import io.tidemark.event.Trades;
import io.tidemark.event.Windows;
import io.tidemark.simulator.TradeHistory.TradeTotals;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The trades in a pool and the moves of its price in each rolling window up to a time. */
final class RollingActivity {

  /** The rolling windows of the interface document, shortest first. */
  enum RollingWindow {
    M5(Duration.ofMinutes(5)),
    M15(Duration.ofMinutes(15)),
    M30(Duration.ofMinutes(30)),
    H1(Duration.ofHours(1)),
    H6(Duration.ofHours(6)),
    H24(Duration.ofHours(24));

    final long millis;

    RollingWindow(Duration length) {
      this.millis = length.toMillis();
    }
  }

  private final SimulatedPool pool;
  private final long at;
  private final Map<RollingWindow, TradeTotals> totals = new EnumMap<>(RollingWindow.class);

  RollingActivity(SimulatedPool pool, long at) {
    this.pool = pool;
    this.at = at;
    var trades = pool.trades();
    var sum = TradeTotals.NONE;
    long later = trades.blockAt(at);
    for (var window : RollingWindow.values()) {
      long earlier = trades.blockAt(at - window.millis);
      sum = sum.plus(trades.between(earlier, later));
      totals.put(window, sum);
      later = earlier;
    }
  }

  SimulatedPool pool() {
    return pool;
  }

  private TradeTotals totals(RollingWindow window) {
    return Objects.requireNonNull(totals.get(window));
  }

  long trades(RollingWindow window) {
    return totals(window).trades();
  }

  double volumeUsd(RollingWindow window) {
    return totals(window).usd();
  }

  /**
   * Returns the percentage by which the base token's USD price moved in a window, or since the creation of the pool if
   * that was later.
   */
  double move(RollingWindow window) {
    var trades = pool.trades();
    double before = trades.balanceAfter(trades.blockAt(at - window.millis)).baseUsd();
    return 100 * (trades.balanceAfter(trades.blockAt(at)).baseUsd() / before - 1);
  }

  long buyers(RollingWindow window) {
    return distinct(totals(window).buys());
  }

  long sellers(RollingWindow window) {
    return distinct(totals(window).sells());
  }

  /**
   * Returns the expected number of different traders who made the given number of trades, if all traders of the pool
   * trade equally often.
   */
  private long distinct(long trades) {
    double traders = pool.traders();
    long expected = Math.round(traders * -StrictMath.expm1(trades * StrictMath.log1p(-1 / traders)));
    return Math.clamp(expected, Math.min(1, trades), trades);
  }

  double reserveUsd() {
    return pool.balance(at).reserveUsd();
  }

  /** Returns the facet {@code activity}. In a list ({@code single} is false), it lacks the trades of six hours. */
  PoolActivity activity(boolean single) {
    var trades = new TradeWindows(
        tradesOf(RollingWindow.M5), tradesOf(RollingWindow.M15), tradesOf(RollingWindow.M30),
        tradesOf(RollingWindow.H1), single ? tradesOf(RollingWindow.H6) : null, tradesOf(RollingWindow.H24));
    return new PoolActivity(windows(window -> AnswerFormats.percent(move(window))), trades, usd(TradeTotals::usd));
  }

  /** Returns the facet {@code flow}. */
  PoolFlow flow() {
    return new PoolFlow(
        usd(sum -> sum.buyUsd() - sum.sellUsd()), usd(TradeTotals::buyUsd), usd(TradeTotals::sellUsd));
  }

  private Trades tradesOf(RollingWindow window) {
    var sum = totals(window);
    return new Trades(sum.buys(), sum.sells(), buyers(window), sellers(window));
  }

  private Windows usd(ToDoubleFunction<TradeTotals> figure) {
    return windows(window -> AnswerFormats.usd(figure.applyAsDouble(totals(window))));
  }

  private static Windows windows(Function<RollingWindow, String> text) {
    return new Windows(
        text.apply(RollingWindow.M5), text.apply(RollingWindow.M15), text.apply(RollingWindow.M30),
        text.apply(RollingWindow.H1), text.apply(RollingWindow.H6), text.apply(RollingWindow.H24));
  }
}
