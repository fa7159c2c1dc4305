package io.tidemark.serve.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.event.Secret;
import io.tidemark.program.SecretsInLog;
import io.tidemark.serve.access.AccessKey;
import io.tidemark.serve.access.AccessKeys;
import io.tidemark.serve.access.AccessRight;
import io.tidemark.serve.access.AccessSettings;
import io.tidemark.serve.access.AccessSettings.AnonymousAccess;
import io.tidemark.serve.access.Sessions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRoutes;

/** Keys, sessions and forged requests, over real HTTP and on a virtual clock. */
class AccessControlTest {

  static final HttpClient HTTP = HttpClient.newHttpClient();
  static final ObjectMapper JSON = new ObjectMapper();
  static final String READER = AccessKeys.generate();
  static final String WRITER = AccessKeys.generate();
  static final String WRONG = AccessKeys.generate();
  static final Secret SECRET = new Secret("0123456789012345678901234567890123456789");
  static final AccessSettings TWO_KEYS = keys(100, SECRET);

  /** What the guarded server serves, and nothing else. */
  static final Consumer<HttpServerRoutes> ROUTES = routes -> routes
      .get("/v1/things", (request, response) -> response.sendString(Mono.just("things")))
      .post("/v1/things", (request, response) -> response.status(201).send())
      .delete("/v1/things", (request, response) -> response.status(204).send())
      .put("/v1/rules/{file}", (request, response) -> response.status(200).send())
      .get("/v1/failing", (request, response) -> Mono.error(new IllegalStateException("the bottom of the stack")))
      .get("/api/v3/global", (request, response) -> response.header("Cache-Control", "public, max-age=60")
          .sendString(Mono.just("global")))
      .get("/sources/main/api/v3/global", (request, response) -> response.sendString(Mono.just("global")))
      .post("/registry/subjects/a", (request, response) -> response.sendString(Mono.just("schema")));

  final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-10T12:00:00Z"));
  final List<WebServer> servers = new ArrayList<>();

  static AccessSettings keys(int perMinute, Secret secret) {
    return new AccessSettings(List.of(
        new AccessKey("reader", AccessKeys.hash(READER), Set.of(AccessRight.READ), perMinute),
        new AccessKey("writer", AccessKeys.hash(WRITER), Set.of(AccessRight.WRITE), perMinute)), AnonymousAccess.NONE,
        secret);
  }

  @AfterEach
  void stop() {
    servers.forEach(WebServer::close);
  }

