package io.tidemark.simulator.pool;

/** What a token costs everywhere, before the pools have their say. */
interface TokenValue {
  /** USD at a time in epoch milliseconds. */
  double usd(long at);

  /** USD around which it wanders. */
  double reference();
}
