package io.tidemark.audit;

/** Hears how far an audit is, after every record. */
@FunctionalInterface
public interface Progress {

  /** @param total grows while the source goes on writing */
  void at(long done, long total);
}
