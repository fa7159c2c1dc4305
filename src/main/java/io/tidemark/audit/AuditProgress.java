package io.tidemark.audit;

/** Receives the progress of an audit, after every record. */
@FunctionalInterface
public interface AuditProgress {

  /** Reports how many of all records are read; the total grows while the source goes on writing. */
  void update(long done, long total);
}
