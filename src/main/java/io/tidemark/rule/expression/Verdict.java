package io.tidemark.rule.expression;

/** What a condition says of a record. */
public enum Verdict {
  TRUE,
  FALSE,
  /** A value that would decide is missing, is no number, or cannot be computed with. */
  NO_DATA
}
