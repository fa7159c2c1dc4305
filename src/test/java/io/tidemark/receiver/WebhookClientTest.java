package io.tidemark.receiver;

import static io.tidemark.receiver.Alerts.NOON;
import static io.tidemark.receiver.Alerts.priceMoved;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.receiver.WebhookClient.DeliveryResult;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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
    var receiver = new Receiver("r", new PlainFormat(List.of(), NotificationLinks.NONE), URI.create(url), Alerts.ALL,
        Alerts.LIMIT,
        Duration.ofMinutes(10), privateAddresses);
    try (var client = new WebhookClient(receiver)) {
      return client.send(receiver.format().request(new Notification.SingleAlert(priceMoved("1")), NOON));
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
        .isEqualTo(new DeliveryResult.RejectedByReceiver("302"));
  }

  @Test
  void rejection_hasABoundedReason() {
    var result = (DeliveryResult.RejectedByReceiver) answered(400, "bad\nchat " + "x".repeat(100_000), response -> {});

    assertThat(result.reason()).startsWith("400: bad chat xxx").hasSizeLessThan(220);
  }

  @Test
  void unreachableReceiver_isRetriedWithoutPrintingTheUrl() {
    var result = (DeliveryResult.RetryLater) send("http://127.0.0.1:1/" + SECRET, true);

    assertThat(result.reason()).contains("http://127.0.0.1:1").doesNotContain(SECRET);
  }

  @Test
  void privateAddress_isRejectedUnlessAllowed() {
    assertThat(send("http://127.0.0.1:1/", false)).isInstanceOfSatisfying(
        DeliveryResult.RejectedByReceiver.class,
        rejected -> assertThat(rejected.reason()).contains("private-addresses: true"));
    assertThat(send("http://localhost:1/", false)).isInstanceOf(DeliveryResult.RejectedByReceiver.class);
  }
}
