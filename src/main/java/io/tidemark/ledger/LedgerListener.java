package io.tidemark.ledger;

import java.time.Duration;

/** Hears of each transaction that was committed, on the ledger's thread: what it does must be short. */
@FunctionalInterface
public interface LedgerListener {
  /** For those who do not want to know. */
  LedgerListener NONE = (records, took) -> {};

  /** So many records were written together; it took so long until Kafka had them for good. */
  void committed(int records, Duration took);
}
