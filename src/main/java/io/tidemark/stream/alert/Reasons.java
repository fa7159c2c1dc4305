package io.tidemark.stream.alert;

/** Why a condition is resolved, where its resource did not leave. */
final class Reasons {

  static final String OVER = "over";
  static final String NO_DATA = "no data";
  static final String RULE_REMOVED = "rule removed";

  /** Of an aggregate that has no members any more. */
  static final String GONE = "gone";

  private Reasons() {}
}
