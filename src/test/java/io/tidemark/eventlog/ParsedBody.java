package io.tidemark.eventlog;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One parsed body: the resources that it shows, and the ids of its list in order if it is a list. */
final class ParsedBody {
  private static final List<String> RELATED = List.of("base_token", "quote_token", "dex");

  final List<ObservedResource> observations = new ArrayList<>();
  final BodyQuery query;
  private final @Nullable Instant asOf;

  /** The ids of the pools of a list; null if the answer is not a list. */
  @Nullable
  List<String> listed;

  /** Whether this is the last page of a list. */
  boolean last = true;

  private ParsedBody(BodyQuery query, @Nullable Instant asOf) {
    this.query = query;
    this.asOf = asOf;
  }

  /**
   * Reads a body.
   *
   * @param asOf the service's own time of the whole answer
   */
  static ParsedBody read(String url, byte[] body, @Nullable Instant asOf) {
    var page = new ParsedBody(BodyQuery.of(url), asOf);
    Object json = Json.parse(body);
    switch (page.query.operation()) {
      case "token" -> page.token(json);
      case "pool" -> page.pools(json, one(Json.at(json, "data")), false);
      case "global" -> page.global(Json.object(Json.at(json, "data")));
      case "coin_history" -> page.coinDay(Json.object(json));
      case "coin_tickers" -> page.tickers(json);
      case "derivatives_exchange" -> page.derivatives(Json.object(json));
      case "treasury" -> page.treasury(Json.object(json));
      case "asset_platforms" -> Json.list(json).forEach(each -> page.platform(Json.object(each)));
      default -> page.pools(json, Json.list(Json.at(json, "data")), true);
    }
    return page;
  }

  /** Returns a single resource as a list; in the vendor's older examples it already is one. */
  private static List<?> one(@Nullable Object data) {
    return data instanceof List<?> list ? list : List.of(Json.object(data));
  }

  private void pools(@Nullable Object json, List<?> pools, boolean list) {
    listed = list ? new ArrayList<>() : null;
    for (Object each : pools) {
      String id = Json.text(Json.at(each, "id"));
      if (listed != null) {
        listed.add(id);
      }
      pool(Json.object(each), json, list);
    }
    includedTokens(json);
  }

  private void token(@Nullable Object json) {
    Object data = Json.at(json, "data");
    token(Json.object(data));
    Object top = Json.at(data, "relationships.top_pools.data");
    if (top instanceof List<?> pools) {
      listed = new ArrayList<>(pools.stream().map(each -> Json.text(Json.at(each, "id"))).toList());
    }
    Json.list(Json.at(json, "included")).stream()
        .filter(each -> "pool".equals(Json.at(each, "type")))
        .forEach(each -> pool(Json.object(each), json,
            listed != null && listed.contains(Json.text(Json.at(each, "id")))));
    includedTokens(json);
  }

  private void includedTokens(@Nullable Object json) {
    Json.list(Json.at(json, "included")).stream()
        .filter(each -> "token".equals(Json.at(each, "type")))
        .forEach(each -> token(Json.object(each)));
  }

  private void token(Map<String, @Nullable Object> token) {
    var attributes = attributes(token, Set.of("top_pools"));
    add("token", Json.text(token.get("id")), onChain(token), BodyReader.read("token", attributes, Set.of("address")),
        asOf, false);
  }

  private void pool(Map<String, @Nullable Object> pool, @Nullable Object json, boolean inList) {
    var attributes = attributes(pool, Set.copyOf(RELATED));
    var related = new HashMap<String, Object>();
    for (String name : RELATED) {
      Object id = Json.at(pool, "relationships." + name + ".data.id");
      if (id != null) {
        related.put(name, id);
      }
    }
    ObservedFacet tokenPrice = tokenPrice(attributes, related);
    Set<String> aside = tokenPrice == null ? Set.of("address") : Set.of("address", "token_price_usd");
    var facets = new HashMap<>(BodyReader.read("pool", attributes, aside));
    if (tokenPrice != null) {
      facets.put("token_price", tokenPrice);
    }
    dexName(json, related);
    add(facets, "description", related);
    add("pool", Json.text(pool.get("id")), onChain(pool), facets, asOf, inList);
  }

  /** Returns the attributes of a resource, with the relationships that the interface document does not list. */
  private static Map<String, @Nullable Object> attributes(Map<String, @Nullable Object> resource, Set<String> known) {
    var attributes = new LinkedHashMap<>(Json.object(resource.get("attributes")));
    var strange = new LinkedHashMap<>(Json.object(resource.get("relationships")));
    strange.keySet().removeAll(known);
    if (!strange.isEmpty()) {
      attributes.put("relationships", strange);
    }
    return attributes;
  }

  private static void dexName(@Nullable Object json, Map<String, Object> related) {
    for (Object each : Json.list(Json.at(json, "included"))) {
      Object name = Json.at(each, "attributes.name");
      boolean dex = "dex".equals(Json.at(each, "type")) && Json.text(Json.at(each, "id")).equals(related.get("dex"));
      if (dex && name != null) {
        related.put("dex_name", name);
      }
    }
  }

  /** Returns the price of the requested token on its side of the pool; null if the pool does not trade it. */
  private @Nullable ObservedFacet tokenPrice(Map<String, @Nullable Object> attributes, Map<String, Object> related) {
    if (!attributes.containsKey("token_price_usd") || query.segments().size() < 4) {
      return null;
    }
    String token = query.segment(1) + "_" + query.segment(3);
    for (String side : List.of("base", "quote")) {
      if (token.equalsIgnoreCase(Json.text(related.get(side + "_token")))) {
        Object price = attributes.get("token_price_usd");
        return price == null ? new ObservedFacet(Map.of(), Set.of(side))
            : new ObservedFacet(Map.of(side, price.toString()), Set.of());
      }
    }
    return null;
  }

