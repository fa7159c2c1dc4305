package io.tidemark.simulator.pool;

/** What went through a pool in some time. */
public record TradeTotals(long buys, long sells, double buyUsd, double sellUsd) {
  static final TradeTotals NONE = new TradeTotals(0, 0, 0, 0);

  TradeTotals plus(TradeTotals other) {
    return new TradeTotals(buys + other.buys, sells + other.sells, buyUsd + other.buyUsd, sellUsd + other.sellUsd);
  }

  long trades() {
    return buys + sells;
  }

  public double usd() {
    return buyUsd + sellUsd;
  }
}
