package io.tidemark.simulator.generator;

import java.util.List;

/** Randomness without a state: what a key says at a number is the same whenever it is asked (SplitMix64). */
public record StatelessRandom(long key) {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final double UNIT = 0x1.0p-53;
  private static final long SHORT = 0xFFFF;
  private static final double DEVIATION_OF_FOUR = Math.sqrt(4.0 / 12);

  /** The noise of something that has a name within this one. */
  public StatelessRandom derive(String name) {
    long hash = key;
    for (int i = 0; i < name.length(); i++) {
      hash = mix(hash + GOLDEN * (name.charAt(i) + 1));
    }
    return new StatelessRandom(hash);
  }

  public StatelessRandom derive(long number) {
    return new StatelessRandom(mix(bits(number) ^ GOLDEN));
  }

  public long bits(long number) {
    return mix(key + GOLDEN * number);
  }

  /** Evenly spread, 0 inclusive to 1 exclusive. */
  public double uniform(long number) {
    return (bits(number) >>> 11) * UNIT;
  }

  public double between(double low, double high, long number) {
    return low + (high - low) * uniform(number);
  }

  /** About normal with deviation 1; never beyond 3.5: the sum of four even ones. */
  public double normal(long number) {
    long bits = bits(number);
    long sum = (bits & SHORT) + (bits >>> 16 & SHORT) + (bits >>> 32 & SHORT) + (bits >>> 48);
    return (sum / (double) SHORT - 2) / DEVIATION_OF_FOUR;
  }

  public boolean chance(double probability, long number) {
    return uniform(number) < probability;
  }

  public int intBelow(int bound, long number) {
    return (int) (uniform(number) * bound);
  }

  public <T> T pick(List<T> list, long number) {
    return list.get(intBelow(list.size(), number));
  }

  /** A bijection of 64 bits, so that {@link #unmix} can take it back. */
  public static long mix(long value) {
    long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  public static long unmix(long mixed) {
    long z = (mixed ^ mixed >>> 31 ^ mixed >>> 62) * 0x319642B2D24D8EC3L;
    z = (z ^ z >>> 27 ^ z >>> 54) * 0x96DE1B173F119089L;
    return z ^ z >>> 30 ^ z >>> 60;
  }
}
