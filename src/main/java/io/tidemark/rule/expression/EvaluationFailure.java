package io.tidemark.rule.expression;

/**
 * Thrown if an expression cannot be evaluated on a record and its rule must stop: its cost exceeds the budget, or its
 * evaluation ends in an error of the program. The cost counts steps and sizes, not time, so that the same record
 * fails wherever and whenever it is evaluated.
 */
public final class EvaluationFailure extends RuntimeException {

  EvaluationFailure(String message) {
    super(message, null, false, false);
  }

  EvaluationFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
