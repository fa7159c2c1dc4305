package io.tidemark.http.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings for the connection to one service.
 *
 * @param baseUrl the {@code base_url} of the interface document, which ends with {@code /api/v3}
 * @param onChainPath path between the {@code base_url} and the path of an on-chain operation; may be empty
 * @param keys API keys; each request uses one of them. Empty if the service needs no key
 * @param maxRetries maximum number of retries after the first request
 * @param backoff maximum pause before the first retry; the pause is a random time of at least half of it. Doubled for
 *     each further retry, but at most six times
 */
public record HttpClientSettings(
    URI baseUrl, String onChainPath, String keyHeader, List<ApiKey> keys, HttpLimits limits, int maxRetries,
    Duration backoff) {

  /** Maximum number of connections to one service, and thus of requests in flight. Connections are opened on demand. */
  public static final int MAX_CONNECTIONS = 256;

  /**
   * Limits on one request.
   *
   * @param connect time to connect
   * @param response maximum time without a byte, before and within the response
   * @param total maximum time until the response is complete, including the wait for a connection from the pool
   * @param maxBodyBytes maximum size of the body after decompression
   */
  public record HttpLimits(Duration connect, Duration response, Duration total, int maxBodyBytes) {
    static final HttpLimits DEFAULT =
        new HttpLimits(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(30), 8 << 20);
  }

  public HttpClientSettings {
    keys = List.copyOf(keys);
    if (keys.stream().distinct().count() < keys.size()) {
      throw new IllegalArgumentException("duplicate key; list each key once, since its calls share one quota");
    }
    if (baseUrl.getRawUserInfo() != null || baseUrl.getRawQuery() != null) {
      throw new IllegalArgumentException("base-url: must not contain a user, password or query");
    }
    if (!("http".equals(baseUrl.getScheme()) || "https".equals(baseUrl.getScheme())) || baseUrl.getHost() == null) {
      throw new IllegalArgumentException(
          "base-url: '" + baseUrl + "' must be an address like https://example.org/api/v3");
    }
    if (!onChainPath.isEmpty() && !onChainPath.startsWith("/")) {
      throw new IllegalArgumentException("on-chain-path: '" + onChainPath + "' must be empty or begin with /");
    }
  }

  /** Returns the default settings for the service with the given {@code base_url}. */
  public static HttpClientSettings of(URI baseUrl, @Nullable ApiKey key) {
    return new HttpClientSettings(
        baseUrl, "/onchain", "x-cg-demo-api-key", key == null ? List.of() : List.of(key), HttpLimits.DEFAULT, 3,
        Duration.ofMillis(500));
  }

  /** Returns the key at the given index, counted from 0, or null if the service needs no key. */
  public @Nullable ApiKey key(int number) {
    return keys.isEmpty() ? null : keys.get(number);
  }

  /** Returns these settings with other keys. */
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
