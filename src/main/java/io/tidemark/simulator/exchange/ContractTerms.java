package io.tidemark.simulator.exchange;

import io.tidemark.simulator.coin.Coin;
import org.jspecify.annotations.Nullable;

/**
 * What never changes of a derivatives contract.
 *
 * @param expiry in epoch milliseconds; null for a perpetual contract
 */
record ContractTerms(DerivativesVenue venue, Coin coin, String symbol, @Nullable Long expiry) {
  boolean isPerpetual() {
    return expiry == null;
  }

  boolean isExpired(long at) {
    return expiry != null && expiry <= at;
  }
}
