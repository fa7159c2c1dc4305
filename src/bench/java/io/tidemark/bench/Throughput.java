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
 * A measurement of the work that is done in a second. It alternates with a measurement of the limit, if there is a
 * limit: the least work that achieves the same result.
 *
 * @param aim minimum rate that {@code ours} should reach
 */
record Throughput(String name, String unit, double aim, Clock clock, CountedWork ours, @Nullable CountedWork limit) {
  private static final double SECOND = 1e9;

  /** The clock that measures a second. */
  enum Clock {
    ELAPSED(System::nanoTime),
    /** Processor time of this process, including garbage collection and compilation. */
    PROCESSOR(((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())::getProcessCpuTime);

    private final LongSupplier nanos;

    Clock(LongSupplier nanos) {
      this.nanos = nanos;
    }

    long nanos() {
      return nanos.getAsLong();
    }
  }

  /** Work to be measured, which returns how much of it was done. */
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
