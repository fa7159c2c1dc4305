package io.tidemark.stream;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the progress of stores that are restored from Kafka: every ten seconds where it takes longer, and at the end. */
final class StoreRestoreProgress implements StateRestoreListener {

  private static final Logger LOG = LoggerFactory.getLogger(StoreRestoreProgress.class);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);

  private final InstantSource clock;
  private final Map<TopicPartition, StoreRestore> running = new ConcurrentHashMap<>();

  StoreRestoreProgress(InstantSource clock) {
    this.clock = clock;
  }

  /** Records to restore, records restored, and when that was logged last. */
  private record StoreRestore(long total, long done, Instant startedAt, Instant loggedAt) {

    StoreRestore plus(long more) {
      return new StoreRestore(total, done + more, startedAt, loggedAt);
    }

    StoreRestore withLoggedAt(Instant at) {
      return new StoreRestore(total, done, startedAt, at);
    }

    long percent() {
      return total == 0 ? 100 : Math.min(100, 100 * done / total);
    }
  }

  @Override
  public void onRestoreStart(TopicPartition changelog, String store, long first, long end) {
    running.put(changelog, new StoreRestore(Math.max(0, end - first), 0, clock.instant(), clock.instant()));
  }

  @Override
  public void onBatchRestored(TopicPartition changelog, String store, long last, long records) {
    running.computeIfPresent(changelog, (each, restore) -> logWhenDue(store, each, restore.plus(records)));
  }

  @Override
  public void onRestoreEnd(TopicPartition changelog, String store, long records) {
    var restore = running.remove(changelog);
    if (restore != null && records > 0) {
      LOG.info("store {} of partition {}: {} records restored in {} ms",
          store, changelog.partition(), records, Duration.between(restore.startedAt(), clock.instant()).toMillis());
    }
  }

  @Override
  public void onRestoreSuspended(TopicPartition changelog, String store, long records) {
    running.remove(changelog);
  }

  private StoreRestore logWhenDue(String store, TopicPartition changelog, StoreRestore restore) {
    var now = clock.instant();
    if (restore.loggedAt().plus(LOG_INTERVAL).isAfter(now)) {
      return restore;
    }
    LOG.info("store {} of partition {}: {} of {} records restored, {} %",
        store, changelog.partition(), restore.done(), restore.total(), restore.percent());
    return restore.withLoggedAt(now);
  }
}
