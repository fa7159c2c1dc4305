package io.tidemark.stream;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener that counts the records from which stores are restored, and logs the progress of each restore. It logs
 * every ten seconds during a longer restore, and at the end of each restore that had records.
 */
final class StoreRestoreProgress implements StateRestoreListener {

  private static final Logger LOG = LoggerFactory.getLogger(StoreRestoreProgress.class);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);

  private final InstantSource clock;
  private final Map<TopicPartition, StoreRestore> running = new ConcurrentHashMap<>();

  private final LongAdder restored = new LongAdder();

  StoreRestoreProgress(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns the number of changelog records from which stores have been restored since the start of this process. */
  long restored() {
    return restored.sum();
  }

  /**
   * The progress of restoring one store: the number of records to restore, the number restored so far, the time of
   * the start, and the time of the last log line.
   */
  private record StoreRestore(long total, long done, Instant startedAt, Instant loggedAt) {}

  @Override
  public void onRestoreStart(TopicPartition changelog, String store, long first, long end) {
    running.put(changelog, new StoreRestore(Math.max(0, end - first), 0, clock.instant(), clock.instant()));
  }

  @Override
  public void onBatchRestored(TopicPartition changelog, String store, long last, long records) {
    restored.add(records);
    running.computeIfPresent(changelog, (partition, restore) -> {
      var done = restore.done() + records;
      var isDue = !clock.instant().isBefore(restore.loggedAt().plus(LOG_INTERVAL));
      if (isDue) {
        LOG.info("store {} of partition {}: {} of {} records restored, {} %",
            store, partition.partition(), done, restore.total(),
            Math.min(100, 100 * done / Math.max(1, restore.total())));
      }
      return new StoreRestore(
          restore.total(), done, restore.startedAt(), isDue ? clock.instant() : restore.loggedAt());
    });
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
}
