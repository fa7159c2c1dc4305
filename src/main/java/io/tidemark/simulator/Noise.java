package io.tidemark.simulator;

import java.util.List;

/** Randomness without a state: what a key says at a number is the same whenever it is asked (SplitMix64). */
record Noise(long key) {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final double UNIT = 0x1.0p-53;
  private static final long SHORT = 0xFFFF;
  private static final double DEVIATION_OF_FOUR = Math.sqrt(4.0 / 12);

  /** The noise of something that has a name within this one. */
  Noise of(String name) {
    long hash = key;
    for (int i = 0; i < name.length(); i++) {
      hash = mix(hash + GOLDEN * (name.charAt(i) + 1));
    }
    return new Noise(hash);
  }

  Noise of(long number) {
    return new Noise(mix(bits(number) ^ GOLDEN));
  }

  long bits(long number) {
    return mix(key + GOLDEN * number);
  }

  /** Evenly spread, 0 inclusive to 1 exclusive. */
  double unit(long number) {
    return (bits(number) >>> 11) * UNIT;
  }

  double between(double low, double high, long number) {
    return low + (high - low) * unit(number);
  }

  /** About normal with deviation 1; never beyond 3.5: the sum of four even ones. */
  double normal(long number) {
    long bits = bits(number);
    long sum = (bits & SHORT) + (bits >>> 16 & SHORT) + (bits >>> 32 & SHORT) + (bits >>> 48);
    return (sum / (double) SHORT - 2) / DEVIATION_OF_FOUR;
  }

  boolean chance(double probability, long number) {
    return unit(number) < probability;
  }

  int below(int bound, long number) {
    return (int) (unit(number) * bound);
  }

  <T> T pick(List<T> list, long number) {
    return list.get(below(list.size(), number));
  }

  /** A bijection of 64 bits, so that {@link #unmix} can take it back. */
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
