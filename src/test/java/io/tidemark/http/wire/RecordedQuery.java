package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.market.Query.TokenPoolSort;
import io.tidemark.market.Query.TrendingDuration;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A query that a recorded body may answer. Whatever reading needs is taken from the body. */
public final class RecordedQuery {
  private static final Set<IncludedResource> ALL = Set.of(IncludedResource.values());

  private RecordedQuery() {}

  public static Query<?> of(Path file, JsonNode body) {
    var network = network(body);
    return switch (operation(file.getParent().getFileName().toString())) {
      case TOKEN -> new Query.TokenByAddress(network, tokenOf(body), true, true, false);
      case DEX_POOLS -> new Query.DexPools(network, "dex", ALL, 1, PoolSort.H24_TX_COUNT_DESC, true);
      case TRENDING_POOLS -> new Query.TrendingPools(network, ALL, 1, TrendingDuration.H24, true);
      case NEW_POOLS -> new Query.NewPools(network, ALL, 1, true);
      case SEARCH_POOLS -> new Query.SearchPools("any", null, ALL, 1);
      case TOKEN_POOLS -> new Query.TokenPools(network, common(body), ALL, false, 1,
          TokenPoolSort.H24_VOLUME_USD_LIQUIDITY_DESC, true);
      case POOL -> new Query.PoolByAddress(network, "any", ALL, true, true);
      case GLOBAL -> new Query.GlobalMarket();
      case COIN_HISTORY -> new Query.CoinHistory("any", LocalDate.EPOCH, true);
      case COIN_TICKERS -> new Query.CoinTickers("any", null, true, 1, TickerOrder.TRUST_SCORE_DESC, true,
          DexPairFormat.CONTRACT_ADDRESS);
      case DERIVATIVES_EXCHANGE -> new Query.DerivativesExchangeById("any", IncludeTickers.ALL);
      case TREASURY -> new Query.PublicTreasury("any", Set.of(), Set.of());
      case ASSET_PLATFORMS -> new Query.AssetPlatforms(null);
    };
  }

  private static Operation operation(String folder) {
    return Arrays.stream(Operation.values()).filter(each -> each.wire().equals(folder)).findFirst().orElseThrow();
  }

  private static String network(JsonNode body) {
    var first = body.path("data").isArray() ? body.path("data").path(0) : body.path("data");
    var id = first.path("id").asText("_");
    return id.substring(0, Math.max(id.indexOf('_'), 0));
  }

  private static String tokenOf(JsonNode body) {
    return body.at("/data/attributes/address").asText();
  }

  /** Address of the token that the most pools have. */
  private static String common(JsonNode body) {
    var counts = StreamSupport.stream(body.path("data").spliterator(), false)
        .flatMap(pool -> Stream.of("base_token", "quote_token")
            .map(side -> pool.at("/relationships/" + side + "/data/id").asText()))
        .collect(Collectors.groupingBy(id -> id, Collectors.counting()));
    var id = counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    return id.substring(id.indexOf('_') + 1);
  }
}
