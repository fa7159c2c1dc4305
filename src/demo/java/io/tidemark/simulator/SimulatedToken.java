package io.tidemark.simulator;

import org.jspecify.annotations.Nullable;

/**
 * What never changes of a token on a network.
 *
 * @param coin that it stands for; null for none
 * @param supply whole tokens
 */
record SimulatedToken(
    Network network, String address, String name, String symbol, int decimals, @Nullable SimulatedCoin coin,
    double supply) {
  private static final String AFFECTED = "MIRA";

  String id() {
    return network.id() + "_" + address;
  }

  boolean is(SimulatedToken other) {
    return network == other.network && address.equals(other.address);
  }

  /** Whether this is the token whose pool the incidents about pools affect. */
  boolean isAffectedByIncidents() {
    return coin == null && symbol.equals(AFFECTED);
  }
}
