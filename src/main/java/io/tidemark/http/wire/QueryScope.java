package io.tidemark.http.wire;

import org.jspecify.annotations.Nullable;

/**
 * The network and token that an on-chain query names: its answer does not repeat them.
 *
 * @param network null where the query searches all networks
 * @param token address; null where the query names no token
 */
record QueryScope(@Nullable String network, @Nullable String token) {

  /** Whether an id is that of the token. EVM addresses are compared without case. */
  boolean isToken(@Nullable String id) {
    if (id == null || network == null || token == null) {
      return false;
    }
    var expected = network + "_" + token;
    return (token.startsWith("0x") || token.startsWith("0X")) ? expected.equalsIgnoreCase(id) : expected.equals(id);
  }
}
