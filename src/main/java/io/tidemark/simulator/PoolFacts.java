package io.tidemark.simulator;

import org.jspecify.annotations.Nullable;

/**
 * A pool: what never changes of it, and the tape of its trades.
 *
 * @param fee percent, as written in its name; null where it varies
 * @param traders people who trade in it
 */
record PoolFacts(
    String address,
    String dex,
    @Nullable String fee,
    TokenFacts base,
    TokenFacts quote,
    Tape tape,
    double traders) {
  private static final long DAY = Window.H24.millis();

  String id() {
    return network().id() + "_" + address;
  }

  Network network() {
    return base.network();
  }

  long created() {
    return tape.created();
  }

  Balance balance(long at) {
    return tape.balance(tape.block(at));
  }

  long lastTrade(long at) {
    return tape.time(tape.block(at));
  }

  /** Whether anybody traded in the last day. */
  boolean active(long at) {
    return lastTrade(at) > at - DAY;
  }

  boolean holds(TokenFacts token) {
    return base.is(token) || quote.is(token);
  }

  String pair() {
    return base.symbol() + " / " + quote.symbol();
  }
}
