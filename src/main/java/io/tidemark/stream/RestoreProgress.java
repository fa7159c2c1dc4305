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

/** Tells how far the stores are that are being restored from Kafka: those that take long, now and then. */
final class RestoreProgress implements StateRestoreListener {

  private static final Logger log = LoggerFactory.getLogger(RestoreProgress.class);
  private static final Duration NOW_AND_THEN = Duration.ofSeconds(10);

  private final InstantSource clock;
  private final Map<TopicPartition, Restore> running = new ConcurrentHashMap<>();

  RestoreProgress(InstantSource clock) {
    this.clock = clock;
  }

  /** How much there is, how much is done, and when it was told last. */
  private record Restore(long all, long done, Instant begun, Instant told) {

    Restore with(long more) {
      return new Restore(all, done + more, begun, told);
    }

    Restore toldAt(Instant at) {
      return new Restore(all, done, begun, at);
    }

    long percent() {
      return all == 0 ? 100 : Math.min(100, 100 * done / all);
    }
  }

  @Override
  public void onRestoreStart(TopicPartition changelog, String store, long first, long end) {
    running.put(changelog, new Restore(Math.max(0, end - first), 0, clock.instant(), clock.instant()));
  }

  @Override
  public void onBatchRestored(TopicPartition changelog, String store, long last, long records) {
    running.computeIfPresent(changelog, (each, restore) -> told(store, each, restore.with(records)));
  }

  @Override
  public void onRestoreEnd(TopicPartition changelog, String store, long records) {
    var restore = running.remove(changelog);
    if (restore != null && records > 0) {
      log.info("store {} of partition {}: {} records restored in {} ms",
          store, changelog.partition(), records, Duration.between(restore.begun(), clock.instant()).toMillis());
    }
  }

  @Override
  public void onRestoreSuspended(TopicPartition changelog, String store, long records) {
    running.remove(changelog);
  }

  private Restore told(String store, TopicPartition changelog, Restore restore) {
    var now = clock.instant();
    if (restore.told().plus(NOW_AND_THEN).isAfter(now)) {
      return restore;
    }
    log.info("store {} of partition {}: {} of {} records restored, {} %",
        store, changelog.partition(), restore.done(), restore.all(), restore.percent());
    return restore.toldAt(now);
  }
}
