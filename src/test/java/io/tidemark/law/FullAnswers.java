package io.tidemark.law;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.http.client.HttpClientSettings;
import io.tidemark.http.client.HttpMarketData;
import io.tidemark.http.server.QueryResponder;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import io.tidemark.simulator.server.SimulatedRoutes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/** A complete answer of the simulated market, with its query. */
record FullAnswers(Query<?> question, String text) {
  private static final InstantSource CLOCK = InstantSource.fixed(PolledSource.START);
  private static final String WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
  private static final String ALL = "include=base_token,dex,quote_token";
  private static final String TIMEFRAMES = "7d,14d,30d,90d,1y,ytd";

  static List<FullAnswers> all() {
    var simulator = new Simulator(new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED), CLOCK);
    var replies = QueryResponder.of(simulator, FieldNaming.DOCUMENT, CLOCK);
    var routes = new SimulatedRoutes(any -> true, replies,
        ResponseJournal.none(), CLOCK);
    try (var server = MarketServer.start("127.0.0.1", 0, routes).block();
        var market = new HttpMarketData(
            HttpClientSettings.of(server.baseUrl(), null).withRetries(0, Duration.ZERO), Mono::empty, CLOCK,
            new ServiceClock(System::nanoTime))) {
      return questions().<Query<?>>map(Endpoints::parseTarget)
          .map(question -> new FullAnswers(question, new String(question.askOf(market).block().body().raw(), UTF_8)))
          .toList();
    }
  }

  private static Stream<String> questions() {
    return Stream.of(
        "/networks/eth/tokens/" + WETH + "?include=top_pools&include_composition=true",
        "/networks/eth/dexes/uniswap_v3/pools?include_gt_community_data=true&" + ALL,
        "/networks/eth/trending_pools?include_gt_community_data=true&" + ALL,
        "/networks/solana/new_pools?include_gt_community_data=true&" + ALL,
        "/search/pools?query=usdc&" + ALL,
        "/networks/eth/tokens/" + WETH + "/pools?include_gt_community_data=true&" + ALL,
        "/networks/eth/pools/0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640?include_composition=true&"
            + "include_volume_breakdown=true&" + ALL,
        "/global",
        "/coins/bitcoin/history?date=01-10-2026",
        "/coins/bitcoin/tickers?depth=true&include_exchange_logo=true",
        "/derivatives/exchanges/deribit?include_tickers=all",
        "/public_treasury/strategy?holding_amount_change=" + TIMEFRAMES + "&holding_change_percentage=" + TIMEFRAMES,
        "/asset_platforms");
  }

  byte[] body() {
    return text.getBytes(UTF_8);
  }

  @Override
  public String toString() {
    return question.operation().wire() + ", " + text.length() + " characters";
  }
}
