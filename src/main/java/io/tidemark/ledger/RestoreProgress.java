package io.tidemark.ledger;

/** Hears how far a restore is. */
@FunctionalInterface
public interface RestoreProgress {
  /** @param read records read so far, of about total */
  void restored(long read, long total);
}
