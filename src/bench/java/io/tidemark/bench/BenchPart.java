package io.tidemark.bench;

import java.util.List;

/** A part of the bench: one kind of measurement with its results. */
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
   * Runs the measurement, and reports to {@code progress} how many of its steps are done.
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
