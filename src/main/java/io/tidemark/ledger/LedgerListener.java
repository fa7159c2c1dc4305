package io.tidemark.ledger;

import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;

/** Hears what a ledger does, on the ledger's thread: what it does must be short. */
public interface LedgerListener {

  /** Ignores all. */
  LedgerListener NONE = new LedgerListener() {};

  /** The ledger's producer was created. */
  default void producerCreated(Producer<byte[], byte[]> producer) {}

  /** The ledger waits before it restores, several times a second. */
  default void waiting() {}

  /** What the ledger waits for, in a sentence for people: at first and from time to time. */
  default void waiting(String message) {}

  /** So many records of about so many in all are restored. */
  default void restored(long read, long total) {}

  /** The ledger wrote a tick, with a time so far ahead of this machine's clock; zero where it is not. */
  default void ticked(Duration ahead) {}

  /** So many records were committed in one transaction, which took so long. */
  default void committed(int records, Duration took) {}
}
