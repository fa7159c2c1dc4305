package io.tidemark.serve.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.MarketData;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The body of each operation, attribute by attribute: what the mirror serves of a watched query is what the service
 * served. Figures are compared digit for digit.
 */
class MirroredBodiesTest {
  static final Instant NOW = Instant.parse("2026-05-05T12:34:56Z");
  private static final JsonMapper JSON = JsonMapper.builder()
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  private static final String WETH = "/networks/eth/tokens/0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
  private static final String USDC_WETH = "/networks/eth/pools/0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640";
  private static final String ALL = "include=base_token,dex,quote_token";

  /** Enough to reach the end of the tickers, from which a query may then select exchanges. */
  private static final int MOST_PAGES = 10;

  /** What is watched, and what is asked of the mirror. */
  record WatchedAndAsked(String watched, String asked) {
    static WatchedAndAsked same(String query) {
      return new WatchedAndAsked(query, query);
    }
  }

  static final List<WatchedAndAsked> QUERIES = List.of(
      WatchedAndAsked.same(WETH),
      WatchedAndAsked.same(WETH + "?include=top_pools&include_composition=true"),
      new WatchedAndAsked(WETH + "?include=top_pools&include_composition=true", WETH + "?include=top_pools"),
      WatchedAndAsked.same("/networks/eth/dexes/uniswap_v3/pools?include_gt_community_data=true&" + ALL),
      WatchedAndAsked.same("/networks/eth/trending_pools?duration=5m&" + ALL),
      new WatchedAndAsked("/networks/eth/trending_pools?include_gt_community_data=true&" + ALL,
          "/networks/eth/trending_pools"),
      WatchedAndAsked.same("/networks/solana/new_pools?include_gt_community_data=true&" + ALL),
      WatchedAndAsked.same("/search/pools?query=usdc&" + ALL),
      WatchedAndAsked.same(WETH + "/pools?include_gt_community_data=true&" + ALL),
      WatchedAndAsked.same(USDC_WETH + "?include_composition=true&include_volume_breakdown=true&" + ALL),
      new WatchedAndAsked(USDC_WETH + "?include_composition=true&include_volume_breakdown=true&" + ALL, USDC_WETH),
      WatchedAndAsked.same("/global"),
      WatchedAndAsked.same("/coins/bitcoin/history?date=02-05-2026"),
      WatchedAndAsked.same("/coins/bitcoin/history?date=05-05-2026"),
      new WatchedAndAsked(
          "/coins/bitcoin/history?date=02-05-2026", "/coins/bitcoin/history?date=02-05-2026&localization=false"),
      WatchedAndAsked.same("/coins/bitcoin/tickers?depth=true&include_exchange_logo=true"),
      new WatchedAndAsked("/coins/bitcoin/tickers?depth=true&include_exchange_logo=true", "/coins/bitcoin/tickers"),
      new WatchedAndAsked("/coins/bitcoin/tickers", "/coins/bitcoin/tickers?exchange_ids=binance,kraken"),
      WatchedAndAsked.same("/derivatives/exchanges/deribit?include_tickers=all"),
      new WatchedAndAsked(
          "/derivatives/exchanges/deribit?include_tickers=all",
          "/derivatives/exchanges/deribit?include_tickers=unexpired"),
      new WatchedAndAsked("/derivatives/exchanges/deribit?include_tickers=all", "/derivatives/exchanges/deribit"),
      WatchedAndAsked.same("/public_treasury/el-salvador"),
      WatchedAndAsked.same(
          "/public_treasury/strategy?holding_amount_change=7d,30d&holding_change_percentage=7d,14d,30d,90d,1y,ytd"),
      new WatchedAndAsked(
          "/public_treasury/strategy?holding_amount_change=7d,30d&holding_change_percentage=30d",
          "/public_treasury/strategy?holding_amount_change=7d"),
      WatchedAndAsked.same("/asset_platforms"),
      WatchedAndAsked.same("/asset_platforms?filter=nft"));

