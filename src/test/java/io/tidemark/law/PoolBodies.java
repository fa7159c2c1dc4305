package io.tidemark.law;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Query;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Short bodies of on-chain operations. */
final class PoolBodies {
  static final Query<?> POOL = Endpoints.parseTarget("/networks/eth/pools/0xa");
  static final Query<?> TRENDING = Endpoints.parseTarget("/networks/eth/trending_pools");
  static final Query<?> SEARCH = Endpoints.parseTarget("/search/pools?query=pepe&network=eth");

  private PoolBodies() {}

  /** Returns the answer for one pool with these members of its attributes. */
  static String one(String attributes) {
    return "{\"data\":" + pool("0xa", attributes) + "}";
  }

  static String pool(String address, String attributes) {
    String more = attributes.isEmpty() ? "" : "," + attributes;
    return """
        {"id":"eth_%s","type":"pool","attributes":{"address":"%s"%s}}""".formatted(address, address, more);
  }

  static String list(String... pools) {
    return "{\"data\":[" + String.join(",", pools) + "]}";
  }

  /** Returns a page of pools that have only a price. */
  static Upstream.Response page(String price, String... addresses) {
    return Upstream.Response.of(Arrays.stream(addresses)
        .map(address -> pool(address, "\"base_token_price_usd\":\"" + price + "\""))
        .collect(Collectors.joining(",", "{\"data\":[", "]}")));
  }

  /** Returns the addresses 0x1, 0x2, ... */
  static String[] addresses(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(number -> "0x" + number).toArray(String[]::new);
  }

  static List<String> ids(String... addresses) {
    return Arrays.stream(addresses).map(address -> "eth_" + address).toList();
  }
}
