package io.tidemark.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unreadable records that wait until the ledger can write their dead letters. They retain at most 32 MiB of keys and
 * values; further records are counted and logged, but get no dead letter. Not thread-safe.
 */
public final class UnreadableRecords {

  private static final Logger LOG = LoggerFactory.getLogger(UnreadableRecords.class);
  private static final long MOST_BYTES = 32 << 20;
  /** Estimated bytes of a record besides its key and value. */
  private static final int OVERHEAD = 1_000;

  private final Quarantine quarantine;
  private final List<UnreadableRecord> waiting = new ArrayList<>();
  private long bytes;
  private boolean isFull;

  /** @param quarantine counts the records that get no dead letter */
  public UnreadableRecords(Quarantine quarantine) {
    this.quarantine = quarantine;
  }

  public void add(UnreadableRecord record) {
    var size = OVERHEAD + (record.key() == null ? 0 : record.key().length)
        + (record.value() == null ? 0 : record.value().length);
    if (!isFull && bytes + size <= MOST_BYTES) {
      bytes += size;
      waiting.add(record);
      return;
    }
    quarantine.add(record);
    if (!isFull) {
      isFull = true;
      LOG.warn("source {}: more than {} MiB of unreadable records were read. From {} (topic, partition, offset) on,"
          + " such records are skipped without a dead letter. Does another program write to topics of the source?",
          quarantine.source(), MOST_BYTES >> 20, record.position());
    }
  }

  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Passes all records to a consumer and removes them. */
  public void drainTo(Consumer<UnreadableRecord> consumer) {
    waiting.forEach(consumer);
    clear();
  }

  public void clear() {
    waiting.clear();
    bytes = 0;
    isFull = false;
  }
}
