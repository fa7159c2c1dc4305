package io.tidemark.judge;

/**
 * Something that no history of correct transactions has.
 *
 * @param where topic, partition and offset, or the transaction
 */
public record Anomaly(Kind kind, String where, String what) {

  /** The kinds of anomalies. */
  public enum Kind {
    /** Something that was committed, read or acknowledged is gone. */
    LOST_WRITE,
    /** Something that was not committed was read, or a later value is based on it. */
    ABORTED_READ,
    /** The same change or snapshot twice. */
    DUPLICATE,
    /** A part of a transaction without its other parts. */
    TORN_TRANSACTION,
    /** Something earlier after something later. */
    ORDER
  }
}
