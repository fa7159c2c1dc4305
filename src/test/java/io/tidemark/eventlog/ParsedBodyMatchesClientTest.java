package io.tidemark.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.client.HttpClientSettings;
import io.tidemark.http.client.HttpMarketData;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.Included;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.market.Query.Timeframe;
import io.tidemark.market.Query.TokenPoolSort;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.market.ServiceClock;
import io.tidemark.replay.Recordings;
import io.tidemark.replay.ReplayServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** The parser of the event log check and the HTTP client read the same values from every recorded answer. */
class ParsedBodyMatchesClientTest {
  /** The vendor's own example, which says "date" instead of "data" and so cannot be read. */
  private static final Path WITHOUT_DATA =
      Path.of("global", "oas-coingecko-public-api-v3-2025-05-26-7996beb.json");

  /** Attributes that detection adds, not the client. */
  static final Set<String> LATER = Set.of("dex_name", "supported");

  static Stream<Path> recordings() {
    return Stream.of("token", "dex_pools", "trending_pools", "new_pools", "search_pools", "token_pools", "pool",
        "global", "coin_history", "coin_tickers", "derivatives_exchange", "treasury", "asset_platforms")
        .flatMap(operation -> Recordings.of(operation, "").stream())
        .filter(file -> !file.endsWith(WITHOUT_DATA));
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void recordedBody_isReadAlike(Path file) {
    String body = Recordings.text(file);
    Query<?> query = query(file.getParent().getFileName().toString(),
        Json.parse(body.getBytes(StandardCharsets.UTF_8)));
    try (var server = ReplayServer.start(Map.of(path(query), List.of(ReplayServer.Answer.fresh(body))),
        Clock.systemUTC());
        var client = new HttpMarketData(
            HttpClientSettings.of(server.baseUrl(), null), Mono::empty, Clock.systemUTC(),
            new ServiceClock(System::nanoTime))) {
      Answer<?> answer = query.askOf(client).block();
      String url = server.served().values().iterator().next().url();

      assertThat(mine(ParsedBody.read(url, body.getBytes(StandardCharsets.UTF_8), null))).isEqualTo(theirs(answer));
    }
  }

  /** Returns each resource in order, with the values and nulls of each facet. */
  private static String mine(ParsedBody page) {
    return page.observations.stream().map(each -> text(each.resource(), each.facets())).sorted()
        .collect(Collectors.joining("\n"));
  }

  private static String text(String resource, Map<String, ObservedFacet> facets) {
    var text = new TreeMap<String, Object>();
    facets.forEach((facet, observed) -> {
      observed.values().forEach((name, value) -> put(text, facet, name, value));
      nulls(resource, facet, observed.nulls()).forEach(name -> put(text, facet, name, "null"));
    });
    return resource + "\n    " + text.toString().replace(", ", "\n    ");
  }

  private static void put(Map<String, Object> text, String facet, String name, Object value) {
    if (!LATER.contains(name)) {
      text.put(facet + "." + name, value instanceof Map<?, ?> map ? new TreeMap<>(map) : value);
    }
  }

  private static Set<String> nulls(String resource, String facet, Set<String> paths) {
    var names = new TreeSet<String>();
    FacetTable.of(resource).stream().filter(each -> each.facet().equals(facet)).map(Attribute::name)
        .filter(name -> paths.stream().anyMatch(path -> name.equals(path) || name.startsWith(path + ".")))
        .forEach(names::add);
    return names;
  }

  private static String theirs(Answer<?> answer) {
    var observations = new ArrayList<Observation<?>>();
    collect(answer.body().read(), observations);
    return observations.stream().map(ParsedBodyMatchesClientTest::text).sorted().collect(Collectors.joining("\n"));
  }

  private static void collect(Object answer, List<Observation<?>> observations) {
    switch (answer) {
      case null -> {}
      case Observation<?> one -> observations.add(one);
      case List<?> many -> many.forEach(each -> collect(each, observations));
      case OnChainAnswer<?> chain -> {
        collect(chain.data(), observations);
        collect(chain.included(), observations);
      }
      case Included included -> {
        observations.addAll(included.pools());
        observations.addAll(included.tokens());
      }
      case TokenAnswer token -> observations.add(token.token());
      case TickersAnswer tickers -> observations.addAll(tickers.tickers());
      case DerivativesAnswer derivatives -> {
        observations.add(derivatives.exchange());
        collect(derivatives.tickers(), observations);
      }
      case TreasuryAnswer treasury -> {
        observations.add(treasury.treasury());
        collect(treasury.holdings(), observations);
      }
      default -> throw new IllegalArgumentException(answer.toString());
    }
  }

  private static String text(Observation<?> observation) {
    String resource = observation.resource().getSchema().getProp("resource");
    var facets = new TreeMap<String, ObservedFacet>();
    PlainValues.facets(observation.resource().getSchema()).forEach(facet -> facets.put(facet, new ObservedFacet(
        PlainValues.of(PlainValues.get(observation.resource(), facet)),
        Set.copyOf(observation.nulls().stream().filter(path -> path.startsWith(facet + "."))
            .map(path -> path.substring(facet.length() + 1)).toList()))));
    return text(resource, facets);
  }

  private static Query<?> query(String operation, Object body) {
    Set<IncludedResource> all = Set.of(IncludedResource.values());
    Object first = Json.at(body, "data") instanceof List<?> list ? list.get(0) : Json.at(body, "data");
    String id = Json.text(Json.at(first, "id"));
    String network = id.contains("_") ? id.substring(0, id.indexOf('_')) : "eth";
    String address = Json.text(Json.at(first, "attributes.address"));
    return switch (operation) {
      case "token" -> new Query.TokenByAddress(network, address, true, true, false);
      case "dex_pools" -> new Query.DexPools(network, "any", all, 1, PoolSort.H24_TX_COUNT_DESC, true);
      case "trending_pools" -> new Query.TrendingPools(network, all, 1, TrendingDuration.H24, true);
      case "new_pools" -> new Query.NewPools(network, all, 1, true);
      case "search_pools" -> new Query.SearchPools("weth usdc/%", network, all, 1);
      case "token_pools" -> new Query.TokenPools(network, requestedToken(first, network), all, false, 1,
          TokenPoolSort.H24_VOLUME_USD_LIQUIDITY_DESC, true);
      case "pool" -> new Query.PoolByAddress(network, address, all, true, true);
      case "global" -> new Query.GlobalMarket();
      case "coin_history" -> new Query.CoinHistory("any", LocalDate.of(2024, 12, 30), true);
      case "coin_tickers" -> new Query.CoinTickers("any", null, true, 1, TickerOrder.TRUST_SCORE_DESC, true,
          DexPairFormat.CONTRACT_ADDRESS);
      case "derivatives_exchange" -> new Query.DerivativesExchangeById("any", IncludeTickers.ALL);
      case "treasury" -> new Query.PublicTreasury("any", Set.of(Timeframe.values()), Set.of(Timeframe.values()));
      default -> new Query.AssetPlatforms(null);
    };
  }

  /** Returns the base token of the first pool, which stands for the requested token. */
  private static String requestedToken(Object pool, String network) {
    return Json.text(Json.at(pool, "relationships.base_token.data.id")).substring(network.length() + 1);
  }

  private static String path(Query<?> query) {
    return switch (query) {
      case Query.TokenByAddress q -> "/onchain/networks/" + q.network() + "/tokens/" + q.address();
      case Query.DexPools q -> "/onchain/networks/" + q.network() + "/dexes/any/pools";
      case Query.TrendingPools q -> "/onchain/networks/" + q.network() + "/trending_pools";
      case Query.NewPools q -> "/onchain/networks/" + q.network() + "/new_pools";
      case Query.SearchPools q -> "/onchain/search/pools";
      case Query.TokenPools q -> "/onchain/networks/" + q.network() + "/tokens/" + q.tokenAddress() + "/pools";
      case Query.PoolByAddress q -> "/onchain/networks/" + q.network() + "/pools/" + q.address();
      case Query.GlobalMarket q -> "/global";
      case Query.CoinHistory q -> "/coins/any/history";
      case Query.CoinTickers q -> "/coins/any/tickers";
      case Query.DerivativesExchangeById q -> "/derivatives/exchanges/any";
      case Query.PublicTreasury q -> "/public_treasury/any";
      case Query.AssetPlatforms q -> "/asset_platforms";
    };
  }
}
