package io.tidemark.config;

import static io.tidemark.config.Watching.each;
import static io.tidemark.config.Watching.flag;
import static io.tidemark.config.Watching.include;
import static io.tidemark.config.Watching.words;

import io.tidemark.market.PoolSort;
import io.tidemark.market.Query;
import io.tidemark.market.TokenPoolSort;
import io.tidemark.market.TrendingDuration;
import java.util.Locale;
import java.util.Set;

/** Reads what is watched of a network: operations 1 to 4, 6 and 7. */
record NetworkReader(Watching watching) {

  void network(String network, Section in) {
    in.only("new-pools", "trending", "dexes", "tokens", "pools");
    if (in.has("new-pools")) {
      var list = in.section("new-pools").only("pages", "include", "gt-community-data", "weight");
      watching.add(list, new Query.NewPools(network, include(list), 1, flag(list, "gt-community-data")));
    }
    if (in.has("trending")) {
      trending(network, in.section("trending"));
    }
    each(in.section("dexes"), (dex, list) -> dex(network, dex, list));
    each(in.section("tokens"), (token, one) -> token(network, address(token), one));
    each(in.section("pools"), (pool, one) -> pool(network, address(pool), one));
  }

  private void trending(String network, Section in) {
    in.only("durations", "pages", "include", "gt-community-data", "weight");
    var durations = words(in, "durations", TrendingDuration.values());
    for (var duration : durations.isEmpty() ? Set.of(TrendingDuration.H24) : durations) {
      watching.add(in, new Query.TrendingPools(network, include(in), 1, duration, flag(in, "gt-community-data")));
    }
  }

  private void dex(String network, String dex, Section in) {
    in.only("sort", "pages", "include", "gt-community-data", "weight");
    var sort = in.get("sort", PoolSort.H24_TX_COUNT_DESC.wire()).word(PoolSort.values());
    watching.add(in, new Query.DexPools(network, dex, include(in), 1, sort, flag(in, "gt-community-data")));
  }

  private void token(String network, String address, Section in) {
    in.only("top-pools", "composition", "inactive-source", "pools", "weight");
    if (flag(in, "composition") && !flag(in, "top-pools")) {
      throw in.refused("composition", "needs top-pools: true");
    }
    watching.add(in, new Query.TokenByAddress(
        network, address, flag(in, "top-pools"), flag(in, "composition"), flag(in, "inactive-source")));
    if (in.has("pools")) {
      tokenPools(network, address, in.section("pools"));
    }
  }

  private void tokenPools(String network, String address, Section in) {
    in.only("sort", "pages", "include", "inactive-source", "gt-community-data", "weight");
    var sort = in.get("sort", TokenPoolSort.H24_VOLUME_USD_LIQUIDITY_DESC.wire()).word(TokenPoolSort.values());
    watching.add(in, new Query.TokenPools(
        network, address, include(in), flag(in, "inactive-source"), 1, sort, flag(in, "gt-community-data")));
  }

  private void pool(String network, String address, Section in) {
    in.only("include", "volume-breakdown", "composition", "weight");
    watching.add(in, new Query.PoolByAddress(
        network, address, include(in), flag(in, "volume-breakdown"), flag(in, "composition")));
  }

  /** Addresses in hexadecimal are lower case on the wire, whatever case people copy them in. */
  private static String address(String address) {
    return address.matches("0[xX][0-9a-fA-F]+") ? address.toLowerCase(Locale.ROOT) : address;
  }
}
