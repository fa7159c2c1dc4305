package io.tidemark.capture.ledger;

import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;

/** A listener for the actions of a ledger. It is called on the ledger's thread, so its methods must return quickly. */
public interface LedgerListener {

  /** A listener that ignores everything. */
  LedgerListener NONE = new LedgerListener() {};

  /** Called after the ledger's producer was created. */
  default void producerCreated(Producer<byte[], byte[]> producer) {}

  /**
   * Called several times a second while the ledger waits for open transactions to end, before it restores the states.
   */
  default void waiting() {}

  /**
   * Called after the ledger has waited for two seconds for open transactions to end, and then every half minute.
   *
   * @param message what the ledger waits for, in a sentence for people
   */
  default void waiting(String message) {}

  /**
   * Called repeatedly during a restore with the number of offsets read so far and the number of all offsets to read.
   * Both include offsets that hold no record, for example because compaction removed it.
   */
  default void restored(long read, long total) {}

  /**
   * Called after records were committed in one transaction, with the number of records and the duration of the
   * transaction.
   */
  default void committed(int records, Duration took) {}
}
