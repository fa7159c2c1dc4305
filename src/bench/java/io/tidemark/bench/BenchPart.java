package io.tidemark.bench;

import java.util.List;

/** One part of the bench. */
public interface BenchPart {
  String name();

  /** What is measured, beside which limit. */
  String description();

  /** Whether it takes half a minute or more, however little it measures: it starts whole programs. */
  default boolean takesLong() {
    return false;
  }

  /**
   * Measures, and reports to the progress how many steps of how many are done.
   *
   * @param kafka the cluster for the parts that need one
   * @return its results, one or more
   */
  List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress);

  /** Hears of each step that a part has done. */
  interface BenchProgress {
    void update(long done, long total);
  }
}
