package io.tidemark.http;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one service is reached.
 *
 * @param baseUrl the document's base_url, which ends with {@code /api/v3}
 * @param onChainPath what stands between it and the on-chain operations; empty where nothing does
 * @param key null for the hosts that ask for none
 * @param connect limit on making a connection
 * @param firstByte limit on each silence before or within the answer
 * @param whole limit on the whole answer
 * @param bodyBound bytes of a body after decompression, at most
 * @param connections open connections, at most
 * @param retries questions asked again, at most, after the first
 * @param backoff pause before the first retry; doubled before each further one
 */
public record ClientSettings(
    URI baseUrl,
    String onChainPath,
    String keyHeader,
    @Nullable ApiKey key,
    Duration connect,
    Duration firstByte,
    Duration whole,
    int bodyBound,
    int connections,
    int retries,
    Duration backoff,
    String userAgent) {

  private static final int MIB = 1 << 20;

  public ClientSettings {
    if (baseUrl.getRawUserInfo() != null || baseUrl.getRawQuery() != null) {
      throw new IllegalArgumentException("base-url: an address without user, password and query is due here");
    }
    if (!("http".equals(baseUrl.getScheme()) || "https".equals(baseUrl.getScheme())) || baseUrl.getHost() == null) {
      throw new IllegalArgumentException("base-url: '" + baseUrl + "' is no address like https://example.org/api/v3");
    }
    if (!onChainPath.isEmpty() && !onChainPath.startsWith("/")) {
      throw new IllegalArgumentException("on-chain-path: '" + onChainPath + "' must be empty or begin with /");
    }
    if (bodyBound < 1 || connections < 1 || retries < 0) {
      throw new IllegalArgumentException("body bound and connections must be 1 or more, retries 0 or more");
    }
  }

  /** The defaults, for a service at this address. */
  public static ClientSettings of(URI baseUrl, @Nullable ApiKey key) {
    return new ClientSettings(baseUrl, "/onchain", "x-cg-demo-api-key", key, Duration.ofSeconds(5),
        Duration.ofSeconds(10), Duration.ofSeconds(30), 8 * MIB, 8, 3, Duration.ofMillis(500), "tidemark");
  }

  public ClientSettings withOnChainPath(String path) {
    return new ClientSettings(baseUrl, path, keyHeader, key, connect, firstByte, whole, bodyBound, connections,
        retries, backoff, userAgent);
  }

  public ClientSettings withKeyHeader(String header) {
    return new ClientSettings(baseUrl, onChainPath, header, key, connect, firstByte, whole, bodyBound, connections,
        retries, backoff, userAgent);
  }

  public ClientSettings withLimits(Duration connect, Duration firstByte, Duration whole, int bodyBound) {
    return new ClientSettings(baseUrl, onChainPath, keyHeader, key, connect, firstByte, whole, bodyBound, connections,
        retries, backoff, userAgent);
  }

  public ClientSettings withRetries(int retries, Duration backoff) {
    return new ClientSettings(baseUrl, onChainPath, keyHeader, key, connect, firstByte, whole, bodyBound, connections,
        retries, backoff, userAgent);
  }

  public ClientSettings withConnections(int connections) {
    return new ClientSettings(baseUrl, onChainPath, keyHeader, key, connect, firstByte, whole, bodyBound, connections,
        retries, backoff, userAgent);
  }
}
