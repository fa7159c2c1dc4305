package io.tidemark.audit;

/** Hears how far an audit is, after every record. */
@FunctionalInterface
public interface AuditProgress {

  /** @param total grows while the source goes on writing */
  void update(long done, long total);
}
