package io.tidemark.bench;

import java.util.List;
import java.util.stream.Stream;

/** All parts of the bench. */
public final class Benches {
  private Benches() {}

  /** Returns the parts in the order in which they run. */
  public static List<BenchPart> all() {
    return Stream.of(
        Stream.of(new PageBench.DetectBench()),
        Stream.of(new LedgerBench()),
        LatencyBench.parts().stream(),
        Stream.of(new StreamBench(), new TickBench(), new RestoreBench(), new MemoryBench(), new GrowthBench(),
            new KnownPageBench(), new FeedBench(), new MirrorBench(), new CatchUpBench(), new BacktestBench(),
            new StartBench()))
        .<BenchPart>flatMap(parts -> parts)
        .toList();
  }
}
