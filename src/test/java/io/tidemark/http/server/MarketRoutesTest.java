package io.tidemark.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.http.client.ApiKey;
import io.tidemark.http.client.HttpClientSettings;
import io.tidemark.http.client.HttpMarketData;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.http.wire.GoldenBodies;
import io.tidemark.http.wire.GoldenBodiesTest;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.MemoryResponseJournal;
import io.tidemark.simulator.server.ResponseJournal;
import io.tidemark.simulator.server.SimulatedRoutes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import reactor.core.publisher.Mono;

/** The interface as other programs see it. */
class MarketRoutesTest {
  private static final Instant NOW = Instant.parse("2026-03-09T03:27:00.900Z");
  private static final Instant THEN = Instant.parse("2026-03-09T03:26:18.100Z");
  private static final String KEY = "CG-key";
  private static final Set<Failure> FAILURES = Set.of(
      new Failure.RateLimited("slow", Duration.ofSeconds(7)), new Failure.CreditsExhausted("spent"),
      new Failure.BadKey("bad"), new Failure.NotInPlan("exceeds the allowed time range"), new Failure.NotFound("gone"),
      new Failure.BadRequest("odd"), new Failure.Blocked("wall"), new Failure.ServerError("oh"));

  static final Set<Query<?>> QUERIES = GoldenBodiesTest.QUERIES;
  static final Set<Query<?>> BOTH_KINDS = Set.of(
      new Query.NewPools("eth", Set.of(), 1, false),
      new Query.CoinHistory("bitcoin", LocalDate.EPOCH, true),
      new Query.GlobalMarket());

  private final MemoryResponseJournal journal = new MemoryResponseJournal();
  private MarketServer server;

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @FieldSource("QUERIES")
  void answerOfTheMarket_arrivesAtTheClient(Query<?> query) {
    start(GoldenBodies::answer);

    assertArrives(query);
  }

  @ParameterizedTest
  @FieldSource("BOTH_KINDS")
  void failureOfTheMarket_arrivesAtTheClient(Query<?> query) {
    for (var failure : FAILURES) {
      start(request -> {
        throw failure;
      });

      assertThatThrownBy(() -> ask(query)).isInstanceOf(failure.getClass());
      server.close();
    }
  }

  @Test
  void unreadableAnswerOfTheMarket_isServedAsItIs() throws Exception {
    start(query -> {
      throw new Failure.Unreadable("cut", "{\"da".getBytes(StandardCharsets.UTF_8), 200, Map.of());
    });

    assertThat(get("/global").body()).isEqualTo("{\"da");
  }

  @Test
  void rateLimit_saysHowLong() throws Exception {
    start(query -> {
      throw new Failure.RateLimited("slow", Duration.ofSeconds(7));
    });

    assertThat(get("/global").headers().firstValue("retry-after")).contains("7");
  }

