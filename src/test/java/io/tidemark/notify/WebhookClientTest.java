package io.tidemark.notify;

import static io.tidemark.notify.Alerts.NOON;
import static io.tidemark.notify.Alerts.priceMoved;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Secret;
import io.tidemark.kafka.RecordedTraces;
import io.tidemark.kafka.TraceParent;
import io.tidemark.kafka.Traces;
import io.tidemark.notify.WebhookClient.DeliveryResult;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerResponse;

/** The meaning of a receiver's answers, given by a local server. */
class WebhookClientTest {

  private static final String SECRET = "s3cr3t";

  private DisposableServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.disposeNow();
    }
  }

  private DeliveryResult answered(int status, String body, Consumer<HttpServerResponse> headers) {
    server = HttpServer.create().host("127.0.0.1").port(0)
        .handle((request, response) -> request.receive().aggregate().asString().then(Mono.defer(() -> {
          headers.accept(response.status(status));
          return response.sendString(Mono.just(body)).then();
        })))
        .bindNow();
    return send("http://127.0.0.1:" + server.port() + "/" + SECRET, true);
  }

  private static DeliveryResult send(String url, boolean privateAddresses) {
    return send(new PlainFormat(List.of(), NotificationLinks.NONE), url, privateAddresses);
  }

  private static Receiver receiver(NotificationFormat format, String url, boolean privateAddresses) {
    return new Receiver("r", format, URI.create(url), Alerts.ALL, Alerts.LIMIT, Duration.ofMinutes(10),
        privateAddresses);
  }

  private static DeliveryResult send(NotificationFormat format, String url, boolean privateAddresses) {
    var receiver = receiver(format, url, privateAddresses);
    try (var client = new WebhookClient(receiver, Traces.OFF)) {
      return client.send(new Notification.SingleAlert(priceMoved("1"), null), NOON);
    }
  }

  @Test
  void accepted_isDelivered() {
    assertThat(answered(204, "", response -> {})).isEqualTo(new DeliveryResult.Delivered());
  }

  @Test
  void tooManyRequests_isRetriedAfterTheHeader() {
    assertThat(answered(429, "slow", response -> response.header("Retry-After", "7")))
        .isEqualTo(new DeliveryResult.RetryLater("429: slow", Duration.ofSeconds(7)));
  }

  @Test
  void tooManyRequestsOfTelegram_isRetriedAfterTheBodysTime() {
    assertThat(answered(429, "{\"parameters\":{\"retry_after\":3}}", response -> {}))
        .extracting(result -> ((DeliveryResult.RetryLater) result).after())
        .isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void tooManyRequestsOfDiscord_isRetriedAfterAFractionOfASecond() {
    assertThat(answered(429, "{\"retry_after\":0.65}", response -> {}))
        .extracting(result -> ((DeliveryResult.RetryLater) result).after())
        .isEqualTo(Duration.ofMillis(650));
  }

  @Test
  void serverError_isRetried() {
    assertThat(answered(503, "", response -> {})).isEqualTo(new DeliveryResult.RetryLater("503", null));
  }

  @Test
  void redirect_isNotFollowed() {
    assertThat(answered(302, "", response -> response.header("Location", "http://127.0.0.1:1/")))
        .isEqualTo(new DeliveryResult.RetryLater("302", null));
  }

  static Stream<Arguments> formatsAndStatuses() {
    return FORMATS.stream().flatMap(format -> IntStream.concat(IntStream.range(200, 452), IntStream.range(500, 512))
        .filter(status -> status < 210 || (status >= 300 && status < 309) || status >= 400)
        .mapToObj(status -> Arguments.of(format, status)));
  }

  /** An answer of a gateway, or of a receiver under maintenance, says nothing about the notification. */
  @ParameterizedTest
  @MethodSource("formatsAndStatuses")
  void answer_isDeliveredOrPassing_unlessItMayRejectTheRequest(NotificationFormat format, int status) {
    var passing = Set.of(402, 404, 405, 407, 408, 413, 421, 423, 425, 429, 451);
    var expected = status < 300
        ? DeliveryResult.Delivered.class
        : status < 400 || status >= 500 || passing.contains(status)
            ? DeliveryResult.RetryLater.class
            : DeliveryResult.RejectedByReceiver.class;

    assertThat(answered(format, status)).isInstanceOf(expected);
  }

  private static final List<NotificationFormat> FORMATS = List.of(
      new PlainFormat(List.of(), NotificationLinks.NONE),
      new TelegramFormat("1", null, NotificationLinks.NONE),
      new DiscordFormat(NotificationLinks.NONE),
      new SlackFormat(NotificationLinks.NONE),
      new PagerDutyFormat(new Secret("R0"), NotificationLinks.NONE),
      new AlertmanagerFormat(NotificationLinks.NONE),
      new TemplateFormat("text/plain", "{{text}}", NotificationLinks.NONE));

  private DeliveryResult answered(NotificationFormat format, int status) {
    server = HttpServer.create().host("127.0.0.1").port(0)
        .handle((request, response) -> request.receive().aggregate().then(response.status(status).send()))
        .bindNow();
    return send(format, "http://127.0.0.1:" + server.port() + "/" + SECRET, true);
  }

  /** The body that Telegram answers when a group became a supergroup. */
  @Test
  void movedChat_isFollowed_andItsNewIdIsUsedFromThenOn() {
    List<String> bodies = new CopyOnWriteArrayList<>();
    server = HttpServer.create().host("127.0.0.1").port(0)
        .handle((request, response) -> request.receive().aggregate().asString().flatMap(body -> {
          bodies.add(NotificationJson.read(body).path("chat_id").asText());
          return bodies.getLast().equals("-1001234")
              ? response.status(200).send().then()
              : response.status(400).sendString(Mono.just("""
                  {"ok":false,"error_code":400,
                   "description":"Bad Request: group chat was upgraded to a supergroup chat",
                   "parameters":{"migrate_to_chat_id":-1001234}}""")).then();
        }))
        .bindNow();
    var receiver =
        receiver(new TelegramFormat("-99", null, NotificationLinks.NONE), "http://127.0.0.1:" + server.port(), true);

    try (var client = new WebhookClient(receiver, Traces.OFF)) {
      var alert = new Notification.SingleAlert(priceMoved("1"), null);
      assertThat(client.send(alert, NOON)).isEqualTo(new DeliveryResult.Delivered());
      assertThat(client.send(alert, NOON)).isEqualTo(new DeliveryResult.Delivered());
    }
    assertThat(bodies).containsExactly("-99", "-1001234", "-1001234");
  }

  @Test
  void alertOfATrace_isSentInASpanThatTheHeaderNames() {
    var alert = TraceParent.ofPoll("main", "/global", NOON, 1).child("alert");
    var traces = new RecordedTraces();
    List<String> headers = new CopyOnWriteArrayList<>();
    server = HttpServer.create().host("127.0.0.1").port(0)
        .handle((request, response) -> {
          headers.add(String.valueOf(request.requestHeaders().get("traceparent")));
          return request.receive().aggregate().then(response.status(503).send());
        })
        .bindNow();
    var receiver = receiver(FORMATS.getFirst(), "http://127.0.0.1:" + server.port() + "/" + SECRET, true);

    try (var client = new WebhookClient(receiver, traces)) {
      client.send(new Notification.SingleAlert(priceMoved("1"), alert), NOON);
      client.send(new Notification.SingleAlert(priceMoved("1"), alert), NOON);
      client.send(new Notification.SingleAlert(priceMoved("1"), null), NOON);
    }

    assertThat(traces.spans).hasSize(2).allSatisfy(span -> {
      assertThat(span.name()).isEqualTo("notify r");
      assertThat(span.parent()).isEqualTo(alert);
      assertThat(span.request()).isTrue();
      assertThat(span.attributes().toString()).contains("http.response.status_code=503", "error.type=503")
          .doesNotContain(SECRET);
    });
    assertThat(headers)
        .containsExactly(traces.spans.get(0).span().text(), traces.spans.get(1).span().text(), "null")
        .doesNotHaveDuplicates();
  }

  @Test
  void rejection_hasABoundedReason() {
    var result = (DeliveryResult.RejectedByReceiver) answered(400, "bad\nchat " + "x".repeat(100_000), response -> {});

    assertThat(result.reason()).startsWith("400: bad chat xxx").hasSizeLessThan(220);
  }

  @ParameterizedTest
  @CsvSource({"tidemark:s3cr3t%40%2B, tidemark:s3cr3t@+", "s3cr3t, s3cr3t:"})
  void loginInTheUrl_isSentInAHeaderOnly(String login, String sent) {
    List<String> requests = new CopyOnWriteArrayList<>();
    server = HttpServer.create().host("127.0.0.1").port(0)
        .handle((request, response) -> request.receive().aggregate().asString().then(Mono.defer(() -> {
          var headers = request.requestHeaders();
          requests.addAll(List.of(request.uri(), headers.get("host"), headers.get("authorization", "none")));
          return response.status(401).sendString(Mono.just("who is " + headers.get("authorization", "") + "?")).then();
        })))
        .bindNow();
    var authorization = "Basic " + Base64.getEncoder().encodeToString(sent.getBytes(UTF_8));

    assertThat(send("http://" + login + "@127.0.0.1:" + server.port() + "/in", true).reason())
        .isEqualTo("401: who is Basic ...?");
    assertThat(requests).containsExactly("/in", "127.0.0.1:" + server.port(), authorization);
  }

  /** As web frameworks answer if nothing is at an address. */
  @Test
  void addressThatTheAnswerRepeats_isMasked() {
    for (var body : List.of("Cannot POST /" + SECRET, "{\"path\":\"\\/" + SECRET + "\"}")) {
      assertThat(answered(404, body, response -> {}).reason()).startsWith("404: ").contains("...")
          .doesNotContain(SECRET);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/in?token=s3cr3t-of-mine&v=1, s3cr3t-of-mine",
    "/in?token=s3cr3t%2Fof+mine, s3cr3t/of+mine",
    "/in/s3cr3t%20of%20mine, s3cr3t%20of%20mine",
    "/in/s3cr3t%20of%20mine, s3cr3t of mine",
    "/bot1234567:s3cr3t-of-mine/sendMessage, 1234567:s3cr3t-of-mine",
    "/bot1234567:s3cr3t-of-mine/sendMessage, s3cr3t-of-mine",
  })
  void partOfTheAddressThatTheAnswerRepeats_isMasked(String pathAndQuery, String repeated) {
    server = HttpServer.create().host("127.0.0.1").port(0)
        .handle((request, response) -> request.receive().aggregate().then(
            response.status(404).sendString(Mono.just("nothing at " + repeated + "!")).then()))
        .bindNow();

    assertThat(send("http://127.0.0.1:" + server.port() + pathAndQuery, true).reason())
        .isEqualTo("404: nothing at ...!");
  }

  @Test
  void answerWithoutEnd_isAbandoned_andKeepsNoLaterNotification() {
    var requests = new AtomicInteger();
    server = HttpServer.create().host("127.0.0.1").port(0)
        .handle((request, response) -> request.receive().aggregate().asString().then(Mono.defer(
            () -> requests.incrementAndGet() == 1
                ? response.sendString(Flux.interval(Duration.ofMillis(100)).map(each -> "x")).then()
                : response.status(204).send().then())))
        .bindNow();
    var receiver = receiver(FORMATS.getFirst(), "http://127.0.0.1:" + server.port() + "/" + SECRET, true);

    try (var client = new WebhookClient(receiver, Traces.OFF, Duration.ofSeconds(2))) {
      var alert = new Notification.SingleAlert(priceMoved("1"), null);
      assertThat(client.send(alert, NOON)).isEqualTo(new DeliveryResult.RetryLater(
          "http://127.0.0.1:" + server.port() + " gives no complete answer within 2 s", null));
      assertThat(client.send(alert, NOON)).isEqualTo(new DeliveryResult.Delivered());
    }
    assertThat(requests).hasValue(2);
  }

  @Test
  void unreachableReceiver_isRetriedWithoutPrintingTheUrl() {
    var result = (DeliveryResult.RetryLater) send("http://127.0.0.1:1/" + SECRET, true);

    assertThat(result.reason()).contains("http://127.0.0.1:1").doesNotContain(SECRET);
  }

  @Test
  void privateAddress_isNotSentToUnlessAllowed_butItMayChange() {
    assertThat(send("http://127.0.0.1:1/", false)).isInstanceOfSatisfying(
        DeliveryResult.RetryLater.class,
        later -> assertThat(later.reason()).contains("private-addresses: true"));
    assertThat(send("http://localhost:1/", false)).isInstanceOf(DeliveryResult.RetryLater.class);
  }
}
