package io.tidemark.simulator;

import org.jspecify.annotations.Nullable;

/**
 * The constant attributes of a token on a network.
 *
 * @param coin coin for which the token stands; null for none
 * @param supply supply in whole tokens
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

  /**
   * Returns whether this is the token whose pool the incidents about pools affect, except the incidents about a new
   * pool and a graduation, which affect launches.
   */
  boolean isAffectedByIncidents() {
    return coin == null && symbol.equals(AFFECTED);
  }
}
