package io.tidemark.bench;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.bench.BenchPart.BenchProgress;
import io.tidemark.bench.BenchResult.Round;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.function.LongSupplier;

/**
 * Two ways to do the same, measured in turn by how much they do in a second: ours and the least that is needed.
 *
 * @param reach what ours divided by the limit should be at least
 */
record Throughput(String name, String unit, double reach, Clock clock, CountedWork ours, CountedWork limit) {
  private static final double SECOND = 1e9;

  /** What a second is measured by. */
  enum Clock {
    ELAPSED(System::nanoTime),
    /** The processor time of this process, garbage collection and compilation included. */
    PROCESSOR(((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())::getProcessCpuTime);

    private final LongSupplier nanos;

    Clock(LongSupplier nanos) {
      this.nanos = nanos;
    }

    long nanos() {
      return nanos.getAsLong();
    }
  }

  /** Something to be measured. Answers how much of it was done. */
  interface CountedWork {
    long run();
  }

  BenchResult measure(BenchSettings settings, BenchProgress progress) {
    rate(ours, settings.warmUp());
    rate(limit, settings.warmUp());
    var rates = new ArrayList<Round>();
    for (var round = 0; round < settings.rounds(); round++) {
      rates.add(new Round(rate(ours, settings.round()), rate(limit, settings.round())));
      progress.update(round + 1L, settings.rounds());
    }
    return BenchResult.moreIsBetter(name, unit, rates, reach);
  }

  private double rate(CountedWork work, Duration atLeast) {
    var begun = clock.nanos();
    var done = 0L;
    long taken;
    do {
      done += work.run();
      taken = clock.nanos() - begun;
    } while (taken < atLeast.toNanos());
    return done / (Math.max(1, taken) / SECOND);
  }
}