  @Test
  void requestWithoutKey_isRefused_inTheShapeOfWhatWasAsked() throws Exception {
    var port = start(TWO_KEYS);

    var thing = get(port, "/v1/things");
    assertThat(thing.statusCode()).isEqualTo(401);
    assertThat(thing.headers().firstValue("www-authenticate")).hasValue("Bearer realm=\"tidemark\"");
    assertThat(json(thing).path("error").asText()).contains("Authorization: Bearer KEY");
    for (var path : List.of("/api/v3/global", "/sources/main/api/v3/global")) {
      var mirrored = get(port, path);
      assertThat(mirrored.statusCode()).isEqualTo(401);
      assertThat(json(mirrored).at("/status/error_code").asInt()).isEqualTo(10002);
    }
    assertThat(json(send(port, "POST", "/registry/subjects/a", "{}")).path("error_code").asInt()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/things", "/v1/me", "/v1/nothing", "/metrics", "//v1/things", "/page/../v1/things",
    "/page/%2e%2e/v1/things", "/v1/things?x=/page/", "/V1/things", "/v1/login/", "/openapi.json"})
  void pathThatIsNotOpen_givesNothingWithoutKey(String path) throws Exception {
    var port = start(TWO_KEYS);

    assertThat(raw(port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n")).containsAnyOf(" 401 ", " 404 ")
        .doesNotContain("things\r\n", "\r\n\r\nthings");
  }

  @Test
  void pageAndItsFiles_areOpen() throws Exception {
    var port = start(TWO_KEYS);

    assertThat(get(port, "/").statusCode()).isEqualTo(200);
    assertThat(get(port, "/page/views/login.js").statusCode()).isEqualTo(200);
  }

  @Test
  void key_opensByBearer_andOnTheMirrorByTheHeaderOfTheInterface() throws Exception {
    var port = start(TWO_KEYS);

    assertThat(get(port, "/v1/things", "Authorization", "Bearer " + READER).body()).isEqualTo("things");
    assertThat(get(port, "/v1/things", "Authorization", "bearer  " + READER).body()).isEqualTo("things");
    assertThat(get(port, "/api/v3/global", "x-cg-demo-api-key", READER).body()).isEqualTo("global");
    assertThat(get(port, "/sources/main/api/v3/global", "x-cg-demo-api-key", READER).body()).isEqualTo("global");
    assertThat(send(port, "POST", "/registry/subjects/a", "{}", "Authorization", "Bearer " + READER).body())
        .isEqualTo("schema");
    assertThat(get(port, "/v1/things", "x-cg-demo-api-key", READER).statusCode()).isEqualTo(401);
  }

  @Test
  void answerThatNeedsAKey_isNotForSharedCaches() throws Exception {
    var port = start(TWO_KEYS);
    var open = start(new AccessSettings(List.of(), AnonymousAccess.ANYWHERE, null));

    assertThat(get(port, "/api/v3/global", "x-cg-demo-api-key", READER).headers().firstValue("cache-control"))
        .hasValue("private, max-age=60");
    assertThat(get(open, "/api/v3/global").headers().firstValue("cache-control")).hasValue("public, max-age=60");
  }

  @Test
  void addressWithoutKey_hasALimitOfItsOwn_whereOthersAreLetIn() throws Exception {
    var port = start(new AccessSettings(TWO_KEYS.keys(), AnonymousAccess.ANYWHERE, 3, null));
    for (var i = 0; i < 3; i++) {
      assertThat(get(port, "/v1/things").statusCode()).isEqualTo(200);
    }

    var refused = get(port, "/v1/things");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("retry-after")).hasValue("20");
    assertThat(json(refused).path("error").asText()).contains("3 requests a minute for an address without a key");
    assertThat(get(port, "/v1/things", "Authorization", "Bearer " + READER).statusCode()).isEqualTo(200);
    assertThat(raw("127.0.0.2", port, "GET /v1/things HTTP/1.1\r\nHost: localhost\r\n")).contains(" 200 ");
    now.set(now.get().plusSeconds(20));
    assertThat(get(port, "/v1/things").statusCode()).isEqualTo(200);
  }

  @Test
  void managementOnLoopback_answersForThisMachineOnly() throws Exception {
    var inside =
        WebServer.start(LocalServer.ADDRESS, List.of(ROUTES), AccessControl.loopbackOnly(), LocalServer.UNHEARD);
    var reachable = LocalServer.start(List.of(ROUTES));
    servers.addAll(List.of(inside, reachable));

    assertThat(raw(inside.port(), "GET /v1/things HTTP/1.1\r\nHost: evil.example\r\n"))
        .contains(" 421 ", "management.address");
    assertThat(raw(inside.port(), "GET /v1/things HTTP/1.1\r\nHost: localhost:9090\r\n")).contains(" 200 ");
    assertThat(raw(reachable.port(), "GET /v1/things HTTP/1.1\r\nHost: tidemark.monitoring\r\n")).contains(" 200 ");
  }

  @Test
  void wrongKeys_areRefused_andLimitedByAddress() throws Exception {
    var port = start(TWO_KEYS);

    for (var path : List.of("/v1/things", "/api/v3/global")) {
      assertThat(get(port, path, "Authorization", "Bearer " + WRONG).statusCode()).isEqualTo(401);
    }
    for (var attempt = 2; attempt < 10; attempt++) {
      assertThat(login(port, WRONG).statusCode()).isEqualTo(401);
    }
    var limited = login(port, WRONG);
    assertThat(limited.statusCode()).isEqualTo(429);
    assertThat(limited.headers().firstValue("retry-after")).hasValue("6");
    assertThat(login(port, READER).statusCode()).as("the right one is not tried either").isEqualTo(429);
    var mirrored = get(port, "/api/v3/global", "x-cg-demo-api-key", WRONG);
    assertThat(mirrored.statusCode()).isEqualTo(429);
    assertThat(json(mirrored).at("/status/error_code").asInt()).isEqualTo(429);
    assertThat(mirrored.headers().firstValue("retry-after")).hasValue("6");

    pass(Duration.ofSeconds(6));
    assertThat(login(port, READER).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "tidemark_", "password"})
  void textThatIsNoKey_isWrong_evenIfItsHashIsConfigured(String text) throws Exception {
    var settings = new AccessSettings(
        List.of(new AccessKey("weak", AccessKeys.hash(text), Set.of(AccessRight.READ), 10)), AnonymousAccess.NONE,
        null);

    assertThat(get(start(settings), "/v1/things", "Authorization", "Bearer " + text).statusCode()).isEqualTo(401);
  }

  @Test
  void change_needsTheRightToWrite() throws Exception {
    var port = start(TWO_KEYS);

    assertThat(send(port, "POST", "/v1/things", "{}").statusCode()).isEqualTo(401);
    var refused = send(port, "POST", "/v1/things", "{}", "Authorization", "Bearer " + READER);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(json(refused).path("error").asText()).isEqualTo("the key of reader has no right to write");
    assertThat(send(port, "DELETE", "/v1/things", "", "Authorization", "Bearer " + READER).statusCode()).isEqualTo(403);
    assertThat(send(port, "POST", "/v1/things", "{}", "Authorization", "Bearer " + WRITER).statusCode()).isEqualTo(201);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/rules/mine,                403",
    "/v1/rules/a%0Ab,               403",
    "http://localhost/v1/rules/mine, 400",
    "x/v1/rules/mine,               400",
    "//v1/rules/mine,               404",
    "/v1//rules/mine,               404",
    "/v1/rule%73/mine,              404",
    "/v1/x/../rules/mine,           404"})
  void changeOfRules_needsTheRightToConfigure_howeverItsPathIsWritten(String uri, int status) throws Exception {
    assertThat(raw(start(TWO_KEYS), "PUT " + uri + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
        + "Authorization: Bearer " + WRITER + "\r\n")).contains(" " + status + " ");
  }

