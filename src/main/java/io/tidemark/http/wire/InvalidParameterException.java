package io.tidemark.http.wire;

import java.util.Collection;

/**
 * Thrown if a parameter of a request is missing, has a value that the interface document does not allow, or is not in
 * that document.
 */
public final class InvalidParameterException extends IllegalArgumentException {
  private final ParameterProblem problem;

  private enum ParameterProblem {
    MISSING,
    INVALID,
    UNKNOWN
  }

  private InvalidParameterException(String message, ParameterProblem problem) {
    super(message);
    this.problem = problem;
  }

  static InvalidParameterException missing(String name) {
    return new InvalidParameterException("Missing parameter " + name, ParameterProblem.MISSING);
  }

  /** Creates an exception with the service's message, which lists the allowed values. */
  static InvalidParameterException invalid(String name, String allowed) {
    return new InvalidParameterException("Invalid " + name + ". Allowed values: " + allowed, ParameterProblem.INVALID);
  }

  static InvalidParameterException unknown(String name, Collection<String> known) {
    return new InvalidParameterException("unknown parameter '" + name + "'; the operation has "
        + (known.isEmpty() ? "no parameters" : "the parameters " + String.join(", ", known)), ParameterProblem.UNKNOWN);
  }

  public boolean isMissing() {
    return problem == ParameterProblem.MISSING;
  }

  public boolean isUnknown() {
    return problem == ParameterProblem.UNKNOWN;
  }
}
