package io.tidemark.simulator.pool;

import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolFlow;
import io.tidemark.event.TradeWindows;
import io.tidemark.event.Trades;
import io.tidemark.event.Windows;
import io.tidemark.simulator.generator.AnswerFormats;
import java.util.function.Function;

/** The rolling windows of a pool. */
record PoolWindows(RollingActivity activity) {
  /** Lists leave out the six hours of transactions. */
  PoolActivity activity(boolean single) {
    var trades = new TradeWindows(
        trades(RollingWindow.M5),
        trades(RollingWindow.M15),
        trades(RollingWindow.M30),
        trades(RollingWindow.H1),
        single ? trades(RollingWindow.H6) : null,
        trades(RollingWindow.H24));
    return new PoolActivity(
        windows(window -> AnswerFormats.percent(activity.move(window))), trades, usd(TradeTotals::usd));
  }

  PoolFlow flow() {
    return new PoolFlow(usd(flow -> flow.buyUsd() - flow.sellUsd()), usd(TradeTotals::buyUsd),
        usd(TradeTotals::sellUsd));
  }

  private Trades trades(RollingWindow window) {
    var flow = activity.flow(window);
    return new Trades(flow.buys(), flow.sells(), activity.buyers(window), activity.sellers(window));
  }

  private Windows usd(Function<TradeTotals, Double> figure) {
    return windows(window -> AnswerFormats.usd(figure.apply(activity.flow(window))));
  }

  private static Windows windows(Function<RollingWindow, String> text) {
    return new Windows(
        text.apply(RollingWindow.M5),
        text.apply(RollingWindow.M15),
        text.apply(RollingWindow.M30),
        text.apply(RollingWindow.H1),
        text.apply(RollingWindow.H6),
        text.apply(RollingWindow.H24));
  }
}
