package io.tidemark.http.client;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one service. Each request uses one of them, in turn and in proportion to what the keys may call: of any
 * number of successive requests, each key has its part to within one call. Safe for several threads.
 */
public final class KeyRing {

  /** No key: for hosts that need none. */
  public static final KeyRing NONE = new KeyRing(List.of());

  private final List<WeightedKey> keys;
  /** By how many calls each key is behind its part. */
  private final double[] behind;
  private final double total;

  /**
   * One of the keys.
   *
   * @param weight above 0; the part of the calls that it gets is its weight by that of all
   */
  public record WeightedKey(ApiKey key, double weight) {
    public WeightedKey {
      if (!(weight > 0)) {
        throw new IllegalArgumentException("a weight above 0 is required, not " + weight);
      }
    }
  }

  public KeyRing(List<WeightedKey> keys) {
    this.keys = List.copyOf(keys);
    this.behind = new double[keys.size()];
    this.total = keys.stream().mapToDouble(WeightedKey::weight).sum();
    if (keys.stream().map(WeightedKey::key).distinct().count() < keys.size()) {
      throw new IllegalArgumentException("the same key twice: its calls are counted once");
    }
  }

  /** One key, or none where it is null. */
  public static KeyRing of(@Nullable ApiKey key) {
    return key == null ? NONE : new KeyRing(List.of(new WeightedKey(key, 1)));
  }

  /** The first key; null where there is none. */
  public @Nullable ApiKey first() {
    return keys.isEmpty() ? null : keys.getFirst().key();
  }

  /** The key of the next request; null where there is none. */
  synchronized @Nullable ApiKey next() {
    if (keys.isEmpty()) {
      return null;
    }
    var chosen = 0;
    for (int k = 0; k < behind.length; k++) {
      behind[k] += keys.get(k).weight() / total;
      if (behind[k] > behind[chosen]) {
        chosen = k;
      }
    }
    behind[chosen]--;
    return keys.get(chosen).key();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyRing ring && ring.keys.equals(keys);
  }

  @Override
  public int hashCode() {
    return keys.hashCode();
  }

  /** Never the keys. */
  @Override
  public String toString() {
    return keys.size() + " keys, parts "
        + Arrays.toString(keys.stream().mapToDouble(each -> each.weight() / total).toArray());
  }
}
