package io.tidemark.serve.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.market.MarketData;
import io.tidemark.market.MarketDataContract;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.lang.reflect.Method;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The mirror of the simulated market, with all watched that the contract asks for. */
@TestInstance(Lifecycle.PER_CLASS)
class MirrorContractTest extends MarketDataContract {
  static final Instant NOW = Instant.parse("2026-05-05T12:34:56Z");
  private static final String INCLUDE = "include=base_token,dex,quote_token";
  private static final String WETH = "/networks/eth/tokens/0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
  private static final String COMMUNITY = "include_gt_community_data=true&" + INCLUDE;
  private static final String TIMEFRAMES = "?holding_amount_change=7d,14d,30d,90d,1y,ytd"
      + "&holding_change_percentage=7d,14d,30d,90d,1y,ytd";

  static final List<String> WATCHED = List.of(
      WETH + "?include=top_pools&include_composition=true",
      "/networks/eth/dexes/uniswap_v3/pools?" + COMMUNITY,
      "/networks/eth/dexes/uniswap_v3/pools?sort=h24_volume_usd_desc&" + COMMUNITY,
      "/networks/eth/trending_pools?" + COMMUNITY,
      "/networks/eth/trending_pools?duration=5m&" + COMMUNITY,
      "/networks/eth/trending_pools?duration=1h&" + COMMUNITY,
      "/networks/eth/trending_pools?duration=6h&" + COMMUNITY,
      "/networks/eth/new_pools?" + COMMUNITY,
      "/networks/solana/trending_pools?" + COMMUNITY,
      WETH + "/pools?" + COMMUNITY,
      WETH + "/pools?sort=h24_tx_count_desc&" + COMMUNITY,
      WETH + "/pools?sort=h24_volume_usd_desc&" + COMMUNITY,
      "/networks/eth/pools/0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640?include_composition=true&"
          + "include_volume_breakdown=true&" + INCLUDE,
      "/global",
      "/coins/bitcoin/history?date=02-05-2026",
      "/coins/bitcoin/history?date=05-05-2026",
      "/coins/bitcoin/tickers?depth=true&include_exchange_logo=true",
      "/derivatives/exchanges/deribit?include_tickers=all",
      "/public_treasury/strategy" + TIMEFRAMES,
      "/public_treasury/el-salvador" + TIMEFRAMES,
      "/asset_platforms",
      "/asset_platforms?filter=nft");

  private static final Map<String, String> DEVIATIONS = Map.of(
      "coinHistory_ofADayLongAgo_isNotInThePlan", "the mirror has no plan: a day that is not watched is not found",
      "coinTickers_inSymbolFormat_nameSymbols", "tickers are watched, and known, by contract addresses",
      "tokenPools_withInactiveSource_showThoseWithoutTradesToo",
      "a list is watched with inactive sources or without them, here without");

  private MirroredMarket market;
  private Mirror mirror;

  @BeforeAll
  void watch() {
    var simulator = new Simulator(
        new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED), InstantSource.fixed(NOW));
    market = new MirroredMarket(simulator::at, NOW);
    WATCHED.forEach(target -> market.poll(target, 10));
    mirror = market.mirror();
  }

  @AfterAll
  void stop() {
    market.close();
  }

  @Override
  protected MarketData market() {
    return mirror;
  }

  @Override
  protected Instant now() {
    return NOW;
  }

  @Override
  protected Map<String, String> deviations() {
    return DEVIATIONS;
  }

  @Test
  void deviations_areTestsOfTheContract() {
    var tests = Stream.<Class<?>>iterate(MarketDataContract.class, each -> each != Object.class, Class::getSuperclass)
        .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
        .map(Method::getName);

    assertThat(tests).containsAll(DEVIATIONS.keySet());
  }
}