  @Test
  void login_givesACookieThatNoScriptAndNoOtherServerGets() throws Exception {
    var port = start(TWO_KEYS);

    var answer = login(port, WRITER);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(json(answer)).hasToString("{\"name\":\"writer\",\"rights\":[\"read\",\"write\"],\"has_keys\":true,"
        + "\"per_minute\":100,\"until\":\"2026-03-17T12:00:00Z\"}");
    assertThat(answer.headers().firstValue("cache-control")).hasValue("no-store");
    assertThat(answer.headers().firstValue("set-cookie").orElseThrow())
        .startsWith("tidemark-session-" + port + "=").containsIgnoringCase("; HttpOnly")
        .contains("SameSite=Strict", "Path=/", "Max-Age=604800")
        .doesNotContain("Domain", "Secure", WRITER);
    var proxied = login(port, WRITER, "X-Forwarded-Proto", "https");
    assertThat(proxied.headers().firstValue("set-cookie").orElseThrow())
        .startsWith("__Host-tidemark-session-" + port + "=").contains("Secure");
  }

  @Test
  void cookie_reads_untilItsEnd() throws Exception {
    var port = start(TWO_KEYS);
    var cookie = cookie(login(port, READER));

    assertThat(get(port, "/v1/things", "Cookie", cookie).body()).isEqualTo("things");
    assertThat(get(port, "/api/v3/global", "Cookie", cookie).body()).isEqualTo("global");
    assertThat(json(get(port, "/v1/me", "Cookie", cookie)).path("name").asText()).isEqualTo("reader");
    pass(Sessions.LIFE.minusSeconds(1));
    assertThat(get(port, "/v1/things", "Cookie", cookie).statusCode()).isEqualTo(200);
    pass(Duration.ofSeconds(1));
    assertThat(get(port, "/v1/things", "Cookie", cookie).statusCode()).isEqualTo(401);
  }

  @Test
  void cookie_isAcceptedByInstancesWithTheSecret_whileItsKeyExists() throws Exception {
    var session = cookie(login(start(TWO_KEYS), WRITER)).split("=", 2)[1];
    var replaced = new AccessSettings(
        List.of(new AccessKey("writer", AccessKeys.hash(WRONG), Set.of(AccessRight.WRITE), 10)), AnonymousAccess.NONE,
        SECRET);

    var same = start(TWO_KEYS);
    assertThat(get(same, "/v1/things", "Cookie", named(session, same)).statusCode()).isEqualTo(200);
    for (var settings : List.of(keys(100, null), replaced)) {
      var other = start(settings);
      assertThat(get(other, "/v1/things", "Cookie", named(session, other)).statusCode()).isEqualTo(401);
    }
  }

