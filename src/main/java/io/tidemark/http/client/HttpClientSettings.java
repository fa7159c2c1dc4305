package io.tidemark.http.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to reach one service.
 *
 * @param baseUrl the document's base_url, which ends with {@code /api/v3}
 * @param onChainPath between base_url and the on-chain operations; may be empty
 * @param keys of which each request uses one; empty for a service that needs none
 * @param maxRetries requests after the first
 * @param backoff pause before the first retry; doubles before each further one
 */
public record HttpClientSettings(
    URI baseUrl, String onChainPath, String keyHeader, List<ApiKey> keys, HttpLimits limits, int maxRetries,
    Duration backoff) {

  /** Connections to one service at a time, which is as many requests in flight. They are opened as they are needed. */
  public static final int MAX_CONNECTIONS = 256;

  /**
   * Limits on one request.
   *
   * @param connect time to connect
   * @param response time without a byte, before and within the response
   * @param total time until the response is complete
   * @param maxBodyBytes after decompression
   */
  public record HttpLimits(Duration connect, Duration response, Duration total, int maxBodyBytes) {
    static final HttpLimits DEFAULT =
        new HttpLimits(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(30), 8 << 20);
  }

  public HttpClientSettings {
    keys = List.copyOf(keys);
    if (keys.stream().distinct().count() < keys.size()) {
      throw new IllegalArgumentException("the same key twice: its calls are counted once");
    }
    if (baseUrl.getRawUserInfo() != null || baseUrl.getRawQuery() != null) {
      throw new IllegalArgumentException("base-url: an address without user, password and query is required");
    }
    if (!("http".equals(baseUrl.getScheme()) || "https".equals(baseUrl.getScheme())) || baseUrl.getHost() == null) {
      throw new IllegalArgumentException("base-url: '" + baseUrl + "' is no address like https://example.org/api/v3");
    }
    if (!onChainPath.isEmpty() && !onChainPath.startsWith("/")) {
      throw new IllegalArgumentException("on-chain-path: '" + onChainPath + "' must be empty or begin with /");
    }
  }

  /** The defaults, for a service at this address. */
  public static HttpClientSettings of(URI baseUrl, @Nullable ApiKey key) {
    return new HttpClientSettings(
        baseUrl, "/onchain", "x-cg-demo-api-key", key == null ? List.of() : List.of(key), HttpLimits.DEFAULT, 3,
        Duration.ofMillis(500));
  }

  /** The key with a number, from 0 on; null for a service that needs none. */
  public @Nullable ApiKey key(int number) {
    return keys.isEmpty() ? null : keys.get(number);
  }

  /** The same with these keys. */
  public HttpClientSettings withKeys(List<ApiKey> keys) {
    return new HttpClientSettings(baseUrl, onChainPath, keyHeader, keys, limits, maxRetries, backoff);
  }

  public HttpClientSettings withOnChainPath(String path) {
    return new HttpClientSettings(baseUrl, path, keyHeader, keys, limits, maxRetries, backoff);
  }

  public HttpClientSettings withKeyHeader(String header) {
    return new HttpClientSettings(baseUrl, onChainPath, header, keys, limits, maxRetries, backoff);
  }

  public HttpClientSettings withRetries(int retries, Duration backoff) {
    return new HttpClientSettings(baseUrl, onChainPath, keyHeader, keys, limits, retries, backoff);
  }
}
