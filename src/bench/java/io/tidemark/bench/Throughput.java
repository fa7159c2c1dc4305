package io.tidemark.bench;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.bench.BenchPart.BenchProgress;
import io.tidemark.bench.BenchResult.Round;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How much is done in a second, where there is a limit in turn with the least that the same work needs.
 *
 * @param aim what ours should be at least
 */
record Throughput(String name, String unit, double aim, Clock clock, CountedWork ours, @Nullable CountedWork limit) {
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
    limit(settings.warmUp());
    var rates = new ArrayList<Round>();
    for (var round = 0; round < settings.rounds(); round++) {
      rates.add(new Round(rate(ours, settings.round()), limit(settings.round())));
      progress.update(round + 1L, settings.rounds());
    }
    return BenchResult.moreIsBetter(name, unit, rates, aim);
  }

  private double limit(Duration atLeast) {
    return limit == null ? Double.NaN : rate(limit, atLeast);
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
