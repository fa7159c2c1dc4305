package io.tidemark.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.tidemark.market.Failure;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A response as it arrived, decompressed. */
final class Received {
  private static final List<String> WORTH_KEEPING = List.of("content-type", "content-length", "content-encoding",
      "date", "age", "cache-control", "etag", "cf-cache-status", "cf-ray", "x-request-id", "server", "retry-after");
  private static final int SHOWN = 300;

  private final int status;
  private final HttpHeaders headers;
  private final byte[] body;

  Received(int status, HttpHeaders headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  int status() {
    return status;
  }

  byte[] body() {
    return body;
  }

  @Nullable String header(String name) {
    return headers.get(name);
  }

  boolean isEmpty() {
    return start().isBlank();
  }

  /** Where a redirect leads; null where this is none, or leads nowhere. */
  @Nullable URI redirect(URI from) {
    var location = headers.get("location");
    try {
      return status / 100 == 3 && location != null ? from.resolve(location) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Whether this is a page for people: of a content network, a firewall, a gateway, a wrong address. */
  boolean isPage() {
    return start().startsWith("<") || headers.get("content-type", "").contains("text/html");
  }

  /** The first words of the body on one line, for messages. */
  String start() {
    var start = new String(body, 0, Math.min(body.length, SHOWN), StandardCharsets.UTF_8);
    return start.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
  }

  /** When the content was true: Date - Age; null without a usable Date. Who caches must send Age, so absent is 0. */
  @Nullable Instant asOf() {
    var date = HttpTime.instant(headers.get("date"));
    var age = HttpTime.seconds(headers.get("age", "0"));
    return date == null || age == null ? null : date.minus(age);
  }

  /** How long the answer may be kept; null where nothing is said. */
  @Nullable Duration maxAge() {
    for (var directive : headers.get("cache-control", "").split(",")) {
      if (directive.strip().startsWith("max-age=")) {
        return HttpTime.seconds(directive.strip().substring("max-age=".length()));
      }
    }
    return null;
  }

  /** SHA-256 of the body, hexadecimal. */
  String digest() {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Headers that help to understand a body that cannot be read. */
  Map<String, String> keptHeaders() {
    var kept = new LinkedHashMap<String, String>();
    WORTH_KEEPING.stream().filter(headers::contains).forEach(name -> kept.put(name, headers.get(name, "")));
    return kept;
  }

  Failure.Unreadable unreadable(String message) {
    return new Failure.Unreadable(message, body, status, keptHeaders());
  }
}
