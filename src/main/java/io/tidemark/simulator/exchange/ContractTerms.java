package io.tidemark.simulator.exchange;

import io.tidemark.simulator.coin.Coin;
import org.jspecify.annotations.Nullable;

/**
 * What never changes of a contract.
 *
 * @param expiry in epoch milliseconds; null for perpetual ones
 */
record ContractTerms(DerivativesVenue venue, Coin coin, String symbol, @Nullable Long expiry) {
  boolean perpetual() {
    return expiry == null;
  }

  boolean expired(long at) {
    return expiry != null && expiry <= at;
  }
}
