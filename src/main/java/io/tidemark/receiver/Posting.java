package io.tidemark.receiver;

import io.netty.channel.ChannelOption;
import io.netty.handler.timeout.ReadTimeoutException;
import io.tidemark.event.Harmless;
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
final class Posting implements AutoCloseable {

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(15);
  private static final Duration WHOLE = Duration.ofSeconds(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(15);
  private static final int LONGEST_WORD = 200;
  private static final int LONGEST_BODY = 4096;

  private final Receiver receiver;
  private final ConnectionProvider connections;
  private final HttpClient http;

  Posting(Receiver receiver) {
    this.receiver = receiver;
    this.connections = ConnectionProvider.create("receiver-" + receiver.name(), 1);
    this.http = HttpClient.create(connections)
        .resolver(new Addresses(receiver.privateAddresses()))
        .followRedirect(false)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT.toMillis())
        .responseTimeout(ANSWER);
  }

  /** Blocks until the receiver has answered, for a bounded time. */
  Reply send(Post post) {
    try {
      return exchange(post).toFuture().get(WHOLE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      return failed(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      return new Reply.Later("no whole answer within " + WHOLE.toSeconds() + " s", null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply.Later("interrupted", null);
    }
  }

  @Override
  public void close() {
    connections.dispose();
  }

  private Mono<Reply> exchange(Post post) {
    return http.headers(headers -> {
      headers.set("content-type", post.contentType()).set("user-agent", "tidemark");
      post.headers().forEach(headers::set);
    })
        .post()
        .uri(receiver.url())
        .send(ByteBufMono.fromString(Mono.just(post.body())))
        .response((response, body) -> beginning(body).map(text -> reply(response, text)))
        .next();
  }

  /** Some of what was answered: enough to say what is wrong. */
  private static Mono<String> beginning(ByteBufFlux body) {
    return body.asString()
        .scan("", String::concat)
        .takeUntil(text -> text.length() >= LONGEST_BODY)
        .last("");
  }

  private static Reply reply(HttpClientResponse response, String body) {
    var status = response.status().code();
    var said = status + (body.isBlank() ? "" : ": " + Harmless.line(body, LONGEST_WORD));
    if (status >= 200 && status < 300) {
      return new Reply.Delivered();
    }
    return status == 429 || status == 408 || status >= 500
        ? new Reply.Later(said, pause(response.responseHeaders().get("retry-after"), body))
        : new Reply.Refused(said);
  }

  /** Retry-After in seconds, or what Discord and Telegram say in their bodies. */
  private static @Nullable Duration pause(@Nullable String header, String body) {
    var json = Json.read(body);
    var inBody = json.path("retry_after").asDouble(json.path("parameters").path("retry_after").asDouble(-1));
    var seconds = header != null && header.matches("\\d{1,9}(\\.\\d+)?") ? Double.parseDouble(header) : inBody;
    if (seconds < 0) {
      return null;
    }
    var pause = Duration.ofMillis((long) Math.ceil(seconds * 1000));
    return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
  }

  private Reply failed(Throwable failure) {
    if (failure instanceof Addresses.Refused) {
      return new Reply.Refused(String.valueOf(failure.getMessage()));
    }
    return new Reply.Later(Receiver.host(receiver.url()) + " " + word(failure), null);
  }

  /** Of our own choice: messages of libraries may hold the address. */
  private static String word(Throwable failure) {
    return switch (failure) {
      case ConnectException refused -> "cannot be connected to";
      case UnknownHostException unknown -> "is no host that is known";
      case ReadTimeoutException silent -> "does not answer within " + ANSWER.toSeconds() + " s";
      case SSLException untrusted -> "is not trusted: its certificate does not stand up to the check";
      default -> "fails: " + failure.getClass().getSimpleName();
    };
  }
}
