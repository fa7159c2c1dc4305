package io.tidemark.simulator;

import static io.tidemark.simulator.SimulatorFixture.ALL_INCLUDES;
import static io.tidemark.simulator.SimulatorFixture.ALL_TIMEFRAMES;
import static io.tidemark.simulator.SimulatorFixture.NOW;
import static io.tidemark.simulator.SimulatorFixture.ask;
import static io.tidemark.simulator.SimulatorFixture.calm;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Pool;
import io.tidemark.market.MarketData;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.market.Query.TokenPoolSort;
import io.tidemark.simulator.TextTable.TableRow;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** Each answer contains the attributes that the interface document lists for it, and no others. */
class DocumentedAttributesTest {
  private static final MarketData MARKET = calm(5).at(NOW);
  private static final String PEPE = "0x6982508145454ce325ddbe47a25d4ec3d2311933";
  private static final List<TableRow> TABLE = TextTable.read("attributes.txt");

  @Test
  void singlePool_hasTheDocumentedAttributes() {
    assertAttributes(List.of(ask(MARKET, SimulatorFixture.pool("eth", SimulatorFixture.POOL)).data()), "every pool",
        "single pool");
  }

  @Test
  void poolsOfAList_haveTheDocumentedAttributes() {
    var query = new Query.DexPools("eth", "uniswap_v3", ALL_INCLUDES, 1, PoolSort.H24_TX_COUNT_DESC, true);

    assertAttributes(ask(MARKET, query).data(), "every pool", "pool of a list");
  }

  @Test
  void poolsOfAToken_haveTheDocumentedAttributes() {
    var sort = TokenPoolSort.H24_VOLUME_USD_LIQUIDITY_DESC;
    var query = new Query.TokenPools("eth", PEPE, ALL_INCLUDES, false, 1, sort, true);

    assertAttributes(ask(MARKET, query).data(), "every pool", "pool of a token");
  }

  @Test
  void poolsWithAToken_haveTheDocumentedAttributes() {
    var pools = ask(MARKET, new Query.TokenByAddress("eth", PEPE, true, true, false)).included().pools();

    assertAttributes(pools, "every pool", "pool with a token");
  }

  private static List<Observation<Pool>> launched() {
    var pools = ask(MARKET, new Query.NewPools("solana", ALL_INCLUDES, 1, false)).data();
    return pools.stream().filter(pool -> pool.resource().getDescription().getDex().equals("pump-fun")).toList();
  }

  @Test
  void poolsOnACurve_haveTheDocumentedAttributes() {
    assertAttributes(launched(), "every pool", "pool on a curve");
  }

  @Test
  void includedTokens_haveTheDocumentedAttributes() {
    assertAttributes(ask(MARKET, SimulatorFixture.pool("eth", SimulatorFixture.POOL)).included().tokens(),
        "every token");
  }

  @Test
  void singleToken_hasTheDocumentedAttributes() {
    var token = ask(MARKET, new Query.TokenByAddress("eth", PEPE, false, false, false)).data().token();

    assertAttributes(List.of(token), "every token", "single token");
  }

  @Test
  void tokenOnACurve_hasTheDocumentedAttributes() {
    var base = launched().getFirst().resource().getDescription().getBaseToken();
    var query = new Query.TokenByAddress("solana", base.substring("solana_".length()), false, false, false);

    assertAttributes(List.of(ask(MARKET, query).data().token()), "every token", "token on a curve");
  }

  @Test
  void global_hasTheDocumentedAttributes() {
    assertAttributes(List.of(ask(MARKET, new Query.GlobalMarket())), "global");
  }

  @Test
  void coinDay_hasTheDocumentedAttributes() {
    var query = new Query.CoinHistory("ethereum", LocalDate.parse("2026-02-03"), true);

    assertAttributes(List.of(ask(MARKET, query)), "coin day");
  }

  @Test
  void tickers_haveTheDocumentedAttributes() {
    var query = new Query.CoinTickers(
        "bitcoin", null, true, 1, TickerOrder.TRUST_SCORE_DESC, true, DexPairFormat.CONTRACT_ADDRESS);

    assertAttributes(ask(MARKET, query).tickers(), "ticker");
  }

  @Test
  void derivativesExchange_hasTheDocumentedAttributes() {
    var answer = ask(MARKET, new Query.DerivativesExchangeById("hyperliquid", null));

    assertAttributes(List.of(answer.exchange()), "derivatives exchange");
  }

  @Test
  void contracts_haveTheDocumentedAttributes() {
    var answer = ask(MARKET, new Query.DerivativesExchangeById("deribit", IncludeTickers.ALL));

    assertAttributes(answer.tickers(), "contract");
  }

  @Test
  void treasuries_haveTheDocumentedAttributes() {
    var treasuries = Stream.of("strategy", "bhutan", "el-salvador")
        .map(id -> ask(MARKET, new Query.PublicTreasury(id, Set.of(), Set.of())).treasury());

    assertAttributes(treasuries.toList(), "treasury");
  }

  @Test
  void holdings_haveTheDocumentedAttributes() {
    var holdings = Stream.of("tesla", "bhutan", "united-states")
        .flatMap(id -> ask(MARKET, new Query.PublicTreasury(id, ALL_TIMEFRAMES, ALL_TIMEFRAMES)).holdings().stream());

    assertAttributes(holdings.toList(), "holding");
  }

  @Test
  void platforms_haveTheDocumentedAttributes() {
    assertAttributes(ask(MARKET, new Query.AssetPlatforms(null)), "platform");
  }

  private static void assertAttributes(List<? extends Observation<?>> observations, String... rows) {
    assertThat(observations).isNotEmpty();
    assertThat(observations).allSatisfy(one -> assertThat(attributes(one)).isEqualTo(documented(rows)));
  }

  private static Set<String> documented(String... rows) {
    var paths = new TreeSet<String>();
    TABLE.stream()
        .filter(row -> Arrays.asList(rows).contains(row.text(0)))
        .forEach(row -> row.texts(2).forEach(name -> paths.add(row.text(1) + "." + name)));
    return paths;
  }

  /** Paths of attributes with a value or an explicit null, without those that identify the resource. */
  private static Set<String> attributes(Observation<?> observation) {
    var paths = new TreeSet<>(observation.nulls());
    for (var field : observation.resource().getSchema().getFields()) {
      if (observation.resource().get(field.pos()) instanceof SpecificRecord facet) {
        collect(field.name(), facet, paths);
      }
    }
    return paths;
  }

  private static void collect(String path, SpecificRecord facet, Set<String> paths) {
    for (var field : facet.getSchema().getFields()) {
      String name = path + "." + field.name();
      Object value = facet.get(field.pos());
      if (value instanceof SpecificRecord inner) {
        collect(name, inner, paths);
      } else if (value != null) {
        paths.add(name);
      }
    }
  }
}
