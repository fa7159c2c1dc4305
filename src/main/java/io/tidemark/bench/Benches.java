package io.tidemark.bench;

import java.util.List;
import java.util.stream.Stream;

/** All parts of the bench. */
public final class Benches {
  private Benches() {}

  /** The parts, in the order in which they run. */
  public static List<BenchPart> all() {
    return Stream.concat(PageBench.parts().stream(), Stream.of(
        new LedgerBench(), new LatencyBench(), new RestoreBench(), new GrowthBench(), new FeedBench(),
        new MirrorBench(), new StartBench())).toList();
  }
}
