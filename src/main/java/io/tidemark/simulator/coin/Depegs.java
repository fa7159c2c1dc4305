package io.tidemark.simulator.coin;

import io.tidemark.simulator.generator.StatelessRandom;

/** The bad hours of a stable coin: once in a while, down by a few percent and back. */
record Depegs(StatelessRandom random) {
  private static final double CYCLE = 2 * 86_400;
  private static final double LENGTH = 0.15;
  private static final double DEEPEST = 0.08;

  /** Factor on the price, at a market second. */
  double at(double time) {
    long cycle = (long) Math.floor(time / CYCLE);
    double start = random.between(0, 1 - LENGTH, 2 * cycle);
    double place = (time / CYCLE - cycle - start) / LENGTH;
    boolean bad = place > 0 && place < 1;
    return bad ? 1 - random.between(0.02, DEEPEST, 2 * cycle + 1) * StrictMath.sin(Math.PI * place) : 1;
  }
}
