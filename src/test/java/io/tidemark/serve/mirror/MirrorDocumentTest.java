package io.tidemark.serve.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.http.server.MarketRoutes;
import io.tidemark.http.server.QueryResponder;
import io.tidemark.http.wire.Endpoint;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.market.Operation;
import io.tidemark.serve.web.ApiDocumentRoutes;
import io.tidemark.serve.web.DocumentedAnswers;
import io.tidemark.serve.web.LocalServer;
import io.tidemark.serve.web.ServedApi;
import io.tidemark.serve.web.ServedApi.ServedSource;
import io.tidemark.serve.web.WebServer;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The mirror over HTTP answers what its OpenAPI document says: each operation, and each error. */
@TestInstance(Lifecycle.PER_CLASS)
class MirrorDocumentTest {

  static final String WETH = "/networks/eth/tokens/0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

  static final Path NODE = Path.of("src/test/node");

  final HttpClient http = HttpClient.newHttpClient();
  MirroredMarket market;
  WebServer server;
  DocumentedAnswers documented;

  @BeforeAll
  void serve() throws Exception {
    var simulator = new Simulator(new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED),
        InstantSource.fixed(MirrorContractTest.NOW));
    market = new MirroredMarket(simulator::at, MirrorContractTest.NOW);
    MirrorContractTest.WATCHED.forEach(target -> market.poll(target, 10));
    var mirror = new MarketRoutes(MarketRoutes.PREFIX,
        QueryResponder.of(market.mirror(), FieldNaming.DOCUMENT, InstantSource.system()), InstantSource.system());
    var documents = new ApiDocumentRoutes(
        new ServedApi("1", List.of(new ServedSource("main", MirroredMarket.TOPICS)), ClusterTopics.UNPREFIXED,
            FieldNaming.DOCUMENT, false, null, Map.of("bootstrap.servers", "none:1")));
    server = LocalServer.start(List.of(mirror::addTo, documents));
    documented = new DocumentedAnswers(get("/openapi.json").body());
  }

  @AfterAll
  void stop() {
    server.close();
    market.close();
  }

  static Stream<String> targets() {
    return Stream.concat(MirrorContractTest.WATCHED.stream(), Stream.of(
        "/networks/eth/trending_pools?include=", WETH + "?include=top_pools", WETH, "/search/pools?query=weth",
        "/search/pools?query=nothing+has+this+name", "/derivatives/exchanges/deribit",
        "/derivatives/exchanges/deribit?include_tickers=unexpired", "/public_treasury/strategy",
        "/coins/bitcoin/history?date=02-05-2026&localization=false",
        "/coins/bitcoin/tickers?order=volume_desc&page=2"));
  }

  @Test
  void targets_areOfEachOperation() {
    var operations = targets().map(target -> Endpoints.parseTarget(target).operation()).toList();

    assertThat(EnumSet.copyOf(operations)).containsExactlyInAnyOrder(Operation.values());
  }

  @ParameterizedTest
  @MethodSource("targets")
  void answer_isAsDocumented(String target) throws Exception {
    var endpoint = endpoint(target);

    var response = get(path(endpoint, target));

    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    documented.check(path(endpoint, endpoint.path().text()), "get", response, response.body());
  }

  @ParameterizedTest
  @CsvSource({
    "/networks/eth/trending_pools?duration=7m, 400", "/networks/eth/trending_pools?page=11, 401",
    "/networks/eth/trending_pools?page=0, 400", "/networks/mars/new_pools, 404", "/networks/eth/pools/0x1, 404",
    "/search/pools, 400", "/coins/bitcoin/history, 422", "/coins/bitcoin/history?date=2026-05-02, 400",
    "/coins/pepe/tickers, 404", "/asset_platforms?filter=none, 400"})
  void error_isAsDocumented(String target, int status) throws Exception {
    var endpoint = endpoint(target);

    var response = get(path(endpoint, target));

    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    documented.check(path(endpoint, endpoint.path().text()), "get", response, response.body());
  }

  @Test
  void bodyThatTheReaderHas_isA304AsDocumented() throws Exception {
    var tag = get("/api/v3/global").headers().firstValue("ETag").orElseThrow();

    var again = http.send(HttpRequest.newBuilder(uri("/api/v3/global")).header("If-None-Match", tag).build(),
        BodyHandlers.ofString());

    assertThat(again.statusCode()).isEqualTo(304);
    documented.check("/api/v3/global", "get", again, again.body());
  }

  @Test
  void publishedClient_readsEachOperation() throws Exception {
    assumeTrue(Files.isDirectory(NODE.resolve("node_modules/@coingecko")),
        "needs node, and 'npm install' in src/test/node");
    var process = new ProcessBuilder("node", NODE.resolve("client.mjs").toString(), uri("/api/v3").toString(),
        "02-05-2026")
        .redirectErrorStream(true).start();
    var printed = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(printed).isEqualTo("""
        token WETH
        dex_pools true true
        trending_pools true true
        new_pools true true
        search_pools true true
        token_pools true true
        pool eth_0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640
        global true
        coin_history bitcoin
        coin_tickers true
        derivatives_exchange true
        treasury true
        asset_platforms true
        not_watched true true
        """);
  }

  /** The row whose path a target has. */
  private static Endpoint<?, ?> endpoint(String target) {
    var segments = target.replaceAll("\\?.*", "").split("/");
    return Endpoints.ALL.stream().filter(each -> {
      var template = each.path().text().split("/");
      return template.length == segments.length && Arrays.equals(template, segments,
          (one, other) -> one.startsWith("{") || one.equals(other) ? 0 : 1);
    }).findFirst().orElseThrow();
  }

  private static String path(Endpoint<?, ?> endpoint, String path) {
    return MarketRoutes.PREFIX + (endpoint.onChain() ? MarketRoutes.ON_CHAIN : "") + path;
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }
}
