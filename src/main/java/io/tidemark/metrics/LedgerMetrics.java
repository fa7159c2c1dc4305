package io.tidemark.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemark.ledger.LedgerListener;
import io.tidemark.ledger.RestoreProgress;
import java.time.Duration;
import java.util.stream.Stream;

/** A source's transactions, and how far it is in reading what was committed before. */
final class LedgerMetrics implements LedgerListener, RestoreProgress {

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
        .description("Transactions, and how long each took until Kafka had it for good.")
        .tag("source", source)
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
    records = Counter.builder("tidemark.ledger.records")
        .description("Records committed, of all topics.")
        .tag("source", source)
        .register(registry);
    Gauge.builder("tidemark.restore.records.read", () -> read)
        .description("Records read while restoring, at this life's beginning.")
        .tag("source", source)
        .register(registry);
    Gauge.builder("tidemark.restore.records.expected", () -> expected)
        .description("Records that there are to read while restoring, about.")
        .tag("source", source)
        .register(registry);
  }

  @Override
  public void committed(int many, Duration took) {
    commits.record(took);
    records.increment(many);
  }

  @Override
  public void restored(long readSoFar, long total) {
    read = readSoFar;
    expected = total;
  }
}
