package io.tidemark.http.wire;

/** Thrown if a body is not as the interface document describes it. */
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

  /** Returns the same exception with the place prefixed by a member or element of a larger value. */
  MalformedAnswerException within(Object place) {
    return new MalformedAnswerException(problem, "/" + place + pointer);
  }
}
