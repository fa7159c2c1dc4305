package io.tidemark.http;

/** A parameter of a question that is missing or has a value the document does not allow. */
final class BadParameter extends IllegalArgumentException {
  private final boolean missing;

  private BadParameter(String message, boolean missing) {
    super(message);
    this.missing = missing;
  }

  static BadParameter missing(String name) {
    return new BadParameter("Missing parameter " + name, true);
  }

  /** In the words of the service, which name what would have been allowed. */
  static BadParameter invalid(String name, String allowed) {
    return new BadParameter("Invalid " + name + ". Allowed values: " + allowed, false);
  }

  boolean isMissing() {
    return missing;
  }
}