  /** Browsers send the cookies of a host to all its ports. */
  @Test
  void serversOnTwoPortsOfAHost_haveCookiesOfDifferentNames() throws Exception {
    var one = start(TWO_KEYS);
    var other = start(keys(100, null));
    var cookies = cookie(login(one, READER)) + "; " + cookie(login(other, READER));

    assertThat(get(one, "/v1/things", "Cookie", cookies).statusCode()).isEqualTo(200);
    assertThat(get(other, "/v1/things", "Cookie", cookies).statusCode()).isEqualTo(200);
    assertThat(cookies.split("; ")).extracting(each -> each.split("=", 2)[0]).doesNotHaveDuplicates();
  }

  private static String named(String session, int port) {
    return "tidemark-session-" + port + "=" + session;
  }

  @Test
  void cookieThatIsAltered_isNoCookie() throws Exception {
    var port = start(TWO_KEYS);
    var cookie = cookie(login(port, READER));

    for (var altered : List.of(cookie.replace("reader", "writer"), cookie.replaceFirst("=\\d", "=9"),
        cookie.substring(0, cookie.length() - 8), named("", port), named("1.2.3", port),
        named("99999999999999999999..reader", port), named("9999999999..reader", port))) {
      assertThat(get(port, "/v1/things", "Cookie", altered).statusCode()).as(altered).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https://evil.example,             , 403",
    "null,                             , 403",
    "http://127.0.0.1:1,               , 403",
    "http://127.0.0.1:PORT@evil.example, , 403",
    "http://127.0.0.1:PORT,            , 201",
    ",                         cross-site, 403",
    ",                          same-site, 403",
    ",                               none, 403",
    "http://127.0.0.1:PORT,    cross-site, 403",
    ",                        same-origin, 201",
    ",                                   , 403"})
  void changeWithACookie_isTakenFromThePageOnly(String origin, String site, int status) throws Exception {
    var port = start(TWO_KEYS);
    var headers = new ArrayList<>(List.of("Cookie", cookie(login(port, WRITER))));
    if (origin != null) {
      headers.addAll(List.of("Origin", origin.replace("PORT", "" + port)));
    }
    if (site != null) {
      headers.addAll(List.of("Sec-Fetch-Site", site));
    }

    assertThat(send(port, "POST", "/v1/things", "{}", headers.toArray(String[]::new)).statusCode()).isEqualTo(status);
  }

