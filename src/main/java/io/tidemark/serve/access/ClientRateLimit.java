package io.tidemark.serve.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.InstantSource;

/** A rate limit for each client, which allows the attempts of a full minute in one burst. */
public final class ClientRateLimit {

  private static final int MOST_CLIENTS = 10_000;

  private final int perMinute;
  private final InstantSource clock;
  private final Cache<String, TokenBucket> buckets = Caffeine.newBuilder()
      .maximumSize(MOST_CLIENTS)
      .expireAfterAccess(Duration.ofMinutes(10))
      .build();

  public ClientRateLimit(int perMinute, InstantSource clock) {
    this.perMinute = perMinute;
    this.clock = clock;
  }

  /** Returns the time until the client may try again, or zero if it may try now. */
  public Duration untilNext(String client) {
    var bucket = buckets.getIfPresent(client);
    return bucket == null ? Duration.ZERO : bucket.untilNext();
  }

  /**
   * Counts an attempt and returns zero. If the client is at the limit, counts nothing and returns the time until the
   * client may try again.
   */
  public Duration tryTake(String client) {
    return buckets.get(client, any -> new TokenBucket(perMinute, clock)).tryTake();
  }
}
