package io.tidemark.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.InstantSource;

/** How often each client may do something; a full minute of it may come at once. */
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

  /** How many a minute. */
  public int perMinute() {
    return perMinute;
  }

  /** Zero where the client may try again. */
  public Duration untilNext(String client) {
    var bucket = buckets.getIfPresent(client);
    return bucket == null ? Duration.ZERO : bucket.untilNext();
  }

  /** Counts one. Returns zero where the client is within the limit, else the time until it is. */
  public Duration count(String client) {
    return buckets.get(client, any -> new TokenBucket(perMinute, perMinute, clock)).tryTake();
  }
}
