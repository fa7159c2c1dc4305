package io.tidemark.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.Global;
import io.tidemark.http.client.HttpClientSettings.HttpLimits;
import io.tidemark.http.wire.GoldenBodies;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** The client before a server that misbehaves in every known way. */
class HttpMarketDataTest {
  private static final String KEY = "CG-secret-key";
  private static final InstantSource NOW = InstantSource.fixed(Instant.parse("2026-03-09T03:27:00Z"));
  private static final Query.GlobalMarket GLOBAL = new Query.GlobalMarket();
  private static final String GOOD = "{\"data\":{\"markets\":7}}";
  private static final String JSON = "200 OK\r\nContent-Type: application/json";
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int BOUND = 100_000;

  private final AtomicInteger permits = new AtomicInteger();
  private final ServiceClock service = new ServiceClock(() -> 0);

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "429 X | {\"status\":{\"error_code\":429,\"error_message\":\"You've exceeded the Rate Limit.\"}} | RateLimited",
    "429 X | Throttled | RateLimited",
    "429 X | `` | RateLimited",
    "429 X | <html>slow down</html> | RateLimited",
    "200 OK | {\"status\":{\"error_code\":429,\"error_message\":\"exceeded the Rate Limit\"}} | RateLimited",
    "401 X | {\"status\":{\"timestamp\":\"t\",\"error_code\":10002,\"error_message\":\"API Key Missing.\"}} | BadKey",
    "401 X | {\"status\":{\"error_code\":10005,\"error_message\":\"limited to PRO API subscribers\"}} | NotInPlan",
    "429 X | {\"status\":{\"error_code\":10006,\"error_message\":\"reached 10,000 calls limit.\"}} | CreditsExhausted",
    "401 X | {\"status\":{\"error_code\":10006,\"error_message\":\"reached 10,000 calls limit.\"}} | CreditsExhausted",
    "200 OK | {\"status\":{\"error_code\":10006,\"error_message\":\"reached 10,000 calls limit.\"}} | CreditsExhausted",
    "400 X | {\"status\":{\"error_code\":10010,\"error_message\":\"please change your root URL\"}} | BadKey",
    "400 X | {\"status\":{\"error_code\":10011,\"error_message\":\"please change your root URL\"}} | BadKey",
    "401 X | {\"error\":{\"status\":{\"error_code\":10012,\"error_message\":\"allowed time range\"}}} | NotInPlan",
    "200 OK | {\"error\":{\"status\":{\"error_code\":10012,\"error_message\":\"allowed time range\"}}} | NotInPlan",
    "422 X | {\"error\":\"Missing parameter date\"} | BadRequest",
    "404 X | {\"error\":\"coin not found\"} | NotFound",
    "404 X | {\"error\":\"Coin not found\"} | NotFound",
    "404 X | {\"errors\":[{\"status\":\"404\",\"title\":\"Not Found\"}],\"meta\":{\"ref_id\":\"r\"}} | NotFound",
    "404 X | {\"errors\":[{\"status\":\"404\",\"title\":\"Not Found\"}]} | NotFound",
    "200 OK | {\"error\":\"coin not found\"} | NotFound",
    "400 X | {\"errors\":[{\"status\":\"400\",\"title\":\"Invalid sort option.\"}]} | BadRequest",
    "401 X | {\"errors\":[{\"status\":\"401\",\"title\":\"exceeds the allowed max number for page (10).\"}]} | NotInPlan",
    "401 X | {\"errors\":[{\"status\":\"401\",\"title\":\"data older than 180 days: upgrade\"}]} | NotInPlan",
    "500 X | {\"status\":500,\"error\":\"Internal Server Error\"} | ServerError",
    "200 OK | {\"status\":500,\"error\":\"Internal Server Error\"} | ServerError",
    "403 X | <!DOCTYPE html><title>Access denied</title> | Blocked",
    "200 OK | <!DOCTYPE html>Attention Required! | Blocked",
    "404 X | <html>nginx</html> | Blocked",
    "502 X | <html>Bad Gateway</html> | ServerError",
    "502 X | `` | ServerError",
    "401 X | `` | ServerError",
    "403 X | `` | ServerError",
    "200 OK | `` | ServerError",
    "408 X | {\"error\":\"timeout\"} | ServerError",
    "503 X | gone fishing | ServerError",
    "204 X | `` | ServerError",
  })
  void eachFailure_isClassified(String head, String body, String failure) throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer(head, body))) {
      assertThatThrownBy(() -> ask(server, 0))
          .satisfies(e -> assertThat(e.getClass().getSimpleName()).isEqualTo(failure))
          .hasMessageContaining("/global: " + head.substring(0, 3));
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "429 X | gzip | Throttled | RateLimited",
    "429 X | br | {\"status\":{\"error_code\":429,\"error_message\":\"exceeded the Rate Limit\"}} | RateLimited",
    "503 X | gzip | gone fishing | ServerError",
    "401 X | gzip | {\"status\":{\"error_code\":10002,\"error_message\":\"API Key Missing.\"}} | BadKey",
    "404 X | gzip | {\"error\":\"coin not found\"} | NotFound",
    "200 OK | gzip | {\"error\":\"coin not found\"} | Unreadable",
  })
  void errorThatCannotBeDecompressed_isClassifiedByItsStatus(
      String status, String encoding, String body, String failure) throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer(status + "\r\nContent-Encoding: " + encoding, body))) {
      assertThatThrownBy(() -> ask(server, 0))
          .satisfies(e -> assertThat(e.getClass().getSimpleName()).isEqualTo(failure));
    }
  }

  @Test
  void errorThatIsTooLarge_isClassifiedByItsStatus() throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer("429 X", " ".repeat(BOUND + 1)))) {
      assertThatThrownBy(() -> ask(server, 0)).isInstanceOf(Failure.RateLimited.class);
    }
  }

  @Test
  void answer_carriesWhatHeadersSay() throws IOException {
    var head = JSON + "\r\nDate: Mon, 09 Mar 2026 03:26:50 GMT\r\nAge: 69\r\nx-request-id: r-1\r\n"
        + "Cache-Control: max-age=30, public, must-revalidate, s-maxage=1800";
    try (var server = RawHttpServer.doing(RawHttpServer.answer(head, GOOD))) {
      var answer = ask(server, 0);

      assertThat(answer.body().read()).isEqualTo(GoldenBodies.decode(GLOBAL, bytes(GOOD)));
      assertThat(answer.asOf()).isEqualTo("2026-03-09T03:25:41Z");
      assertThat(answer.maxAge()).isEqualTo(Duration.ofSeconds(30));
      assertThat(answer.requestId()).isEqualTo("r-1");
      assertThat(answer.digest()).isEqualTo("ae04e9e1e6c9fca8d90811407687d8c261af391b136fb3f431f882f05e915a9e");
      assertThat(answer.receivedAt()).isEqualTo(NOW.instant());
    }
  }

  @Test
  void answerWithoutDate_hasNoTime() throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer(JSON + "\r\nAge: 5", GOOD))) {
      assertThat(ask(server, 0).asOf()).isNull();
      assertThat(service.now()).isNull();
    }
  }

  @Test
  void timeOfTheService_isUpdated_alsoByAFailure() throws IOException {
    var head = "429 X\r\nDate: Mon, 09 Mar 2026 03:20:00 GMT\r\nRetry-After: Mon, 09 Mar 2026 03:22:00 GMT";
    try (var server = RawHttpServer.doing(RawHttpServer.answer(head, "Throttled"))) {
      assertThatThrownBy(() -> ask(server, 0))
          .as("two minutes after its own time, not five minutes before ours")
          .isInstanceOfSatisfying(Failure.RateLimited.class,
              e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofMinutes(2)));
    }

    assertThat(service.now()).isEqualTo("2026-03-09T03:20:00Z");
  }

  @Test
  void key_isInItsHeader_andNowhereElse() throws IOException {
    var echo = "{\"status\":{\"error_code\":10002,\"error_message\":\"Invalid key " + KEY + "\"}}";
    try (var server = RawHttpServer.doing(RawHttpServer.answer("401 X", echo))) {
      assertThatThrownBy(() -> ask(server, 0)).hasMessageNotContaining(KEY).hasMessageContaining("***");

      assertThat(server.requests().getFirst())
          .startsWith("GET /api/v3/global HTTP/1.1\n")
          .containsIgnoringCase("x-cg-demo-api-key: " + KEY)
          .containsIgnoringCase("accept-encoding: gzip");
      assertThat(settings(server.baseUrl(), 0).toString()).doesNotContain(KEY);
    }
  }

  @Test
  void keyThatAnAnswerRepeats_isMasked() throws IOException {
    var echo = "{\"data\":{\"request\":\"" + KEY + "\"}}";
    try (var server = RawHttpServer.doing(RawHttpServer.answer(JSON, echo))) {
      assertThat(String.valueOf(ask(server, 0).body().read())).contains("***").doesNotContain(KEY);
    }
  }

  @Test
  void onChainQuery_goesToTheOnChainPath() throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer(JSON, "{\"data\":[]}"));
        var market = market(settings(server.baseUrl(), 0).withOnChainPath("/chain"))) {
      market.newPools(new Query.NewPools("a/b", Set.of(), 2, true)).block();

      assertThat(server.requests().getFirst())
          .startsWith("GET /api/v3/chain/networks/a%2Fb/new_pools?include=&include_gt_community_data=true&page=2 ");
    }
  }

  @Test
  void serverError_isRetried_eachTimeWithAPermit() throws IOException {
    var serverError = RawHttpServer.answer("500 X", "");
    try (var server = RawHttpServer.doing(List.of(serverError, serverError, RawHttpServer.answer(JSON, GOOD)))) {
      assertThat(ask(server, 3).body().raw()).isEqualTo(bytes(GOOD));

      assertThat(server.requests()).hasSize(3);
      assertThat(permits).hasValue(2);
    }
  }

  @Test
  void permit_isThatOfTheCaller() throws IOException {
    var askers = new ArrayList<String>();
    Mono<Void> permit = Mono.deferContextual(context -> Mono.fromRunnable(() -> askers.add(context.get("asker"))));
    var moved = RawHttpServer.answer("301 X\r\nLocation: /api/v4/global", "");
    try (
        var server =
            RawHttpServer.doing(List.of(RawHttpServer.answer("500 X", ""), moved, RawHttpServer.answer(JSON, GOOD)));
        var market = new HttpMarketData(settings(server.baseUrl(), 1), () -> permit, NOW, service)) {
      market.global(GLOBAL).contextWrite(context -> context.put("asker", "me")).block();
    }

    assertThat(askers).as("a retry, and a redirect").containsExactly("me", "me");
  }

  @Test
  void endlessServerError_isReportedAfterTheLastRetry() throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer("500 X", ""))) {
      assertThatThrownBy(() -> ask(server, 2)).isInstanceOf(Failure.ServerError.class);

      assertThat(server.requests()).hasSize(3);
    }
  }

  @Test
  void rateLimit_isReportedAtOnce_withItsWait() throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer("429 X\r\nRetry-After: 119", "Throttled"))) {
      assertThatThrownBy(() -> ask(server, 3))
          .isInstanceOfSatisfying(Failure.RateLimited.class,
              e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(119)));

      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void redirectToAnotherHost_isNotFollowed() throws IOException {
    try (var other = RawHttpServer.doing(RawHttpServer.answer(JSON, GOOD))) {
      var elsewhere = other.baseUrl().toString().replace("127.0.0.1", "localhost");
      try (var server = RawHttpServer.doing(RawHttpServer.answer("302 X\r\nLocation: " + elsewhere, ""))) {
        assertThatThrownBy(() -> ask(server, 3))
            .isInstanceOf(Failure.Blocked.class)
            .hasMessageContaining("redirects to http://localhost:");
      }
      assertThat(other.requests()).isEmpty();
    }
  }

  @Test
  void redirectToAnotherPort_isNotFollowed_andGetsNoKey() throws IOException {
    try (var other = RawHttpServer.doing(RawHttpServer.answer(JSON, GOOD));
        var server = RawHttpServer.doing(RawHttpServer.answer("302 X\r\nLocation: " + other.baseUrl(), ""))) {
      assertThatThrownBy(() -> ask(server, 3))
          .isInstanceOf(Failure.Blocked.class)
          .hasMessageContaining("redirects to http://127.0.0.1:" + other.baseUrl().getPort());

      assertThat(other.requests()).isEmpty();
    }
  }

  @Test
  void redirectToAnotherScheme_isNotFollowed() throws IOException {
    try (var server = RawHttpServer.doing(redirectToItself("https"))) {
      assertThatThrownBy(() -> ask(server, 3))
          .isInstanceOf(Failure.Blocked.class)
          .hasMessageContaining("redirects to https://127.0.0.1:");
    }
  }

  @Test
  void redirectToTheWholeAddressOfTheSameOrigin_isFollowed() throws IOException {
    try (var server = RawHttpServer.doing(List.of(redirectToItself("HTTP"), RawHttpServer.answer(JSON, GOOD)))) {
      ask(server, 0);

      assertThat(server.requests().getLast()).startsWith("GET /api/v4/global ");
    }
  }

  private static RawHttpServer.Act redirectToItself(String scheme) {
    return (socket, out) -> RawHttpServer.answer(
        "302 X\r\nLocation: " + scheme + "://127.0.0.1:" + socket.getLocalPort() + "/api/v4/global", "")
        .on(socket, out);
  }

  @Test
  void redirectOnTheSameHost_isFollowed_withAPermit() throws IOException {
    var moved = RawHttpServer.answer("301 X\r\nLocation: /api/v4/global", "");
    try (var server = RawHttpServer.doing(List.of(moved, RawHttpServer.answer(JSON, GOOD)))) {
      ask(server, 0);

      assertThat(server.requests().getLast()).startsWith("GET /api/v4/global ");
      assertThat(permits).hasValue(1);
    }
  }

  @Test
  void redirectInACircle_ends() throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer("302 X\r\nLocation: /api/v3/global", ""))) {
      assertThatThrownBy(() -> ask(server, 0)).isInstanceOf(Failure.Blocked.class)
          .hasMessageContaining("redirects more than 3 times in a row").hasMessageNotContaining("base-url");

      assertThat(server.requests()).hasSize(4);
    }
  }

  @Test
  void closedPort_isUnreachable() throws IOException {
    URI nobody;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/api/v3");
    }
    assertThatThrownBy(() -> ask(settings(nobody, 0, SHORT))).isInstanceOf(Failure.Unreachable.class);
  }

  @Test
  void unknownHost_isUnreachable() {
    assertThatThrownBy(() -> ask(settings(URI.create("http://nowhere.invalid/api/v3"), 0)))
        .isInstanceOf(Failure.Unreachable.class)
        .hasMessageContaining("nowhere.invalid");
  }

  @Test
  void noTlsWhereTlsIsExpected_isUnreachable() throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer(JSON, GOOD))) {
      var tls = URI.create(server.baseUrl().toString().replace("http:", "https:"));

      assertThatThrownBy(() -> ask(settings(tls, 0))).isInstanceOf(Failure.Unreachable.class);
    }
  }

  /** Nobody accepts, and the places to wait are taken: packets that ask for a connection are dropped. */
  @Test
  void connectionNeverMade_isUnreachable_inTime() throws IOException {
    var waiting = new ArrayList<Socket>();
    try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (var i = 0; i < 4; i++) {
        var socket = new Socket();
        waiting.add(socket);
        connect(socket, full.getLocalSocketAddress());
      }
      var nobody = URI.create("http://127.0.0.1:" + full.getLocalPort() + "/api/v3");

      assertThatThrownBy(() -> ask(settings(nobody, 0, SHORT))).isInstanceOf(Failure.Unreachable.class);
    } finally {
      for (var each : waiting) {
        each.close();
      }
    }
  }

  private static void connect(Socket socket, SocketAddress address) throws IOException {
    try {
      socket.connect(address, 100);
    } catch (SocketTimeoutException e) {
      // full
    }
  }

  @Test
  void silence_isUnreachable_inTime() throws Exception {
    var over = new CountDownLatch(1);
    try (var server = RawHttpServer.doing((socket, out) -> await(over))) {
      assertThatThrownBy(() -> ask(settings(server.baseUrl(), 0, SHORT)))
          .isInstanceOf(Failure.Unreachable.class)
          .hasMessageContaining("no byte for 1000 ms");
    } finally {
      over.countDown();
    }
  }

  @Test
  void slowDrip_isUnreachable_inTime() throws Exception {
    var over = new CountDownLatch(1);
    try (var server = RawHttpServer.doing((socket, out) -> {
      out.write(bytes("HTTP/1.1 " + JSON + "\r\nContent-Length: 1000000\r\n\r\n"));
      while (over.getCount() > 0) {
        out.write(' ');
        out.flush();
        pause();
      }
    })) {
      assertThatThrownBy(() -> ask(settings(server.baseUrl(), 0, SHORT)))
          .isInstanceOf(Failure.Unreachable.class)
          .hasMessageContaining("no complete response within 3000 ms");
    } finally {
      over.countDown();
    }
  }

  @Test
  void reset_isUnreachable() throws IOException {
    try (var server = RawHttpServer.doing((socket, out) -> socket.setSoLinger(true, 0))) {
      assertThatThrownBy(() -> ask(server, 0)).isInstanceOf(Failure.Unreachable.class);

      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void halfABody_isUnreachable() throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer(JSON + "\r\nContent-Length: 100", GOOD))) {
      assertThatThrownBy(() -> ask(server, 0)).isInstanceOf(Failure.Unreachable.class);
    }
  }

  @Test
  void contentLengthThatCutsTheBody_isUnreadable_withTheBytes() throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer(JSON + "\r\nContent-Length: 10", GOOD))) {
      var answer = ask(server, 0);

      assertThatThrownBy(() -> answer.body().read())
          .isInstanceOfSatisfying(Failure.Unreadable.class, e -> {
            assertThat(e.raw()).isEqualTo(bytes(GOOD.substring(0, 10)));
            assertThat(e.headers()).containsEntry("content-type", "application/json");
          });
    }
  }

  @Test
  void nonsenseInsteadOfHttp_isUnreachable() throws IOException {
    try (var server = RawHttpServer.doing((socket, out) -> out.write(bytes("SSH-2.0-OpenSSH\r\n\r\n")))) {
      assertThatThrownBy(() -> ask(server, 0)).isInstanceOf(Failure.Unreachable.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "GZIP", "x-gzip", "Identity", ""})
  void encodingThatIsUnderstood_isUndone(String encoding) throws IOException {
    var body = encoding.toLowerCase(Locale.ROOT).contains("gzip") ? gzip(bytes(GOOD)) : bytes(GOOD);
    try (var server = RawHttpServer.doing(RawHttpServer.answer(JSON + "\r\nContent-Encoding: " + encoding, body))) {
      assertThat(ask(server, 0).body().raw()).isEqualTo(bytes(GOOD));
    }
  }

  @Test
  void gzipBomb_isUnreadable() throws IOException {
    var bomb = gzip(new byte[BOUND + 1]);
    try (var server = RawHttpServer.doing(RawHttpServer.answer(JSON + "\r\nContent-Encoding: gzip", bomb))) {
      assertThatThrownBy(() -> ask(server, 3))
          .isInstanceOf(Failure.Unreadable.class)
          .hasMessageContaining("larger than " + BOUND + " bytes");

      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void keyThatTheServiceRepeats_isRemovedFromUnreadableResponses() throws IOException {
    var echo = "{\"data\":\"" + KEY + "\"}";
    try (var server = RawHttpServer.doing(RawHttpServer.answer(JSON + "\r\nServer: " + KEY, echo))) {
      var body = ask(server, 0).body();

      assertThat(body.raw()).asString().isEqualTo("{\"data\":\"***\"}");
      assertThatThrownBy(body::read).isInstanceOfSatisfying(Failure.Unreadable.class, unreadable -> {
        assertThat(unreadable.raw()).asString().isEqualTo("{\"data\":\"***\"}");
        assertThat(unreadable.headers()).containsEntry("server", "***");
        assertThat(unreadable).hasMessageNotContaining(KEY);
      });
    }
  }

  @Test
  void brokenGzip_isUnreadable() throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer(JSON + "\r\nContent-Encoding: gzip", "no gzip"))) {
      assertThatThrownBy(() -> ask(server, 0)).isInstanceOf(Failure.Unreadable.class).hasMessageContaining("gzip");
    }
  }

  @Test
  void bodyBeyondTheBound_isUnreadable() throws IOException {
    try (var server = RawHttpServer.doing(RawHttpServer.answer(JSON, " ".repeat(BOUND + 1)))) {
      assertThatThrownBy(() -> ask(server, 0)).isInstanceOf(Failure.Unreadable.class);
    }
  }

  private Answer<Observation<Global>> ask(RawHttpServer server, int retries) {
    return ask(settings(server.baseUrl(), retries));
  }

  private Answer<Observation<Global>> ask(HttpClientSettings settings) {
    try (var market = market(settings)) {
      return market.global(GLOBAL).block();
    }
  }

  private HttpMarketData market(HttpClientSettings settings) {
    return new HttpMarketData(settings, () -> Mono.fromRunnable(permits::incrementAndGet), NOW, service);
  }

  private static HttpClientSettings settings(URI baseUrl, int retries) {
    return settings(baseUrl, retries, LONG);
  }

  private static HttpClientSettings settings(URI baseUrl, int retries, Duration longest) {
    var limits = new HttpLimits(longest, longest, longest.multipliedBy(3), BOUND);
    return new HttpClientSettings(
        baseUrl, "/onchain", "x-cg-demo-api-key", List.of(new ApiKey(KEY)), limits, retries, Duration.ofMillis(1));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(byte[] body) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(body);
    }
    return bytes.toByteArray();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Between the drops of a slow answer. */
  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
