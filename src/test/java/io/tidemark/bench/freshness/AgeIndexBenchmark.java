package io.tidemark.bench.freshness;

import io.tidemark.capture.poll.AgeIndex;
import io.tidemark.capture.poll.AgeIndex.CacheKind;
import io.tidemark.capture.poll.AgeIndex.Phase;
import io.tidemark.capture.poll.AgeIndex.ResourceRow;
import io.tidemark.capture.poll.AgeIndex.TargetRow;
import io.tidemark.capture.poll.ChangeRate;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the schedule's decisions take for each refresh of a cache that it computes, with all that comes with it: the polls
 * at 1000 calls a minute, what is learned from their answers, and the service that makes these. The loads are those of
 * {@code tidemark bench freshness} with overlap, the rates and phases known.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(value = 1, jvmArgs = "-Xmx1g")
public class AgeIndexBenchmark {

  private static final int REFRESHES = 10_000;
  private static final double SPACING = 60.0 / 1000;
  private static final double ROUND_TRIP = 0.15;

  /** Watched resources. */
  @Param({"10000", "100000"})
  public int resources;

  private final SplittableRandom random = new SplittableRandom(1);
  private FreshnessLoad load;
  private AgeIndex<TargetRow> index;
  private List<ResourceRow> rows;
  private double time;
  private double permitted;

  /** Begins where each resource was observed within its last four minutes. */
  @Setup(Level.Trial)
  public void start() {
    load = FreshnessLoad.random(resources, true, true, 1);
    index = new AgeIndex<>(0);
    rows = load.resources().stream()
        .map(each -> new ResourceRow(null, each.weight(), each.typicalInterval())).toList();
    for (int each = 0; each < rows.size(); each++) {
      rows.get(each).restore(-random.nextDouble(240), new ChangeRate(load.resources().get(each).rate() * 3600, 3600));
    }
    for (var query : load.queries()) {
      var target = index.add(new TargetRow(1, query.period(), 1, Double.POSITIVE_INFINITY));
      query.resources().forEach(resource -> index.show(target, rows.get(resource), 1));
      index.restore(target, -random.nextDouble(240),
          new Phase(query.refreshBefore(0), 0.1, CacheKind.ON_SCHEDULE));
    }
  }

  /** The decisions for so many refreshes. */
  @Benchmark
  @OperationsPerInvocation(REFRESHES)
  public double refresh() {
    for (var end = index.refreshes() + REFRESHES; index.refreshes() < end;) {
      var target = index.next(time);
      if (target == null) {
        time = Math.max(index.nextRefresh(time + 1), time + 1e-3);
      } else {
        permitted = Math.max(permitted, time) + SPACING;
        answer(target);
        time = Math.max(time, permitted);
      }
    }
    return time;
  }

  private void answer(TargetRow target) {
    var query = load.queries().get(target.number());
    var served = time + ROUND_TRIP / 2;
    index.answered(target, time, time + ROUND_TRIP, Math.floor(served - query.refreshBefore(served)));
    for (var resource : query.resources()) {
      index.learn(target, rows.get(resource), random.nextDouble() < 0.5);
    }
  }
}
