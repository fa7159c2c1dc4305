package io.tidemark.simulator;

import org.jspecify.annotations.Nullable;

/**
 * What never changes of a contract.
 *
 * @param expiry in epoch milliseconds; null for perpetual ones
 */
record Terms(DerivativesVenue venue, Coin coin, String symbol, @Nullable Long expiry) {
  boolean perpetual() {
    return expiry == null;
  }

  boolean expired(long at) {
    return expiry != null && expiry <= at;
  }
}
