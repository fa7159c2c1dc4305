package io.tidemark.http.client;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one service is reached.
 *
 * @param baseUrl the document's base_url, which ends with {@code /api/v3}
 * @param onChainPath what stands between it and the on-chain operations; empty where nothing does
 * @param key null for the hosts that ask for none
 * @param connectTimeout limit on making a connection
 * @param responseTimeout limit on each silence before or within the answer
 * @param totalTimeout limit on the whole answer
 * @param maxBodyBytes bytes of a body after decompression, at most
 * @param maxConnections open connections, at most
 * @param maxRetries questions asked again, at most, after the first
 * @param backoff pause before the first retry; doubled before each further one
 */
public record HttpClientSettings(
    URI baseUrl,
    String onChainPath,
    String keyHeader,
    @Nullable ApiKey key,
    Duration connectTimeout,
    Duration responseTimeout,
    Duration totalTimeout,
    int maxBodyBytes,
    int maxConnections,
    int maxRetries,
    Duration backoff,
    String userAgent) {

  private static final int MIB = 1 << 20;

  public HttpClientSettings {
    if (baseUrl.getRawUserInfo() != null || baseUrl.getRawQuery() != null) {
      throw new IllegalArgumentException("base-url: an address without user, password and query is due here");
    }
    if (!("http".equals(baseUrl.getScheme()) || "https".equals(baseUrl.getScheme())) || baseUrl.getHost() == null) {
      throw new IllegalArgumentException("base-url: '" + baseUrl + "' is no address like https://example.org/api/v3");
    }
    if (!onChainPath.isEmpty() && !onChainPath.startsWith("/")) {
      throw new IllegalArgumentException("on-chain-path: '" + onChainPath + "' must be empty or begin with /");
    }
    if (maxBodyBytes < 1 || maxConnections < 1 || maxRetries < 0) {
      throw new IllegalArgumentException("body bound and connections must be 1 or more, retries 0 or more");
    }
  }

  /** The defaults, for a service at this address. */
  public static HttpClientSettings of(URI baseUrl, @Nullable ApiKey key) {
    return new HttpClientSettings(baseUrl, "/onchain", "x-cg-demo-api-key", key, Duration.ofSeconds(5),
        Duration.ofSeconds(10), Duration.ofSeconds(30), 8 * MIB, 8, 3, Duration.ofMillis(500), "tidemark");
  }

  public HttpClientSettings withOnChainPath(String path) {
    return new HttpClientSettings(baseUrl, path, keyHeader, key, connectTimeout, responseTimeout, totalTimeout,
        maxBodyBytes, maxConnections,
        maxRetries, backoff, userAgent);
  }

  public HttpClientSettings withKeyHeader(String header) {
    return new HttpClientSettings(baseUrl, onChainPath, header, key, connectTimeout, responseTimeout, totalTimeout,
        maxBodyBytes, maxConnections,
        maxRetries, backoff, userAgent);
  }

  public HttpClientSettings withLimits(Duration connect, Duration firstByte, Duration whole, int bodyBound) {
    return new HttpClientSettings(baseUrl, onChainPath, keyHeader, key, connect, firstByte, whole, bodyBound,
        maxConnections,
        maxRetries, backoff, userAgent);
  }

  public HttpClientSettings withRetries(int retries, Duration backoff) {
    return new HttpClientSettings(baseUrl, onChainPath, keyHeader, key, connectTimeout, responseTimeout, totalTimeout,
        maxBodyBytes, maxConnections,
        retries, backoff, userAgent);
  }

  public HttpClientSettings withConnections(int connections) {
    return new HttpClientSettings(baseUrl, onChainPath, keyHeader, key, connectTimeout, responseTimeout, totalTimeout,
        maxBodyBytes, connections,
        maxRetries, backoff, userAgent);
  }
}
