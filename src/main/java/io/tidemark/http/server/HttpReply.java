package io.tidemark.http.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.tidemark.event.Sha256;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;

/**
 * The response to one request.
 *
 * @param id id of the body, sent as {@code x-request-id}; the same for all responses from one cached body
 * @param content the body; the array must not be modified later
 * @param headers additional headers, such as {@code Retry-After}
 * @param asOf when the content was current
 * @param maxAge how long the response may be cached; null if unspecified
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HttpReply(
    String id, int status, String contentType, byte[] content, Map<String, String> headers, Instant asOf,
    @Nullable Duration maxAge) {
  public static final String JSON = "application/json; charset=utf-8";
  private static final int TAG_DIGITS = 32;

  /** Matches gzip in {@code Accept-Encoding}, unless it has a weight of 0. */
  private static final Pattern GZIP = Pattern.compile("\\bgzip\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))");

  public HttpReply {
    headers = Map.copyOf(headers);
  }

  /** Creates an uncached response, whose content is current at the given time. */
  public static HttpReply of(int status, String type, byte[] body, Instant now) {
    return new HttpReply(UUID.randomUUID().toString(), status, type, body, Map.of(), now, null);
  }

  /** Returns the bytes of the body, read-only. */
  public ByteBuffer body() {
    return ByteBuffer.wrap(content).asReadOnlyBuffer();
  }

  /**
   * Sends a query to a market and converts the answer to a response. The responses to answers with the same digest
   * have the same id. If the market fails, the result fails with the same failure.
   */
  public static <A> Mono<HttpReply> of(MarketData market, Query<A> query, FieldNaming naming) {
    return query.askOf(market).map(answer -> {
      var body = Endpoints.<A, Query<A>>of(query).encode(query, answer.body().read(), naming);
      var id = UUID.nameUUIDFromBytes(answer.digest().getBytes(StandardCharsets.US_ASCII)).toString();
      var asOf = answer.asOf() == null ? answer.receivedAt() : answer.asOf();
      return new HttpReply(id, 200, JSON, body, Map.of(), asOf, answer.maxAge());
    });
  }

  /** Returns the weak entity tag of the body. The service's tags are weak too. The compressed body has the same tag. */
  String entityTag() {
    return "W/\"" + Sha256.hex(content).substring(0, TAG_DIGITS) + "\"";
  }

  /** Returns whether a client accepts gzip, which it does not if gzip has a weight of 0. */
  public static boolean acceptsGzip(HttpServerRequest request) {
    return GZIP.matcher(request.requestHeaders().get(HttpHeaderNames.ACCEPT_ENCODING, "")).find();
  }

  public static byte[] gzip(byte[] content) {
    var compressed = new ByteArrayOutputStream(content.length / 2);
    try (var gzip = new GZIPOutputStream(compressed)) {
      gzip.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compressed.toByteArray();
  }
}
