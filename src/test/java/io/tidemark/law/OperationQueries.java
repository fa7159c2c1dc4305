package io.tidemark.law;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One query for each operation, with all parameters set. */
final class OperationQueries {
  private static final String WPOL = "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270";
  private static final String INCLUDE = "include=base_token,dex,quote_token";

  private static final Map<Operation, Query<?>> ALL = Stream.of(
      "/networks/polygon_pos/tokens/" + WPOL + "?include=top_pools&include_composition=true",
      "/networks/polygon_pos/dexes/uniswap_v3_polygon_pos/pools?sort=h24_volume_usd_desc&"
          + "include_gt_community_data=true&" + INCLUDE,
      "/networks/polygon_pos/trending_pools?duration=5m&include_gt_community_data=true&" + INCLUDE,
      "/networks/polygon_pos/new_pools?include_gt_community_data=true&" + INCLUDE,
      "/search/pools?query=WPOL&network=polygon_pos&" + INCLUDE,
      "/networks/polygon_pos/tokens/" + WPOL + "/pools?sort=h24_volume_usd_desc&include_gt_community_data=true&"
          + INCLUDE,
      "/networks/polygon_pos/pools/0xb6e57ed85c4c9dbfef2a68711e9d6f36c56e0fcb?include_composition=true&"
          + "include_volume_breakdown=true&" + INCLUDE,
      "/global",
      "/coins/ethereum/history?date=01-10-2026&localization=true",
      "/coins/bitcoin/tickers?depth=true&include_exchange_logo=true",
      "/derivatives/exchanges/binance_futures?include_tickers=all",
      "/public_treasury/strategy?holding_amount_change=7d,14d,30d,90d,1y,ytd&"
          + "holding_change_percentage=7d,14d,30d,90d,1y,ytd",
      "/asset_platforms")
      .<Query<?>>map(Endpoints::parseTarget)
      .collect(Collectors.toUnmodifiableMap(Query::operation, query -> query));

  private OperationQueries() {}

  static Query<?> to(Operation operation) {
    return ALL.get(operation);
  }

  /** Returns a query in which one text replaces another. */
  static Query<?> altered(Query<?> query, String old, String now) {
    return Endpoints.parseTarget(Endpoints.targetName(query).replace(old, now));
  }

  /** Returns whether a query has a parameter such as {@code depth=true}; defaults are not part of its text. */
  static boolean says(Query<?> query, String parameter) {
    String[] nameAndValue = parameter.split("=");
    return Stream.of(Endpoints.targetName(query).split("[?&]"))
        .filter(each -> each.startsWith(nameAndValue[0] + "="))
        .flatMap(each -> List.of(each.substring(nameAndValue[0].length() + 1).split(",")).stream())
        .anyMatch(nameAndValue[1]::equals);
  }
}
