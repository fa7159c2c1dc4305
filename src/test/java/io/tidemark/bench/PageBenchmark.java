package io.tidemark.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What {@code tidemark bench --parts parse,detect,same} compares, each side in a JVM of its own and by elapsed time: a page
 * of 20 pools, and the least that the same work needs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgs = "-Xmx1g")
public class PageBenchmark {

  /** What is done with the page. */
  public enum Part {
    PARSE,
    DETECT,
    SAME
  }

  @Param
  public Part part;

  private Comparison comparison;

  @Setup(Level.Trial)
  public void start() {
    var page = new PageBench();
    comparison = switch (part) {
      case PARSE -> page.parse();
      case DETECT -> page.detect();
      case SAME -> page.same();
    };
  }

  @Benchmark
  public int ours() {
    return comparison.ours().run();
  }

  @Benchmark
  public int limit() {
    return comparison.limit().run();
  }
}
