package io.tidemark.bench;

import java.util.List;

/** All parts of the bench. */
public final class Benches {
  private Benches() {}

  /** The parts, in the order in which they run. */
  public static List<BenchPart> all() {
    return PageBench.parts();
  }
}