  @ParameterizedTest
  @FieldSource("QUERIES")
  void bodyOfAWatchedQuery_isThatOfTheService(WatchedAndAsked query) throws Exception {
    var simulator = new Simulator(
        new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED), InstantSource.fixed(NOW));
    try (var market = new MirroredMarket(simulator::at, NOW)) {
      market.poll(query.watched(), MOST_PAGES);

      var mirrored = body(query.asked(), market.mirror());

      assertThat(mirrored).containsExactlyInAnyOrderEntriesOf(body(query.asked(), simulator.at(NOW)));
    }
  }

  @Test
  void logosThatAreNotWatched_areAbsent() throws Exception {
    try (var market = market()) {
      market.poll("/coins/bitcoin/tickers", MOST_PAGES);

      assertThat(body("/coins/bitcoin/tickers?include_exchange_logo=true", market.mirror()))
          .containsKey("/tickers/0/market/name").doesNotContainKey("/tickers/0/market/logo");
    }
  }

  /** What was watched once, what is watched now, and what is asked of the mirror. */
  record WatchedOnce(String once, String now, String asked) {
    static WatchedOnce askedAsOnce(String once, String now) {
      return new WatchedOnce(once, now, once);
    }
  }

  static final List<WatchedOnce> PARTS = List.of(
      WatchedOnce.askedAsOnce("/coins/bitcoin/tickers?depth=true&include_exchange_logo=true", "/coins/bitcoin/tickers"),
      WatchedOnce.askedAsOnce(USDC_WETH + "?include_composition=true&include_volume_breakdown=true", USDC_WETH),
      new WatchedOnce(WETH + "?include=top_pools&include_composition=true", USDC_WETH,
          USDC_WETH + "?include_composition=true"),
      WatchedOnce.askedAsOnce(WETH + "?include=top_pools&include_composition=true", WETH + "?include=top_pools"),
      WatchedOnce.askedAsOnce("/networks/eth/dexes/uniswap_v3/pools?include_gt_community_data=true",
          "/networks/eth/dexes/uniswap_v3/pools"),
      WatchedOnce.askedAsOnce("/networks/eth/trending_pools?include_gt_community_data=true",
          "/networks/eth/trending_pools"),
      WatchedOnce.askedAsOnce("/networks/eth/new_pools?include_gt_community_data=true", "/networks/eth/new_pools"),
      WatchedOnce.askedAsOnce(WETH + "/pools?include_gt_community_data=true", WETH + "/pools"));

  @ParameterizedTest
  @FieldSource("PARTS")
  void partsThatTheDatingTargetLacks_areAbsent(WatchedOnce query) throws Exception {
    try (var market = market()) {
      market.poll(query.once(), MOST_PAGES);
      market.now = NOW.plusSeconds(60);
      market.poll(query.now(), MOST_PAGES);

      assertThat(body(query.asked(), market.mirror())).isEqualTo(body(query.now(), market.mirror()));
    }
  }

  @Test
  void poolThatOnlyAListShowsNow_lacksWhatItsOwnOperationHas() throws Exception {
    var asked = USDC_WETH + "?include_composition=true&include_volume_breakdown=true";
    var list = "/networks/eth/dexes/uniswap_v3/pools";
    try (var market = market(); var listed = market()) {
      market.poll(asked, MOST_PAGES);
      market.now = NOW.plusSeconds(60);
      listed.now = market.now;
      assertThat(body(asked, market.mirror())).containsKeys("/data/attributes/pool_name",
          "/data/attributes/pool_fee_percentage", "/data/attributes/transactions/h6/buys");
      market.store.apply(MirroredMarket.committed(MirroredMarket.TOPICS.targetState(),
          Endpoints.targetName(Endpoints.parseTarget(asked)), null, 0));

      market.poll(list, MOST_PAGES);
      listed.poll(list, MOST_PAGES);

      assertThat(body(asked, market.mirror()).keySet()).isEqualTo(body(asked, listed.mirror()).keySet())
          .doesNotContain("/data/attributes/pool_name", "/data/attributes/pool_fee_percentage",
              "/data/attributes/transactions/h6/buys");
    }
  }

  private static MirroredMarket market() {
    var simulator = new Simulator(
        new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED), InstantSource.fixed(NOW));
    return new MirroredMarket(simulator::at, NOW);
  }

  /** Values of the body by their place in it. */
  private static Map<String, String> body(String query, MarketData market) throws Exception {
    var values = new TreeMap<String, String>();
    flatten("", JSON.readTree(MirroredMarket.body(Endpoints.parseTarget(query), market)), values);
    return values;
  }

  private static void flatten(String place, JsonNode node, Map<String, String> values) {
    if (node.isValueNode() || node.isEmpty()) {
      values.put(place, node.toString());
    }
    node.properties().forEach(member -> flatten(place + "/" + member.getKey(), member.getValue(), values));
    for (var i = 0; node.isArray() && i < node.size(); i++) {
      flatten(place + "/" + i, node.get(i), values);
    }
  }
}
