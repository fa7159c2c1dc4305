package io.tidemark.notify;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.timeout.ReadTimeoutException;
import io.tidemark.event.SafeText;
import io.tidemark.kafka.RecordHeader;
import io.tidemark.kafka.TraceParent;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.Traces.FinishedSpan;
import io.tidemark.notify.NotificationFormat.WebhookRequest;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.ByteBufMono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;

/**
 * A client that sends notifications over HTTP, one at a time. It follows no redirects. The client puts at most the
 * scheme, host and port of the URL into the text of a failure, because the rest is a secret.
 */
final class WebhookClient implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WebhookClient.class);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(15);
  private static final Duration TOTAL_TIMEOUT = Duration.ofSeconds(20);
  /** Shorter than the time after which a NAT or load balancer drops an idle connection without a sign. */
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(15);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(15);

  /**
   * HTTP statuses 4xx after which a request is retried, because they do not mean that the request is wrong. They come
   * from gateways, or from servers that are busy or in maintenance.
   */
  private static final Set<Integer> PASSING = Set.of(402, 404, 405, 407, 408, 413, 421, 423, 425, 429, 451);

  private static final Pattern CHAT = Pattern.compile("-?[0-9]{1,20}");
  private static final int LONGEST_REASON = 200;
  private static final int LONGEST_BODY = 4096;

  /** Minimum length of a part of the address that is masked in answers. Shorter ones occur in texts. */
  private static final int SHORTEST_SECRET_PART = 6;

  /** Minimum length of a segment of the path that is masked in answers. */
  private static final int SHORTEST_SECRET_SEGMENT = 12;

  private final Receiver receiver;
  private final Traces traces;
  private final Duration totalTimeout;
  private final ConnectionProvider connections;
  private final HttpClient http;

  /** Parts of the receiver's address that may be secret, longest first. */
  private final List<String> secretParts;

  /** The login in the receiver's address, encoded for HTTP Basic authentication; null if there is none. */
  private final @Nullable String credentials;

  private NotificationFormat format;

  sealed interface DeliveryResult {

    /** Returns the reason for the failure, or null if the notification was delivered. */
    default @Nullable String reason() {
      return null;
    }

    record Delivered() implements DeliveryResult {}

    /**
     * The delivery failed, but may succeed later: the receiver or the network has a problem.
     *
     * @param after the pause that the receiver asks for; null if it asks for none
     */
    record RetryLater(String reason, @Nullable Duration after) implements DeliveryResult {}

    /** The receiver does not accept this notification, or accepts no notification for now. */
    record RejectedByReceiver(String reason) implements DeliveryResult {}
  }

  private record ReceiverReply(int status, @Nullable String retryAfter, String body) {}

  /** @param traces receive the span of each request */
  WebhookClient(Receiver receiver, Traces traces) {
    this(receiver, traces, TOTAL_TIMEOUT);
  }

  /** @param totalTimeout limit of a request, from the wait for the connection to the end of the answer */
  WebhookClient(Receiver receiver, Traces traces, Duration totalTimeout) {
    this.receiver = receiver;
    this.traces = traces;
    this.totalTimeout = totalTimeout;
    this.format = receiver.format();
    this.secretParts = secretParts(receiver.url());
    this.credentials = credentials(receiver.url());
    this.connections = ConnectionProvider.builder("receiver-" + receiver.name())
        .maxConnections(1)
        .maxIdleTime(IDLE_TIMEOUT)
        .build();
    this.http = HttpClient.create(connections)
        .resolver(new ReceiverAddressResolver(receiver.privateAddresses()))
        .followRedirect(false)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_TIMEOUT.toMillis())
        .responseTimeout(RESPONSE_TIMEOUT);
  }

  /**
   * Sends a notification. If Telegram answers that the chat has moved, sends this and all later notifications to the
   * new id of the chat. Blocks until the receiver has answered, for a bounded time.
   */
  DeliveryResult send(Notification notification, Instant now) {
    try {
      var answer = exchange(format.request(notification, now), notification.trace());
      var moved = moved(answer);
      if (moved != null) {
        LOG.warn("{}: the chat has the new id {}, and notifications are now sent to this id. Set the receiver's 'chat'"
            + " to this id", receiver, moved.chat());
        format = moved;
        answer = exchange(format.request(notification, now), notification.trace());
      }
      return result(answer);
    } catch (ExecutionException e) {
      return failed(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new DeliveryResult.RetryLater("the delivery was interrupted", null);
    }
  }

  @Override
  public void close() {
    connections.dispose();
  }

  /** Returns the format for the new id of a chat, or null if the response does not say that the chat has moved. */
  private @Nullable TelegramFormat moved(ReceiverReply answer) {
    var chat = NotificationJson.read(answer.body()).path("parameters").path("migrate_to_chat_id").asText();
    return answer.status() == 400 && format instanceof TelegramFormat telegram && CHAT.matcher(chat).matches()
        ? new TelegramFormat(chat, telegram.thread(), telegram.links())
        : null;
  }

  /** @param alert the span of the alert, of which the request becomes a child; null if there is none */
  private ReceiverReply exchange(WebhookRequest request, @Nullable TraceParent alert)
      throws ExecutionException, InterruptedException {
    var begun = Instant.now();
    var span = alert == null ? null : alert.child("notify " + receiver.name() + " " + begun);
    ReceiverReply reply = null;
    try {
      reply = http
          .headers(headers -> {
            headers.set("content-type", request.contentType()).set("user-agent", "tidemark");
            if (credentials != null) {
              headers.set("authorization", "Basic " + credentials);
            }
            request.headers().forEach(headers::set);
            if (span != null) {
              headers.set(RecordHeader.TRACEPARENT.wire(), span.text());
            }
          })
          .post()
          .uri(receiver.url())
          .send(ByteBufMono.fromString(Mono.just(request.body())))
          .response((response, body) -> beginning(body).map(text -> answer(response, text)))
          .next()
          .timeout(totalTimeout) // cancels the request, so that the only connection is free again
          .toFuture()
          .get();
      return reply;
    } finally {
      if (span != null) {
        traces.ended(new FinishedSpan(span, alert, "notify " + receiver.name(), true, begun, Instant.now(),
            attributes(reply)));
      }
    }
  }

  private Map<String, Object> attributes(@Nullable ReceiverReply reply) {
    var attributes = new HashMap<String, Object>(
        Map.of("http.request.method", "POST", "server.address", receiver.url().getHost()));
    if (reply != null) {
      attributes.put("http.response.status_code", (long) reply.status());
    }
    if (reply == null || reply.status() >= 300) {
      attributes.put("error.type", reply == null ? "_OTHER" : Integer.toString(reply.status()));
    }
    return attributes;
  }

  /** Reads the beginning of a response's body, which may explain a failure. */
  private static Mono<String> beginning(ByteBufFlux body) {
    return body.asString()
        .scan("", String::concat)
        .takeUntil(text -> text.length() >= LONGEST_BODY)
        .last("");
  }

  private static ReceiverReply answer(HttpClientResponse response, String body) {
    return new ReceiverReply(response.status().code(), response.responseHeaders().get("retry-after"), body);
  }

  private DeliveryResult result(ReceiverReply answer) {
    var status = answer.status();
    var body = answer.body();
    var reason = status + (body.isBlank() ? "" : ": " + SafeText.singleLine(withAddressMasked(body), LONGEST_REASON));
    if (status >= 200 && status < 300) {
      return new DeliveryResult.Delivered();
    }
    return status >= 400 && status < 500 && !PASSING.contains(status)
        ? new DeliveryResult.RejectedByReceiver(reason)
        : new DeliveryResult.RetryLater(reason, pause(answer.retryAfter(), body));
  }

  /**
   * Returns a response's body with the secret parts of the receiver's address masked. Some servers repeat the address,
   * as in {@code Cannot POST /in/<secret>}.
   */
  private String withAddressMasked(String body) {
    var masked = body;
    for (var part : secretParts) {
      masked = masked.replace(part, "...");
    }
    return masked;
  }

  private static @Nullable String credentials(URI url) {
    var login = url.getUserInfo();
    return login == null ? null
        : Base64.getEncoder().encodeToString((login.contains(":") ? login : login + ":").getBytes(UTF_8));
  }

  /**
   * Returns the path, the query and the user with their parts: the long segments of the path (also without a leading
   * {@code bot}, as Telegram writes before its token), the values of the query, the password, and the encoded
   * credentials. Each is returned raw and decoded, and those with a slash also as JSON text that escapes slashes.
   */
  private static List<String> secretParts(URI url) {
    var whole = Stream.of(url.getRawPath(), url.getRawQuery(), url.getRawUserInfo(), credentials(url))
        .filter(Objects::nonNull);
    var query = Objects.requireNonNullElse(url.getRawQuery(), "");
    var values = Stream.concat(Stream.of(query.split("&")).map(each -> each.substring(each.indexOf('=') + 1)),
        Stream.ofNullable(url.getRawUserInfo()).map(each -> each.substring(each.indexOf(':') + 1)));
    var segments = Stream.of(url.getRawPath().split("/"))
        .flatMap(part -> Stream.concat(Stream.of(part, part.replaceFirst("^bot", "")), Stream.of(part.split(":"))))
        .filter(part -> part.length() >= SHORTEST_SECRET_SEGMENT);
    return Stream.concat(whole, Stream.concat(values, segments))
        .flatMap(part -> Stream.of(part, URLDecoder.decode(part.replace("+", "%2B"), UTF_8)))
        .flatMap(part -> Stream.of(part, part.replace("/", "\\/")))
        .filter(part -> part.length() >= SHORTEST_SECRET_PART)
        .distinct()
        .sorted(Comparator.comparingInt(String::length).reversed())
        .toList();
  }

  /**
   * Returns the pause that a response asks for, or null if it asks for none. The response has the pause in the header
   * {@code Retry-After}, in seconds, or in the body, in the fields of Discord and Telegram. A date in the header is
   * ignored. The result is at most {@link #LONGEST_PAUSE}.
   */
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
      return new DeliveryResult.RetryLater(String.valueOf(failure.getMessage()), null);
    }
    var url = receiver.url(); // all but the scheme, host and port may be secret
    var host = url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
    return new DeliveryResult.RetryLater(host + " " + describe(failure), null);
  }

  /** Describes a failure without the library's message, which may contain the URL. */
  private String describe(Throwable failure) {
    return switch (failure) {
      case ConnectTimeoutException unreachable -> "accepts no connection within " + CONNECT_TIMEOUT.toSeconds() + " s";
      case ConnectException refused -> "refuses the connection";
      case UnknownHostException unknown -> "is an unknown host";
      case ReadTimeoutException silent -> "does not answer within " + RESPONSE_TIMEOUT.toSeconds() + " s";
      case TimeoutException slow -> "gives no complete answer within " + totalTimeout.toSeconds() + " s";
      case NotSslRecordException plain -> "does not speak TLS; use http:// if it is not encrypted";
      case SSLException untrusted -> "has a certificate that is not trusted";
      default -> "fails with " + failure.getClass().getSimpleName();
    };
  }
}
