package io.tidemark.bench;

import java.util.List;

/** One part of the bench. */
public interface BenchPart {
  String name();

  /** Returns a description of the measurement and of the limit that it is compared with. */
  String description();

  /**
   * Returns whether the part takes half a minute or more, however little it measures, because it starts whole programs.
   */
  default boolean takesLong() {
    return false;
  }

  /**
   * Measures the part, and reports the number of steps done and their total to the progress.
   *
   * @param kafka the cluster for the parts that need one
   * @return the results, one or more
   */
  List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress);

  /** A callback that is called after each step of a part. */
  interface BenchProgress {
    void update(long done, long total);
  }
}
