package io.tidemark.http.client;

import com.google.common.hash.Hashing;
import io.netty.handler.codec.http.HttpHeaders;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.HttpDates;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A response as it arrived, decompressed. */
final class ReceivedResponse {
  private static final List<String> DIAGNOSTIC_HEADERS = List.of("content-type", "content-length", "content-encoding",
      "date", "age", "cache-control", "etag", "cf-cache-status", "cf-ray", "x-request-id", "server", "retry-after");
  private static final int SHOWN = 300;

  private final int status;
  private final HttpHeaders headers;
  private final byte[] body;
  private final @Nullable ApiKey key;

  /** @param key the one that was sent, which does not leave with what cannot be read */
  ReceivedResponse(int status, HttpHeaders headers, byte[] body, @Nullable ApiKey key) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.key = key;
  }

  /** What was received, as the answer to a question. */
  <A> Answer<A> answer(Query<A> query, Instant sentAt, Instant receivedAt) {
    var body = new LazyBody<>(this.body, () -> decoded(query));
    return new Answer<>(query, body, digest(), sentAt, receivedAt, asOf(), maxAge(), header("x-request-id"));
  }

  private <A> A decoded(Query<A> query) {
    try {
      return Endpoints.<A, Query<A>>of(query).decode(query, body, status, Map.of());
    } catch (Failure.Unreadable e) {
      throw unreadable(String.valueOf(e.getMessage()));
    }
  }

  int status() {
    return status;
  }

  byte[] body() {
    return body;
  }

  @Nullable
  String header(String name) {
    return headers.get(name);
  }

  boolean isEmpty() {
    return start().isBlank();
  }

  /** Where a redirect leads; null where this is none, or leads nowhere. */
  @Nullable
  URI redirect(URI from) {
    var location = headers.get("location");
    try {
      return status / 100 == 3 && location != null ? from.resolve(location) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Whether this is a page for people: of a content network, a firewall, a gateway, a wrong address. */
  boolean isHtml() {
    return start().startsWith("<") || headers.get("content-type", "").contains("text/html");
  }

  /** The first words of the body on one line, for messages. */
  String start() {
    var start = new String(body, 0, Math.min(body.length, SHOWN), StandardCharsets.UTF_8);
    return start.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
  }

  /** The service's time when it answered; null where it does not say, or nothing usable. */
  @Nullable
  Instant date() {
    return HttpDates.parse(headers.get("date"));
  }

  /** When the content was true: Date - Age; null without a usable Date. Who caches must send Age, so absent is 0. */
  @Nullable
  Instant asOf() {
    var date = date();
    var age = HttpDates.seconds(headers.get("age", "0"));
    return date == null || age == null ? null : date.minus(age);
  }

  /** How long the answer may be kept; null where nothing is said. */
  @Nullable
  Duration maxAge() {
    for (var directive : headers.get("cache-control", "").split(",")) {
      if (directive.strip().startsWith("max-age=")) {
        return HttpDates.seconds(directive.strip().substring("max-age=".length()));
      }
    }
    return null;
  }

  /** SHA-256 of the body, hexadecimal. */
  String digest() {
    return Hashing.sha256().hashBytes(body).toString();
  }

  /** Headers that help to understand a body that cannot be read. */
  private Map<String, String> diagnosticHeaders() {
    var kept = new LinkedHashMap<String, String>();
    DIAGNOSTIC_HEADERS.stream().filter(headers::contains).forEach(name -> kept.put(name, headers.get(name, "")));
    return kept;
  }

  /** What cannot be read, whole; but a key that the service repeats is not kept. */
  Failure.Unreadable unreadable(String message) {
    return key == null
        ? new Failure.Unreadable(message, body, status, diagnosticHeaders())
        : new Failure.Unreadable(key.redacted(message), key.redacted(body), status, key.redacted(diagnosticHeaders()));
  }
}
