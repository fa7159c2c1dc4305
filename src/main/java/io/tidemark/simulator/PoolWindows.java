package io.tidemark.simulator;

import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolFlow;
import io.tidemark.event.TradeWindows;
import io.tidemark.event.Trades;
import io.tidemark.event.Windows;
import java.util.function.Function;

/** The rolling windows of a pool. */
record PoolWindows(Activity activity) {
  /** Lists leave out the six hours of transactions. */
  PoolActivity activity(boolean single) {
    var trades = new TradeWindows(
        trades(Window.M5),
        trades(Window.M15),
        trades(Window.M30),
        trades(Window.H1),
        single ? trades(Window.H6) : null,
        trades(Window.H24));
    return new PoolActivity(
        windows(window -> Decimals.percent(activity.move(window))), trades, usd(Flow::usd));
  }

  PoolFlow flow() {
    return new PoolFlow(usd(flow -> flow.buyUsd() - flow.sellUsd()), usd(Flow::buyUsd), usd(Flow::sellUsd));
  }

  private Trades trades(Window window) {
    var flow = activity.flow(window);
    return new Trades(flow.buys(), flow.sells(), activity.buyers(window), activity.sellers(window));
  }

  private Windows usd(Function<Flow, Double> figure) {
    return windows(window -> Decimals.usd(figure.apply(activity.flow(window))));
  }

  private static Windows windows(Function<Window, String> text) {
    return new Windows(
        text.apply(Window.M5),
        text.apply(Window.M15),
        text.apply(Window.M30),
        text.apply(Window.H1),
        text.apply(Window.H6),
        text.apply(Window.H24));
  }
}
