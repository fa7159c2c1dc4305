package io.tidemark.market;

import io.tidemark.event.Ranking;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Static methods that build the keys of resources, from parts joined by slashes, and the identities of rankings. */
public final class ResourceKeys {
  private ResourceKeys() {}

  /**
   * Returns the key that consists of the given parts. A part that contains a slash, percent sign or control character
   * is percent-encoded.
   */
  public static String of(String... parts) {
    return Stream.of(parts).map(part -> isAmbiguous(part) ? encoded(part) : part).collect(Collectors.joining("/"));
  }

  private static boolean isAmbiguous(String part) {
    return part.chars().anyMatch(each -> each == '/' || each == '%' || Character.isISOControl(each));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /**
   * Returns the identity of the ranking in the answer to a query, or null if the query's operation has no list of
   * pools. For a token, returns an identity even if the query does not ask for top pools.
   */
  public static @Nullable Ranking ranking(Query<?> query) {
    return switch (query) {
      case Query.TrendingPools q ->
          ranking("trending", q.network(), "trending", q.duration().wire()).setDuration(q.duration().wire()).build();
      case Query.NewPools q -> ranking("new", q.network(), "new").build();
      case Query.DexPools q ->
          ranking("dex", q.network(), "dex", q.dex(), q.sort().wire()).setDex(q.dex()).setSort(q.sort().wire()).build();
      case Query.TokenPools q ->
          ranking("token", q.network(), "token", q.tokenAddress(), q.sort().wire())
              .setToken(q.tokenAddress()).setSort(q.sort().wire()).build();
      case Query.TokenByAddress q ->
          ranking("top", q.network(), "token", q.address(), "top").setToken(q.address()).build();
      case Query.SearchPools q -> search(q);
      case Query.PoolByAddress q -> null;
      case Query.GlobalMarket q -> null;
      case Query.CoinHistory q -> null;
      case Query.CoinTickers q -> null;
      case Query.DerivativesExchangeById q -> null;
      case Query.PublicTreasury q -> null;
      case Query.AssetPlatforms q -> null;
    };
  }

  private static Ranking.Builder ranking(String kind, String network, String... parts) {
    return Ranking.newBuilder().setId(of(network) + "/" + of(parts)).setKind(kind).setNetwork(network);
  }

  private static Ranking search(Query.SearchPools query) {
    var network = query.network();
    return Ranking.newBuilder()
        .setId("search/" + (network == null ? "*" : of(network)) + "/" + encoded(query.query()))
        .setKind("search").setNetwork(network).setQuery(query.query()).build();
  }
}
