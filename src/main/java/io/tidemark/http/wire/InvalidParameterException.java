package io.tidemark.http.wire;

/** Thrown if a parameter of a request is missing or has a value that the interface document does not allow. */
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

  public boolean isMissing() {
    return missing;
  }
}
