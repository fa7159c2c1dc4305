package io.tidemark.rule.expression;

/**
 * Thrown if an expression cannot be evaluated on a record, so that its rule must stop: the evaluation exceeds its
 * budget or is nested too deep. The budget counts steps and sizes, not time, so that the evaluation of the same record
 * fails on every machine and at any time.
 */
public final class EvaluationFailure extends RuntimeException {

  EvaluationFailure(String message) {
    super(message, null, false, false);
  }

  EvaluationFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
