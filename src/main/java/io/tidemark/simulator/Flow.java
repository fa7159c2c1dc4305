package io.tidemark.simulator;

/** What went through a pool in some time. */
record Flow(long buys, long sells, double buyUsd, double sellUsd) {
  static final Flow NONE = new Flow(0, 0, 0, 0);

  Flow plus(Flow other) {
    return new Flow(buys + other.buys, sells + other.sells, buyUsd + other.buyUsd, sellUsd + other.sellUsd);
  }

  long trades() {
    return buys + sells;
  }

  double usd() {
    return buyUsd + sellUsd;
  }
}
