package io.tidemark.serve.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.Sha256;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The configured keys, each with its rate limit. A key is {@code tidemark_} followed by 32 random bytes in Base64. Text
 * in any other form is rejected before it is hashed.
 */
public final class AccessKeys {

  private static final int RANDOM_BYTES = 32;
  private static final String PREFIX = "tidemark_";
  private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{43}");
  private static final SecureRandom RANDOM = new SecureRandom();

  private final List<AccessKey> keys;
  private final Map<AccessKey, TokenBucket> buckets = new HashMap<>();

  public AccessKeys(List<AccessKey> keys, InstantSource clock) {
    this.keys = List.copyOf(keys);
    keys.forEach(key -> buckets.put(key, new TokenBucket(key.perMinute(), clock)));
  }

  /** Returns the text of a new random key. */
  public static String generate() {
    var random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /** Returns the hash of a key in the form used by the configuration. */
  public static String hash(String key) {
    return "sha256:" + Sha256.hex(key);
  }

  public boolean isEmpty() {
    return keys.isEmpty();
  }

  /**
   * Returns the key with the given text, or null if there is none. Takes equally long for any text that has the form of
   * a key.
   */
  public @Nullable AccessKey find(String text) {
    if (!FORM.matcher(text).matches()) {
      return null;
    }
    var hash = hash(text).getBytes(UTF_8);
    AccessKey found = null;
    for (var key : keys) {
      if (MessageDigest.isEqual(key.hash().getBytes(UTF_8), hash)) {
        found = key;
      }
    }
    return found;
  }

  @Nullable
  AccessKey named(String name) {
    return keys.stream().filter(key -> key.name().equals(name)).findFirst().orElse(null);
  }

  /**
   * Counts a request with a key. Returns zero if the request is within the rate limit of the key, else the time until
   * the key may send a request again. A request beyond the limit is not counted.
   */
  public Duration count(AccessKey key) {
    return Objects.requireNonNull(buckets.get(key), key.name()).tryTake();
  }
}
