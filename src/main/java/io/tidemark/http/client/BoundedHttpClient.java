package io.tidemark.http.client;

import io.netty.channel.ChannelOption;
import io.netty.handler.timeout.ReadTimeoutException;
import io.tidemark.market.Failure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;

/** Single HTTP requests: pooled, limited in time, bounded in size. Nothing is repeated and no redirect is followed. */
final class BoundedHttpClient implements AutoCloseable {
  private static final Duration IDLE = Duration.ofSeconds(15);
  private static final int HEADER_BYTES = 64 * 1024;

  private final HttpClientSettings settings;
  private final ConnectionProvider connections;
  private final HttpClient client;

  BoundedHttpClient(HttpClientSettings settings) {
    this.settings = settings;
    this.connections = ConnectionProvider.builder("tidemark-http")
        .metrics(true)
        .maxConnections(settings.maxConnections())
        .pendingAcquireTimeout(settings.totalTimeout())
        .maxIdleTime(IDLE)
        .build();
    this.client = HttpClient.create(connections)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(settings.connectTimeout().toMillis()))
        .responseTimeout(settings.responseTimeout())
        .httpResponseDecoder(spec -> spec.maxHeaderSize(HEADER_BYTES))
        .disableRetry(true)
        .metrics(true, path -> "market")
        .headers(headers -> headers
            .set("User-Agent", settings.userAgent())
            .set("Accept", "application/json")
            .set("Accept-Encoding", "gzip"));
  }

  /** Fails with {@link Failure.Unreachable}, or with {@link Failure.Unreadable} where the body breaks its bounds. */
  Mono<ReceivedResponse> get(URI uri) {
    return keyed()
        .get()
        .uri(uri)
        .response(this::received)
        .single()
        .timeout(settings.totalTimeout())
        .onErrorMap(e -> !(e instanceof Failure), e -> new Failure.Unreachable(uri.getHost() + ": " + reason(e), e));
  }

  @Override
  public void close() {
    connections.dispose();
  }

  private HttpClient keyed() {
    var key = settings.key();
    return key == null ? client : client.headers(headers -> headers.set(settings.keyHeader(), key.value()));
  }

  private Mono<ReceivedResponse> received(HttpClientResponse response, ByteBufFlux content) {
    return content.asByteArray()
        .collect(ByteArrayOutputStream::new, (bytes, chunk) -> append(response, bytes, chunk))
        .map(bytes -> decompressed(response, bytes.toByteArray()));
  }

  private void append(HttpClientResponse response, ByteArrayOutputStream bytes, byte[] chunk) {
    if (bytes.size() + chunk.length > settings.maxBodyBytes()) {
      throw tooLarge(response, bytes.toByteArray());
    }
    bytes.writeBytes(chunk);
  }

  private ReceivedResponse decompressed(HttpClientResponse response, byte[] body) {
    var encoding = response.responseHeaders().get("content-encoding", "identity");
    if (body.length == 0 || encoding.equals("identity")) {
      return received(response, body);
    }
    if (!encoding.equalsIgnoreCase("gzip")) {
      throw received(response, body).unreadable("the body is encoded as '" + encoding + "', gzip was asked for");
    }
    return received(response, inflated(response, body));
  }

  private byte[] inflated(HttpClientResponse response, byte[] body) {
    try (var gzip = new GZIPInputStream(new ByteArrayInputStream(body))) {
      var inflated = gzip.readNBytes(settings.maxBodyBytes());
      if (gzip.read() >= 0) {
        throw tooLarge(response, body);
      }
      return inflated;
    } catch (IOException e) {
      throw received(response, body).unreadable("the body is broken gzip: " + e.getMessage());
    }
  }

  private Failure.Unreadable tooLarge(HttpClientResponse response, byte[] start) {
    return received(response, start).unreadable("the body is larger than " + settings.maxBodyBytes() + " bytes");
  }

  private ReceivedResponse received(HttpClientResponse response, byte[] body) {
    return new ReceivedResponse(response.status().code(), response.responseHeaders(), body, settings.key());
  }

  private String reason(Throwable e) {
    return switch (e) {
      case ReadTimeoutException silent -> "no byte came for " + settings.responseTimeout().toMillis() + " ms";
      case TimeoutException late -> "no whole answer within " + settings.totalTimeout().toMillis() + " ms";
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }
}
