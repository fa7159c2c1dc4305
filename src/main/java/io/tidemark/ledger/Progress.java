package io.tidemark.ledger;

/** Hears how far a restore is. */
@FunctionalInterface
public interface Progress {
  /** @param read records read so far, of about total */
  void at(long read, long total);
}
