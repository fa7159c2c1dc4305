package io.tidemark.rule.expression;

/**
 * Thrown if an evaluation on a record exceeds its budget or is nested too deep. A rule then skips the record, and is
 * put out of force if it fails on many keys. The budget counts steps and sizes, not time, so that the evaluation of the
 * same record exceeds it on every machine and at any time.
 */
public final class EvaluationFailure extends RuntimeException {

  EvaluationFailure(String message) {
    super(message, null, false, false);
  }
}