  private static void add(Map<String, ObservedFacet> facets, String facet, Map<String, Object> values) {
    if (!values.isEmpty()) {
      ObservedFacet observed = facets.getOrDefault(facet, new ObservedFacet(Map.of(), Set.of()));
      var all = new HashMap<>(observed.values());
      all.putAll(values);
      facets.put(facet, new ObservedFacet(all, observed.nulls()));
    }
  }

  private Map<String, Object> onChain(Map<String, @Nullable Object> resource) {
    String id = Json.text(resource.get("id"));
    String address = Json.text(Json.at(resource, "attributes.address"));
    boolean network = query.segments().get(0).equals("networks");
    return Map.of(
        "id", id,
        "address", address,
        "network", network ? query.segment(1) : id.substring(0, Math.max(0, id.length() - address.length() - 1)));
  }

  private void global(Map<String, @Nullable Object> data) {
    add("global", "global", Map.of(), BodyReader.read("global", data, Set.of()), seconds(data.get("updated_at")),
        false);
  }

  private void coinDay(Map<String, @Nullable Object> day) {
    String coin = Json.text(day.get("id"));
    String date = LocalDate.parse(query.parameter("date", ""), DateTimeFormatter.ofPattern("dd-MM-yyyy", Locale.ROOT))
        .toString();
    add("coin-day", RecordKeys.of(coin, date), Map.of("coin", coin, "date", date),
        BodyReader.read("coin-day", day, Set.of("id")), asOf, false);
  }

  private void tickers(@Nullable Object json) {
    List<?> tickers = Json.list(Json.at(json, "tickers"));
    last = tickers.size() < 100;
    tickers.forEach(each -> ticker(Json.object(each), Json.at(json, "name")));
  }

  private void ticker(Map<String, @Nullable Object> ticker, @Nullable Object coinName) {
    String coin = query.segment(1);
    String market = Json.text(Json.at(ticker, "market.identifier"));
    String base = Json.text(ticker.get("base"));
    String target = Json.text(ticker.get("target"));
    var facets =
        new HashMap<>(BodyReader.read("ticker", ticker, Set.of("base", "target", "market.identifier")));
    if (coinName != null) {
      add(facets, "description", Map.of("coin_name", coinName));
    }
    add("ticker", RecordKeys.of(coin, market, base, target),
        Map.of("coin", coin, "market", market, "base", base, "target", target), facets,
        iso(ticker.get("last_fetch_at")), false);
  }

  private void derivatives(Map<String, @Nullable Object> exchange) {
    String id = query.segment(2);
    add("derivatives-exchange", id, Map.of("id", id),
        BodyReader.read("derivatives-exchange", exchange, Set.of("tickers")), asOf, false);
    Object tickers = exchange.get("tickers");
    List<?> contracts = tickers instanceof Map<?, ?> wrapped
        ? wrapped.values().stream().filter(List.class::isInstance).map(Json::list).findFirst().orElse(List.of())
        : Json.list(tickers);
    contracts.forEach(each -> contract(id, Json.object(each)));
  }

  private void contract(String exchange, Map<String, @Nullable Object> contract) {
    String symbol = Json.text(contract.get("symbol"));
    add("contract", RecordKeys.of(exchange, symbol), Map.of("exchange", exchange, "symbol", symbol),
        BodyReader.read("contract", contract, Set.of("symbol")), seconds(contract.get("last_traded")), false);
  }

  private void treasury(Map<String, @Nullable Object> treasury) {
    String id = Json.text(treasury.get("id"));
    add("treasury", id, Map.of("id", id), BodyReader.read("treasury", treasury, Set.of("id", "holdings")), asOf, false);
    for (Object each : Json.list(treasury.get("holdings"))) {
      Map<String, @Nullable Object> holding = Json.object(each);
      String coin = Json.text(holding.get("coin_id"));
      add("holding", RecordKeys.of(id, coin), Map.of("entity", id, "coin_id", coin),
          BodyReader.read("holding", holding, Set.of("coin_id")), asOf, false);
    }
  }

  private void platform(Map<String, @Nullable Object> platform) {
    String id = Json.text(platform.get("id"));
    String key = id.isEmpty() ? "name:" + Json.text(platform.get("name")) : id;
    var identity = new HashMap<String, Object>(Map.of("key", key));
    if (platform.get("id") != null) {
      identity.put("id", id);
    }
    var facets = new HashMap<>(BodyReader.read("platform", platform, Set.of("id")));
    if (query.parameter("filter", "").equals("nft")) {
      add(facets, "nft", Map.of("supported", true));
    }
    add("platform", key, identity, facets, asOf, false);
  }

  private void add(String resource, String key, Map<String, Object> identity, Map<String, ObservedFacet> facets,
      @Nullable Instant own, boolean inList) {
    observations.add(
        new ObservedResource(resource, key, identity, ObservedFacet.nonEmpty(facets), own, inList));
  }

  private static @Nullable Instant seconds(@Nullable Object value) {
    return value == null ? null : Instant.ofEpochSecond(Long.parseLong(value.toString()));
  }

  static @Nullable Instant iso(@Nullable Object value) {
    try {
      return value == null ? null : OffsetDateTime.parse(value.toString()).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
