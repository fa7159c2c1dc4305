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

  /** Returns the same problem, but with the name of a member or the index of an element put in front of the place. */
  MalformedAnswerException within(Object place) {
    return new MalformedAnswerException(problem, "/" + place + pointer);
  }
}
