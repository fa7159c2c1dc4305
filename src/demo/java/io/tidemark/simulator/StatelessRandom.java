package io.tidemark.simulator;

import java.util.List;

/**
 * Random numbers without state. Each number is a pure function (SplitMix64) of a key and an index, so the order in
 * which the numbers are read does not matter.
 */
record StatelessRandom(long key) {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final double UNIT = 0x1.0p-53;
  private static final long SHORT = 0xFFFF;
  private static final double DEVIATION_OF_FOUR = Math.sqrt(4.0 / 12);

  /**
   * Returns independent random numbers for the part of the market with the given name. The name is part of the seed, so
   * another name gives another market.
   */
  StatelessRandom derive(String name) {
    long hash = key;
    for (int i = 0; i < name.length(); i++) {
      hash = mix(hash + GOLDEN * (name.charAt(i) + 1));
    }
    return new StatelessRandom(hash);
  }

  /** Returns independent random numbers for the part of the market with the given number. */
  StatelessRandom derive(long number) {
    return new StatelessRandom(mix(bits(number) ^ GOLDEN));
  }

  long bits(long index) {
    return mix(key + GOLDEN * index);
  }

  /** Returns a uniform number from 0, inclusive, to 1, exclusive. */
  double uniform(long index) {
    return (bits(index) >>> 11) * UNIT;
  }

  /** Returns a uniform number from a low value, inclusive, to a high one, exclusive. */
  double between(double low, double high, long index) {
    return low + (high - low) * uniform(index);
  }

  /**
   * Returns an approximately normal number with mean 0 and deviation 1, never beyond 3.5. It is the sum of four
   * uniform numbers.
   */
  double normal(long index) {
    long bits = bits(index);
    long sum = (bits & SHORT) + (bits >>> 16 & SHORT) + (bits >>> 32 & SHORT) + (bits >>> 48);
    return (sum / (double) SHORT - 2) / DEVIATION_OF_FOUR;
  }

  boolean chance(double probability, long index) {
    return uniform(index) < probability;
  }

  int intBelow(int bound, long index) {
    return (int) (uniform(index) * bound);
  }

  <T> T pick(List<T> list, long index) {
    return list.get(intBelow(list.size(), index));
  }

  /** Applies a bijection of 64 bits, whose inverse is {@link #unmix}. */
  static long mix(long value) {
    long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  static long unmix(long mixed) {
    long z = (mixed ^ mixed >>> 31 ^ mixed >>> 62) * 0x319642B2D24D8EC3L;
    z = (z ^ z >>> 27 ^ z >>> 54) * 0x96DE1B173F119089L;
    return z ^ z >>> 30 ^ z >>> 60;
  }
}
