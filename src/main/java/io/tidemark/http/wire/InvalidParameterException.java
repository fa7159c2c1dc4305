package io.tidemark.http.wire;

import java.util.Collection;

/**
 * Thrown if a parameter of a request is missing, has a value that the interface document does not allow, or is not in
 * that document.
 */
public final class InvalidParameterException extends IllegalArgumentException {
  private final boolean missing;

  private InvalidParameterException(String message, boolean missing) {
    super(message);
    this.missing = missing;
  }

  static InvalidParameterException missing(String name) {
    return new InvalidParameterException("Missing parameter " + name, true);
  }

  /** Creates an exception with the service's message, which lists the allowed values. */
  static InvalidParameterException invalid(String name, String allowed) {
    return new InvalidParameterException("Invalid " + name + ". Allowed values: " + allowed, false);
  }

  static InvalidParameterException unknown(String name, Collection<String> known) {
    return new InvalidParameterException("unknown parameter '" + name + "'; the operation has "
        + (known.isEmpty() ? "no parameters" : "the parameters " + String.join(", ", known)), false);
  }

  public boolean isMissing() {
    return missing;
  }
}