  @Test
  void failureThatPasses_saysHowLong_andWhy() throws Exception {
    start(query -> {
      throw new Failure.ServerError("The mirror has not read all states yet.", Duration.ofSeconds(2));
    });

    var response = get("/global");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("retry-after")).contains("2");
    assertThat(response.body()).contains("has not read all states");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "/coins/bitcoin/history | 422 | {\"error\":\"Missing parameter date\"}",
    "/coins/bitcoin/history?date=2024-01-02 | 400 | Invalid date. Allowed values: days in the form dd-mm-yyyy",
    "/coins/bitcoin/history?date=31-02-2024 | 400 | Invalid date",
    "/coins/bitcoin/tickers?order=best | 400 | {\"error\":\"Invalid order. Allowed values: trust_score_desc, trust",
    "/onchain/networks/eth/trending_pools?duration=7h | 400 | \"title\":\"Invalid duration. Allowed values: 5m, 1h",
    "/onchain/networks/eth/new_pools?page=0 | 400 | \"title\":\"Invalid page",
    "/onchain/networks/eth/new_pools?include=base_token,moon | 400 | Invalid include. Allowed values: base_token, quote",
    "/onchain/networks/eth/pools/0x1?include_composition=yes | 400 | Invalid include_composition. Allowed values: true",
    "/onchain/networks/eth/new_pools?page=11 | 401 | allowed max number for page (10)",
    "/onchain/search/pools | 400 | {\"errors\":[{\"status\":\"400\",\"title\":\"Missing parameter query\"}]",
    "/networks/eth/new_pools | 404 | {\"error\":\"Incorrect path",
    "/onchain/global | 404 | {\"errors\":[{\"status\":\"404\"",
    "/ | 404 | Incorrect path",
  })
  void invalidRequest_isRejected_withTheReason(String path, int status, String what) throws Exception {
    start(GoldenBodies::answer);

    var response = get(path);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body()).contains(what);
    assertThat(response.headers().firstValue("x-request-id")).isPresent();
  }

  @Test
  void unknownParameter_isIgnored() throws Exception {
    start(GoldenBodies::answer);

    assertThat(get("/onchain/networks/solana/new_pools?dex=pumpswap&a=%20+").statusCode()).isEqualTo(200);
  }

  @Test
  void spaceAsPlus_isRead() throws Exception {
    start(query -> {
      throw new Failure.NotFound(((Query.SearchPools) query).query());
    });

    assertThat(get("/onchain/search/pools?query=weth+usdc%2B").body()).contains("\"title\":\"weth usdc+\"");
  }

  @Test
  void missingKey_isRejected_beforeAnythingElse() throws Exception {
    start(GoldenBodies::answer);

    var response = send(HttpRequest.newBuilder(uri("/no/such/thing")));

    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.body()).contains("\"error_code\":10002").contains("API Key Missing");
  }

  @Test
  void wrongKey_isRejected() throws Exception {
    start(GoldenBodies::answer);

    var response = send(HttpRequest.newBuilder(uri("/global")).header(MarketRoutes.KEY_HEADER, "CG-other"));

    assertThat(response.body()).contains("Invalid API Key");
  }

  @Test
  void head_hasTheHeadersOfTheAnswerAndNoBody() throws Exception {
    start(GoldenBodies::answer);
    var answer = send(HttpRequest.newBuilder(uri("/global")).header(MarketRoutes.KEY_HEADER, KEY));

    var head = send(HttpRequest.newBuilder(uri("/global")).header(MarketRoutes.KEY_HEADER, KEY).HEAD());

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    for (var name : List.of("etag", "content-length", "content-type")) {
      assertThat(head.headers().firstValue(name)).as(name).isPresent().isEqualTo(answer.headers().firstValue(name));
    }
  }

  @Test
  void anotherMethod_isRejected() throws Exception {
    start(GoldenBodies::answer);

    var response = send(HttpRequest.newBuilder(uri("/global")).header(MarketRoutes.KEY_HEADER, KEY).DELETE());

    assertThat(response.statusCode()).isEqualTo(405);
  }

  @Test
  void programmingError_isA500_withoutDetails() throws Exception {
    start(query -> {
      throw new IllegalStateException("secret detail");
    });

    assertThat(get("/global").body()).isEqualTo("{\"status\":500,\"error\":\"Internal Server Error\"}");
  }

  @Test
  void headers_sayWhenItWasTrue() throws Exception {
    start(GoldenBodies::answer);

    var headers = get("/global").headers();

    assertThat(headers.firstValue("date")).contains("Mon, 09 Mar 2026 03:27:00 GMT");
    assertThat(headers.firstValue("age")).contains("42");
    assertThat(headers.firstValue("content-type")).contains("application/json; charset=utf-8");
  }

  @Test
  void gzip_isSentWhereItIsAccepted() throws Exception {
    start(GoldenBodies::answer);
    var request = HttpRequest.newBuilder(uri("/onchain/networks/solana/new_pools"))
        .header(MarketRoutes.KEY_HEADER, KEY)
        .header("Accept-Encoding", "gzip")
        .build();

    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());

    assertThat(response.headers().firstValue("content-encoding")).contains("gzip");
    assertThat(new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes())
        .isEqualTo(get("/onchain/networks/solana/new_pools").body().getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void gzip_isNotSentToWhoRefusesIt() throws Exception {
    start(GoldenBodies::answer);
    var request = HttpRequest.newBuilder(uri("/onchain/networks/solana/new_pools"))
        .header(MarketRoutes.KEY_HEADER, KEY)
        .header("Accept-Encoding", "identity, gzip;q=0")
        .build();

    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());

    assertThat(response.headers().firstValue("content-encoding")).isEmpty();
    assertThat(response.body()).startsWith("{");
  }

  @Test
  void everyBody_isInTheJournal() throws Exception {
    start(GoldenBodies::answer);

    var served = get("/global");
    get("/coins/x/history");

    assertThat(journal.all()).extracting(ResponseJournal.ServedResponse::status).containsExactly(200, 422);
    var first = journal.all().getFirst();
    assertThat(first.url()).isEqualTo("/api/v3/global");
    assertThat(first.id()).isEqualTo(served.headers().firstValue("x-request-id").orElseThrow());
    assertThat(first.filledAt()).isEqualTo(THEN);
    assertThat(first.servedAt()).isEqualTo(NOW);
    assertThat(first.body()).isEqualTo(StandardCharsets.UTF_8.encode(served.body()));
  }

  @Test
  void takenPort_isNamed_withTheWayOut() {
    start(GoldenBodies::answer);

    var port = server.baseUrl().getPort();
    assertThatThrownBy(() -> MarketServer.start("127.0.0.1", port, routes(GoldenBodies::answer)).block())
        .hasRootCauseInstanceOf(BindException.class)
        .hasMessageContaining("stop what uses that port, or choose another");
  }

  private <A> void assertArrives(Query<A> query) {
    var answer = ask(query);

    assertThat(answer).isEqualTo(
        GoldenBodies.decode(query, GoldenBodies.encode(query, GoldenBodies.answer(query), FieldNaming.SERVICE)));
  }

  private <A> A ask(Query<A> query) {
    var settings = HttpClientSettings.of(server.baseUrl(), new ApiKey(KEY)).withRetries(0, Duration.ZERO);
    try (var market =
        new HttpMarketData(settings, Mono::empty, InstantSource.fixed(NOW), new ServiceClock(System::nanoTime))) {
      return query.askOf(market).block().body().read();
    }
  }

  @Test
  void bodyThatTheReaderHas_isNotSentAgain() throws Exception {
    start(GoldenBodies::answer);
    var first = get("/global");
    var tag = first.headers().firstValue("ETag").orElseThrow();

    var again = send(HttpRequest.newBuilder(uri("/global")).header(MarketRoutes.KEY_HEADER, KEY)
        .header("If-None-Match", "\"other\", " + tag));
    var other = send(HttpRequest.newBuilder(uri("/global")).header(MarketRoutes.KEY_HEADER, KEY)
        .header("If-None-Match", "W/\"other\""));

    assertThat(tag).matches("W/\"[0-9a-f]{32}\"");
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.headers().firstValue("ETag")).contains(tag);
    assertThat(again.headers().firstValue("Age")).isEqualTo(first.headers().firstValue("Age"));
    assertThat(other.statusCode()).isEqualTo(200);
    assertThat(other.body()).isEqualTo(first.body());
  }

  @Test
  void failure_hasNoEntityTag() throws Exception {
    start(query -> {
      throw new Failure.NotFound("gone");
    });

    assertThat(get("/global").headers().firstValue("ETag")).isEmpty();
  }

  private void start(Function<Query<?>, Object> values) {
    server = MarketServer.start("127.0.0.1", 0, routes(values)).block();
  }

  private SimulatedRoutes routes(Function<Query<?>, Object> values) {
    var replies =
        QueryResponder.of(StubMarketData.answering(THEN, values), FieldNaming.SERVICE, InstantSource.fixed(NOW));
    return new SimulatedRoutes(KEY::equals, replies, journal,
        InstantSource.fixed(NOW));
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(path)).header(MarketRoutes.KEY_HEADER, KEY));
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.baseUrl().getPort() + MarketRoutes.PREFIX + "/")
        .resolve(MarketRoutes.PREFIX + path);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
