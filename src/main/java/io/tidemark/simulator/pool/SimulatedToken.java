package io.tidemark.simulator.pool;

import io.tidemark.simulator.coin.Coin;
import org.jspecify.annotations.Nullable;

/**
 * A token on a network: what never changes of it.
 *
 * @param coin the coin it stands for; null where the service does not know one
 * @param supply whole tokens
 */
public record SimulatedToken(
    Network network, String address, String name, String symbol, int decimals, @Nullable Coin coin, double supply) {
  String id() {
    return network.id() + "_" + address;
  }

  boolean is(SimulatedToken other) {
    return network == other.network && address.equals(other.address);
  }
}
