package io.tidemark.simulator;

import io.tidemark.market.Failure;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A blockchain of the simulated market, with the form of its addresses and the way in which tokens are launched. The id
 * of a network may contain an underscore. So the id of a pool, which joins network and address by an underscore, cannot
 * be split at its first underscore.
 */
enum Network {
  ETH("eth", "ethereum", "WETH", true, Duration.ofMinutes(20), "uniswap_v2", null),
  SOLANA("solana", "solana", "SOL", false, Duration.ofMinutes(1), "pump-fun", "pumpswap"),
  BASE("base", "ethereum", "WETH", true, Duration.ofMinutes(5), "uniswap-v2-base", null),
  BSC("bsc", "binancecoin", "WBNB", true, Duration.ofMinutes(7), "pancakeswap_v2", null),
  POLYGON_POS("polygon_pos", "polygon-ecosystem-token", "WPOL", true, Duration.ofHours(1), "quickswap_v2", null);

  private final String id;
  final String nativeCoin;

  /** Symbol of the token that stands for the native coin in pools. */
  final String wrapped;

  /** Whether addresses are hexadecimal, in lower case. Otherwise they are base58, which is case-sensitive. */
  final boolean hexadecimal;

  /** Average market time from one token launch to the next in a scenario whose launch rate is 1. */
  final Duration launchEvery;

  /** Exchange on which tokens are launched. */
  final String launchDex;

  /** Exchange to which tokens graduate; null if tokens on the network have no bonding curves. */
  final @Nullable String graduateDex;

  Network(String id, String nativeCoin, String wrapped, boolean hexadecimal, Duration launchEvery, String launchDex,
      @Nullable String graduateDex) {
    this.id = id;
    this.nativeCoin = nativeCoin;
    this.wrapped = wrapped;
    this.hexadecimal = hexadecimal;
    this.launchEvery = launchEvery;
    this.launchDex = launchDex;
    this.graduateDex = graduateDex;
  }

  /** Returns the network with the given id. Fails with {@link Failure.NotFound} if there is no such network. */
  static Network of(String id) {
    return Arrays.stream(values())
        .filter(network -> network.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new Failure.NotFound("network not found: " + id));
  }

  String id() {
    return id;
  }

  /**
   * Returns the number of tokens that are launched in an hour of market time in a scenario whose launch rate is 1.
   */
  double launchesPerHour() {
    return (double) Duration.ofHours(1).toMillis() / launchEvery.toMillis();
  }

  /** Returns the canonical form of an address from a query: in lower case if addresses are hexadecimal. */
  String canonical(String address) {
    return hexadecimal ? address.toLowerCase(Locale.ROOT) : address;
  }
}