  @Test
  void forgedLogin_isRefused() throws Exception {
    var port = start(TWO_KEYS);

    assertThat(login(port, READER, "Origin", "https://evil.example").statusCode()).isEqualTo(403);
    assertThat(login(port, READER, "Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
    assertThat(send(port, "POST", "/v1/logout", "", "Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
    assertThat(send(port, "POST", "/v1/login", "{\"key\":\"" + READER + "\"}", "Content-Type", "text/plain")
        .statusCode()).isEqualTo(415);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"{|400", "[]|400", "{\"key\":1}|400", "{}|400", "''|400"})
  void loginThatIsNoJson_isRefusedWithoutRepeatingIt(String body, int status) throws Exception {
    var answer = send(start(TWO_KEYS), "POST", "/v1/login", body, "Content-Type", "application/json");

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).isEqualTo("{\"error\":\"expected {\\\"key\\\": \\\"...\\\"}\"}");
  }

  @Test
  void longLogin_isRefused() throws Exception {
    assertThat(login(start(TWO_KEYS), "x".repeat(5_000)).statusCode()).isEqualTo(413);
  }

  @Test
  void logout_takesTheCookieBack() throws Exception {
    var port = start(TWO_KEYS);

    var answer = send(port, "POST", "/v1/logout", "");

    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(answer.headers().firstValue("set-cookie").orElseThrow())
        .contains("tidemark-session-" + port + "=;").contains("Max-Age=0");
  }

  @Test
  void requestsBeyondTheRateOfAKey_are429_inTheShapeOfWhatWasAsked() throws Exception {
    var port = start(keys(3, SECRET));
    for (var i = 0; i < 3; i++) {
      assertThat(get(port, "/v1/things", "Authorization", "Bearer " + READER).statusCode()).isEqualTo(200);
    }

    var limited = get(port, "/v1/things", "Authorization", "Bearer " + READER);
    assertThat(limited.statusCode()).isEqualTo(429);
    assertThat(limited.headers().firstValue("retry-after")).hasValue("20");
    assertThat(json(limited).path("error").asText()).contains("3 requests a minute");
    var mirrored = get(port, "/api/v3/global", "x-cg-demo-api-key", READER);
    assertThat(json(mirrored).at("/status/error_code").asInt()).isEqualTo(429);
    assertThat(mirrored.headers().firstValue("retry-after")).hasValue("20");
    assertThat(get(port, "/v1/things", "Authorization", "Bearer " + WRITER).statusCode()).as("another key")
        .isEqualTo(200);

    pass(Duration.ofSeconds(20));
    assertThat(get(port, "/v1/things", "Authorization", "Bearer " + READER).statusCode()).isEqualTo(200);
    assertThat(get(port, "/v1/things", "Authorization", "Bearer " + READER).statusCode()).isEqualTo(429);
  }

  @Test
  void sessionsOfAKey_shareItsRate() throws Exception {
    var port = start(keys(2, SECRET));
    var cookie = cookie(login(port, READER));

    assertThat(get(port, "/v1/things", "Cookie", cookie).statusCode()).isEqualTo(200);
    assertThat(get(port, "/v1/things", "Authorization", "Bearer " + READER).statusCode()).isEqualTo(200);
    assertThat(get(port, "/v1/things", "Cookie", cookie).statusCode()).isEqualTo(429);
  }

  @Test
  void anonymousReading_readsAndChangesNothing() throws Exception {
    var port = start(new AccessSettings(TWO_KEYS.keys(), AnonymousAccess.ANYWHERE, null));

    assertThat(get(port, "/v1/things").body()).isEqualTo("things");
    assertThat(get(port, "/api/v3/global", "x-cg-demo-api-key", "whatever").body()).isEqualTo("global");
    assertThat(get(port, "/v1/things", "Authorization", "Bearer " + WRONG).statusCode()).isEqualTo(401);
    assertThat(send(port, "POST", "/v1/things", "{}").statusCode()).isEqualTo(401);
    assertThat(send(port, "POST", "/v1/things", "{}", "Authorization", "Bearer " + WRITER).statusCode()).isEqualTo(201);
    assertThat(get(port, "/v1/me").body()).isEqualTo("{\"name\":null,\"rights\":[\"read\"],\"has_keys\":true}");
  }

  @ParameterizedTest
  @CsvSource({"evil.example, 421", "evil.example:8080, 421", "localhost.evil.example, 421",
    "127.0.0.1.evil.example, 421",
    "localhost, 200", "LOCALHOST:8080, 200", "127.0.0.1:8080, 200", "[::1]:8080, 200", "tidemark.localhost, 200"})
  void withoutKeys_onlyThisMachineIsAnswered_byTheNameOfTheRequest(String host, int status) throws Exception {
    var port = start(AccessSettings.LOCAL);

    assertThat(raw(port, "GET /v1/things HTTP/1.1\r\nHost: " + host + "\r\n")).startsWith("HTTP/1.1 " + status);
  }

  @ParameterizedTest
  @CsvSource({"evil.example, 421", "localhost.evil.example, 421", "localhost, 200", "127.0.0.1:8080, 200"})
  void localReadingBesideKeys_isOfThisMachineAlone(String host, int status) throws Exception {
    var port = start(new AccessSettings(TWO_KEYS.keys(), AnonymousAccess.LOCAL, null));

    assertThat(raw(port, "GET /v1/things HTTP/1.1\r\nHost: " + host + "\r\n")).startsWith("HTTP/1.1 " + status);
    assertThat(send(port, "POST", "/v1/things", "{}").statusCode()).isEqualTo(401);
    assertThat(send(port, "POST", "/v1/things", "{}", "Authorization", "Bearer " + WRITER).statusCode()).isEqualTo(201);
  }

  @Test
  void withoutKeys_nothingIsChanged() throws Exception {
    var port = start(AccessSettings.LOCAL);

    assertThat(get(port, "/v1/me").body()).isEqualTo("{\"name\":null,\"rights\":[\"read\"],\"has_keys\":false}");
    assertThat(send(port, "POST", "/v1/things", "{}").statusCode()).isEqualTo(401);
    assertThat(send(port, "POST", "/v1/things", "{}", "Authorization", "Bearer " + WRITER).statusCode()).isEqualTo(401);
  }

  @Test
  void failureOfARoute_tellsNothing() throws Exception {
    var answer = get(start(TWO_KEYS), "/v1/failing", "Authorization", "Bearer " + READER);

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).isEqualTo("{\"error\":\"internal error; the log of the server has the reason\"}");
  }

  @Test
  void eachAnswer_hasTheHeadersThatProtectIt() throws Exception {
    var port = start(TWO_KEYS);
    var head = "\r\nHost: localhost\r\nAuthorization: Bearer " + READER + "\r\n";

    for (var request : List.of("GET /v1/things HTTP/1.1" + head, "GET /v1/nothing HTTP/1.1" + head,
        "GET /v1/failing HTTP/1.1" + head, "GET /v1/things HTTP/1.1\r\nHost: localhost\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\n", "GET /v1/things HTTP/1.1" + head + "X: " + "x".repeat(20_000) + "\r\n",
        "GET /" + "x".repeat(10_000) + " HTTP/1.1" + head)) {
      var answer = raw(port, request);
      assertThat(answer).as(request.lines().findFirst().orElseThrow().substring(0, 7)).containsIgnoringCase(
          "x-content-type-options: nosniff").containsIgnoringCase("referrer-policy: no-referrer")
          .containsIgnoringCase("content-security-policy: default-src 'none'").contains("frame-ancestors 'none'")
          .containsIgnoringCase("cross-origin-resource-policy: same-origin")
          .containsIgnoringCase("cross-origin-opener-policy: same-origin")
          .containsIgnoringCase("cross-origin-embedder-policy: require-corp")
          .containsIgnoringCase("x-frame-options: DENY")
          .doesNotContainIgnoringCase("strict-transport-security").doesNotContain("\tat ", "Exception");
    }
  }

  @Test
  void keysAndSessions_areInNoLogAndNoAnswer() throws Exception {
    var port = start(TWO_KEYS);
    var seen = new StringBuilder();
    var session = cookie(login(port, READER));
    for (var secret : List.of(READER, WRONG, session.substring(session.indexOf('=') + 1))) {
      try (var log = new SecretsInLog(secret)) {
        for (var path : List.of("/v1/things", "/v1/failing", "/v1/me", "/api/v3/global", "/api/v3/nothing")) {
          seen.append(get(port, path, "Authorization", "Bearer " + secret, "Cookie", session).body());
          seen.append(get(port, path, "x-cg-demo-api-key", secret).body());
        }
        seen.append(login(port, secret).body());

        assertThat(log.heardSomething()).isTrue();
        assertThat(log.lines).isEmpty();
        assertThat(seen).doesNotContain(secret);
      }
    }
  }

  private int start(AccessSettings settings) {
    var access = new AccessControl(settings, now::get);
    var server = WebServer.start(LocalServer.ADDRESS, List.of(new PageRoutes(), new LoginRoutes(access), ROUTES),
        access, LocalServer.UNHEARD);
    servers.add(server);
    return server.port();
  }

  private void pass(Duration time) {
    now.updateAndGet(at -> at.plus(time));
  }

  private static HttpResponse<String> login(int port, String key, String... headers) throws Exception {
    var all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("Content-Type", "application/json"));
    return send(port, "POST", "/v1/login", "{\"key\":\"" + key + "\"}", all.toArray(String[]::new));
  }

  private static String cookie(HttpResponse<String> login) {
    return login.headers().firstValue("set-cookie").orElseThrow().split(";", 2)[0];
  }

  private static HttpResponse<String> get(int port, String path, String... headers) throws Exception {
    return send(port, "GET", path, "", headers);
  }

  private static HttpResponse<String> send(int port, String method, String path, String body, String... headers)
      throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .method(method, BodyPublishers.ofString(body));
    return HTTP.send(headers.length == 0 ? request.build() : request.headers(headers).build(), BodyHandlers.ofString());
  }

  /** The whole answer to a request as it is, whatever a client would make of it. */
  private static String raw(int port, String head) throws IOException {
    return raw("127.0.0.1", port, head);
  }

  /** @param from one of the addresses of this machine */
  private static String raw(String from, int port, String head) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0)) {
      socket.getOutputStream().write((head + "Connection: close\r\n\r\n").getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return JSON.readTree(answer.body());
  }
}
