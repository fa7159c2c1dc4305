package io.tidemark.http.client;

import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.timeout.ReadTimeoutException;
import io.tidemark.event.Sha256;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.HttpDates;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/**
 * A client that sends single HTTP requests over pooled connections, with limits on time and size. It neither retries
 * nor follows redirects.
 */
final class BoundedHttpClient implements AutoCloseable {
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(15);
  private static final int MAX_HEADER_BYTES = 64 * 1024;

  private final HttpClientSettings settings;
  private final ConnectionProvider connections;

  /** A separate event loop, so that requests to Tidemark's own HTTP servers do not delay a poll. */
  private final LoopResources loops = LoopResources.create("market-client", 1, true);
  private final HttpClient client;

  BoundedHttpClient(HttpClientSettings settings) {
    var limits = settings.limits();
    this.settings = settings;
    this.connections = ConnectionProvider.builder("tidemark-http")
        .metrics(true)
        .maxConnections(HttpClientSettings.MAX_CONNECTIONS)
        .pendingAcquireTimeout(limits.total())
        .maxIdleTime(IDLE_TIMEOUT)
        .build();
    this.client = HttpClient.create(connections)
        .proxyWithSystemProperties() // before runOn, which otherwise sets a resolver: a proxy looks up names itself
        .runOn(loops)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(limits.connect().toMillis()))
        .responseTimeout(limits.response())
        .httpResponseDecoder(spec -> spec.maxHeaderSize(MAX_HEADER_BYTES))
        .disableRetry(true)
        .metrics(true, path -> "market")
        .headers(headers -> headers
            .set("User-Agent", "tidemark")
            .set("Accept", "application/json")
            .set("Accept-Encoding", "gzip"));
  }

  /**
   * Sends a GET request. A response with an error status is not a failure, and has the body as received if this is too
   * large or cannot be decompressed. Fails with {@link Failure.Unreadable} if the body of a response with status 200 is
   * so, and with {@link Failure.Unreachable} if the request fails in any other way.
   */
  Mono<ReceivedResponse> get(URI uri, @Nullable ApiKey key) {
    return Mono.defer(() -> send(uri, key))
        .timeout(settings.limits().total())
        .onErrorMap(e -> !(e instanceof Failure), e -> new Failure.Unreachable(uri.getHost() + ": " + reason(e), e));
  }

  @Override
  public void close() {
    connections.dispose();
    loops.dispose();
  }

  private Mono<ReceivedResponse> send(URI uri, @Nullable ApiKey key) {
    return (key == null ? client : client.headers(headers -> headers.set(settings.keyHeader(), key.value())))
        .get().uri(uri).response((response, content) -> new Exchange(response, key).receive(content)).single();
  }

  /** A response that is being received. */
  private final class Exchange {

    private final HttpClientResponse response;
    private final @Nullable ApiKey key;

    Exchange(HttpClientResponse response, @Nullable ApiKey key) {
      this.response = response;
      this.key = key;
    }

    Mono<ReceivedResponse> receive(ByteBufFlux content) {
      return content.asByteArray()
          .collect(ByteArrayOutputStream::new, this::append)
          .map(bytes -> decompress(bytes.toByteArray()))
          .onErrorResume(Failure.Unreadable.class,
              failure -> failure.status() == 200 ? Mono.error(failure) : Mono.just(received(failure.raw())));
    }

    private void append(ByteArrayOutputStream bytes, byte[] chunk) {
      if (bytes.size() + chunk.length > settings.limits().maxBodyBytes()) {
        throw tooLarge(bytes.toByteArray());
      }
      bytes.writeBytes(chunk);
    }

    private ReceivedResponse decompress(byte[] body) {
      var encoding = response.responseHeaders().get("content-encoding", "").strip();
      if (body.length == 0 || encoding.isEmpty() || encoding.equalsIgnoreCase("identity")) {
        return received(body);
      }
      if (!encoding.equalsIgnoreCase("gzip") && !encoding.equalsIgnoreCase("x-gzip")) {
        throw received(body).unreadable(
            "the body is encoded as '" + encoding + "', but the request accepts only gzip");
      }
      try (var gzip = new GZIPInputStream(new ByteArrayInputStream(body))) {
        var inflated = gzip.readNBytes(settings.limits().maxBodyBytes());
        if (gzip.read() >= 0) {
          throw tooLarge(body);
        }
        return received(inflated);
      } catch (IOException e) {
        throw received(body).unreadable("the body cannot be decompressed with gzip: " + e.getMessage());
      }
    }

    private Failure.Unreadable tooLarge(byte[] start) {
      return received(start).unreadable("the body is larger than " + settings.limits().maxBodyBytes() + " bytes");
    }

    private ReceivedResponse received(byte[] body) {
      return new ReceivedResponse(response.status().code(), response.responseHeaders(), body, key);
    }
  }

  private String reason(Throwable e) {
    return switch (e) {
      case ReadTimeoutException silent -> "received no byte for " + settings.limits().response().toMillis() + " ms";
      case TimeoutException late -> "no complete response within " + settings.limits().total().toMillis() + " ms";
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }

  /**
   * A response with a decompressed body. The body of an error that cannot be decompressed is as received.
   *
   * @param key API key of the request, which is masked in raw bodies and in failures; null if the request had no key
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record ReceivedResponse(int status, HttpHeaders headers, byte[] body, @Nullable ApiKey key) {
    private static final List<String> DIAGNOSTIC_HEADERS = List.of("content-type", "content-length",
        "content-encoding", "date", "age", "cache-control", "etag", "cf-cache-status", "cf-ray", "x-request-id",
        "server", "retry-after");
    private static final int MAX_QUOTED = 300;

    /** Returns the response as the answer to a query. The body is decoded when it is first read. */
    <A> Answer<A> answer(Query<A> query, Instant sentAt, Instant receivedAt) {
      return new Answer<>(query, new LazyBody<>(this, query), Sha256.hex(body), sentAt, receivedAt, asOf(),
          maxAge(),
          headers.get("x-request-id"), headers.contains("age") ? HttpDates.seconds(headers.get("age")) : null);
    }

    boolean isEmpty() {
      return quote().isBlank();
    }

    /** Returns the target of a redirect, or null if this response is not a redirect or has no valid target. */
    @Nullable
    URI redirect(URI from) {
      var location = headers.get("location");
      try {
        return status / 100 == 3 && location != null ? from.resolve(location) : null;
      } catch (IllegalArgumentException e) {
        return null;
      }
    }

    /**
     * Returns whether the response is a web page. A CDN, a firewall, a gateway or a wrong address may send one in
     * place of an answer.
     */
    boolean isHtml() {
      return quote().startsWith("<") || headers.get("content-type", "").contains("text/html");
    }

    /** Returns the beginning of the body on one line, for messages. The key is not masked. */
    String quote() {
      var start = new String(body, 0, Math.min(body.length, MAX_QUOTED), StandardCharsets.UTF_8);
      return start.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    }

    /** Returns the service's time in the header Date, or null if the header is missing or unreadable. */
    @Nullable
    Instant date() {
      return HttpDates.parse(headers.get("date"));
    }

    /**
     * Returns the time at which the content was current, which is Date - Age, or null if one of these headers is
     * unusable. Caches must send Age, so a missing Age means 0.
     */
    private @Nullable Instant asOf() {
      var date = date();
      var age = HttpDates.seconds(headers.get("age", "0"));
      return date == null || age == null ? null : date.minus(age);
    }

    /**
     * Returns the {@code max-age} in the header Cache-Control, or null if it is missing or not a number of seconds.
     * Other directives are ignored.
     */
    private @Nullable Duration maxAge() {
      for (var directive : headers.get("cache-control", "").split(",", 0)) {
        if (directive.strip().startsWith("max-age=")) {
          return HttpDates.seconds(directive.strip().substring("max-age=".length()));
        }
      }
      return null;
    }

    /** Returns the body with the key masked. A key so short that other text may contain it is not masked. */
    private byte[] decodableBody() {
      return key == null || !key.isLongEnoughToMask() ? body : key.redacted(body);
    }

    private byte[] redactedBody() {
      return key == null ? body : key.redacted(body);
    }

    /**
     * Returns a failure that contains the status, the body and some headers of the response. The key is masked, in
     * case the response repeats it.
     */
    Failure.Unreadable unreadable(String message) {
      var diagnostic = new LinkedHashMap<String, String>();
      DIAGNOSTIC_HEADERS.stream().filter(headers::contains)
          .forEach(name -> diagnostic.put(name, headers.get(name, "")));
      return key == null
          ? new Failure.Unreadable(message, body, status, diagnostic)
          : new Failure.Unreadable(key.redacted(message), key.redacted(body), status, key.redacted(diagnostic));
    }
  }

  /** The body of a response, which is decoded when it is first read. */
  private static final class LazyBody<A> implements Body<A> {
    private final ReceivedResponse response;
    private final Query<A> query;
    private @Nullable A decoded;

    LazyBody(ReceivedResponse response, Query<A> query) {
      this.response = response;
      this.query = query;
    }

    @Override
    public synchronized A read() {
      try {
        if (decoded == null) {
          decoded =
              Endpoints.<A, Query<A>>of(query).decode(query, response.decodableBody(), response.status(), Map.of());
        }
        return decoded;
      } catch (Failure.Unreadable e) {
        throw response.unreadable(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public byte[] raw() {
      return response.redactedBody();
    }
  }
}
