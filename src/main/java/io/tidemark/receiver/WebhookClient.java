package io.tidemark.receiver;

import io.netty.channel.ChannelOption;
import io.netty.handler.timeout.ReadTimeoutException;
import io.tidemark.event.SafeText;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.ByteBufMono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;

/** Messages over HTTP, one at a time. No redirect is followed; what is said of a failure never holds the address. */
final class WebhookClient implements AutoCloseable {

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(15);
  private static final Duration WHOLE = Duration.ofSeconds(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(15);
  private static final int LONGEST_WORD = 200;
  private static final int LONGEST_BODY = 4096;

  private final Receiver receiver;
  private final ConnectionProvider connections;
  private final HttpClient http;

  WebhookClient(Receiver receiver) {
    this.receiver = receiver;
    this.connections = ConnectionProvider.create("receiver-" + receiver.name(), 1);
    this.http = HttpClient.create(connections)
        .resolver(new ReceiverAddressResolver(receiver.privateAddresses()))
        .followRedirect(false)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT.toMillis())
        .responseTimeout(ANSWER);
  }

  /** Blocks until the receiver has answered, for a bounded time. */
  DeliveryResult send(WebhookRequest post) {
    try {
      return exchange(post).toFuture().get(WHOLE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      return failed(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      return new DeliveryResult.RetryLater("no whole answer within " + WHOLE.toSeconds() + " s", null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new DeliveryResult.RetryLater("interrupted", null);
    }
  }

  @Override
  public void close() {
    connections.dispose();
  }

  private Mono<DeliveryResult> exchange(WebhookRequest post) {
    return http.headers(headers -> {
      headers.set("content-type", post.contentType()).set("user-agent", "tidemark");
      post.headers().forEach(headers::set);
    })
        .post()
        .uri(receiver.url())
        .send(ByteBufMono.fromString(Mono.just(post.body())))
        .response((response, body) -> beginning(body).map(text -> result(response, text)))
        .next();
  }

  /** Some of what was answered: enough to say what is wrong. */
  private static Mono<String> beginning(ByteBufFlux body) {
    return body.asString()
        .scan("", String::concat)
        .takeUntil(text -> text.length() >= LONGEST_BODY)
        .last("");
  }

  private static DeliveryResult result(HttpClientResponse response, String body) {
    var status = response.status().code();
    var said = status + (body.isBlank() ? "" : ": " + SafeText.singleLine(body, LONGEST_WORD));
    if (status >= 200 && status < 300) {
      return new DeliveryResult.Delivered();
    }
    return status == 429 || status == 408 || status >= 500
        ? new DeliveryResult.RetryLater(said, pause(response.responseHeaders().get("retry-after"), body))
        : new DeliveryResult.RejectedByReceiver(said);
  }

  /** Retry-After in seconds, or what Discord and Telegram say in their bodies. */
  private static @Nullable Duration pause(@Nullable String header, String body) {
    var json = NotificationJson.read(body);
    var inBody = json.path("retry_after").asDouble(json.path("parameters").path("retry_after").asDouble(-1));
    var seconds = header != null && header.matches("\\d{1,9}(\\.\\d+)?") ? Double.parseDouble(header) : inBody;
    if (seconds < 0) {
      return null;
    }
    var pause = Duration.ofMillis((long) Math.ceil(seconds * 1000));
    return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
  }

  private DeliveryResult failed(Throwable failure) {
    if (failure instanceof ReceiverAddressResolver.PrivateAddressException) {
      return new DeliveryResult.RejectedByReceiver(String.valueOf(failure.getMessage()));
    }
    return new DeliveryResult.RetryLater(Receiver.host(receiver.url()) + " " + describe(failure), null);
  }

  /** Of our own choice: messages of libraries may hold the address. */
  private static String describe(Throwable failure) {
    return switch (failure) {
      case ConnectException refused -> "cannot be connected to";
      case UnknownHostException unknown -> "is no host that is known";
      case ReadTimeoutException silent -> "does not answer within " + ANSWER.toSeconds() + " s";
      case SSLException untrusted -> "is not trusted: its certificate does not stand up to the check";
      default -> "fails: " + failure.getClass().getSimpleName();
    };
  }
}
