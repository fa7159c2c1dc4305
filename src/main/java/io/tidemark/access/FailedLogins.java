package io.tidemark.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Wrong keys by the address that sent them: ten at once, and ten a minute. Addresses of IPv6 count by their network of
 * 64 bits, since one machine has all of it.
 */
public final class FailedLogins {

  private static final int PER_MINUTE = 10;
  private static final int MOST_ADDRESSES = 10_000;
  private static final int NETWORK_BYTES = 8;

  private final InstantSource clock;
  private final Cache<String, TokenBucket> buckets = Caffeine.newBuilder()
      .maximumSize(MOST_ADDRESSES)
      .expireAfterAccess(Duration.ofMinutes(10))
      .build();

  public FailedLogins(InstantSource clock) {
    this.clock = clock;
  }

  /** Zero where the address may try again. */
  public Duration untilNext(InetAddress address) {
    var bucket = buckets.getIfPresent(network(address));
    return bucket == null ? Duration.ZERO : bucket.untilNext();
  }

  /** Counts a wrong key. Returns zero where the address is within the limit, else the time until it is. */
  public Duration count(InetAddress address) {
    return buckets.get(network(address), any -> new TokenBucket(PER_MINUTE, PER_MINUTE, clock)).tryTake();
  }

  private static String network(InetAddress address) {
    var bytes = address.getAddress();
    return HexFormat.of().formatHex(bytes.length > NETWORK_BYTES ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }
}
