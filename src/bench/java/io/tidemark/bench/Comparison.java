package io.tidemark.bench;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.bench.BenchPart.BenchProgress;
import io.tidemark.bench.BenchResult.Round;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;

/**
 * Two ways to do something, measured in turn by the processor time of the whole process, collecting garbage included:
 * ours and the least that is needed.
 *
 * @param reach what the limit divided by ours should be at least
 */
record Comparison(String name, double reach, Work ours, Work limit) {
  private static final double MICROSECOND = 1e3;

  /** The clock of processor time is slow to read. */
  private static final int RUNS_BETWEEN_READINGS = 10;

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Where results go, so that computing them is not optimised away. */
  @SuppressWarnings("unused")
  private static volatile int sink;

  /** Something to be measured, done once. What it answers depends on all that it computed. */
  interface Work {
    int run();
  }

  /** Measures both, in microseconds. */
  BenchResult measure(BenchSettings settings, BenchProgress progress) {
    cost(ours, settings.warmUp());
    cost(limit, settings.warmUp());
    var costs = new ArrayList<Round>();
    for (var round = 0; round < settings.rounds(); round++) {
      costs.add(new Round(cost(ours, settings.round()), cost(limit, settings.round())));
      progress.update(round + 1L, settings.rounds());
    }
    return BenchResult.lessIsBetter(name, "µs", costs, reach);
  }

  /** What doing it once costs in the mean, where it is done until it took so much processor time. */
  private static double cost(Work work, Duration atLeast) {
    var begun = SYSTEM.getProcessCpuTime();
    var count = 0;
    long taken;
    do {
      for (var each = 0; each < RUNS_BETWEEN_READINGS; each++) {
        sink = work.run();
      }
      count += RUNS_BETWEEN_READINGS;
      taken = SYSTEM.getProcessCpuTime() - begun;
    } while (taken < atLeast.toNanos());
    return taken / MICROSECOND / count;
  }
}
