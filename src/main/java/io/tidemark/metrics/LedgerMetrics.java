package io.tidemark.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemark.ledger.LedgerListener;
import java.time.Duration;
import java.util.stream.Stream;

/** Metrics of a source's transactions, and of its restore. */
final class LedgerMetrics implements LedgerListener {

  private static final Duration[] BUCKETS =
      Stream.of(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final Timer commits;
  private final Counter records;
  private volatile long read;
  private volatile long expected;

  LedgerMetrics(String source, MeterRegistry registry) {
    commits = Timer.builder("tidemark.ledger.commit")
        .description("Transactions, and how long each took to commit.")
        .tag("source", source)
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
    records = Counter.builder("tidemark.ledger.records")
        .description("Records committed, in all topics.")
        .tag("source", source)
        .register(registry);
    Gauge.builder("tidemark.restore.records.read", () -> read)
        .description("Records restored at the beginning of the session.")
        .tag("source", source)
        .register(registry);
    Gauge.builder("tidemark.restore.records.expected", () -> expected)
        .description("Records to restore, approximately.")
        .tag("source", source)
        .register(registry);
  }

  @Override
  public void committed(int count, Duration took) {
    commits.record(took);
    records.increment(count);
  }

  @Override
  public void restored(long readSoFar, long total) {
    read = readSoFar;
    expected = total;
  }
}
