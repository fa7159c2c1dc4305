package io.tidemark.http.wire;

/** Thrown if a body does not match the interface document. */
final class MalformedAnswerException extends RuntimeException {
  private final String problem;
  private final String pointer;

  MalformedAnswerException(String problem) {
    this(problem, "");
  }

  private MalformedAnswerException(String problem, String pointer) {
    super(pointer.isEmpty() ? problem : problem + " (at " + pointer + ")", null, false, false);
    this.problem = problem;
    this.pointer = pointer;
  }

  /**
   * Returns an exception with the same problem, and with the given member name or element index put in front of the
   * path to its place.
   */
  MalformedAnswerException within(Object place) {
    return new MalformedAnswerException(problem, "/" + place + pointer);
  }
}
