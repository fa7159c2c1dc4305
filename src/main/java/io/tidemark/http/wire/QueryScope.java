package io.tidemark.http.wire;

import org.jspecify.annotations.Nullable;

/**
 * What an on-chain question says about its answer.
 *
 * @param network null where all networks are searched
 * @param token address of the token that was asked for; null where none was
 */
record QueryScope(@Nullable String network, @Nullable String token) {

  /** The same network, and no token. */
  QueryScope withoutToken() {
    return new QueryScope(network, null);
  }

  /** Whether an id is that of the token that was asked for; letters of EVM addresses have no case. */
  boolean isToken(@Nullable String id) {
    if (id == null || network == null || token == null) {
      return false;
    }
    var asked = network + "_" + token;
    return (token.startsWith("0x") || token.startsWith("0X")) ? asked.equalsIgnoreCase(id) : asked.equals(id);
  }
}
