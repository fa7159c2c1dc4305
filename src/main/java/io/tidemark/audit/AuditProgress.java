package io.tidemark.audit;

/** Receives the progress of an audit, after every record. */
@FunctionalInterface
public interface AuditProgress {

  /** @param total grows while the source goes on writing */
  void update(long done, long total);
}
