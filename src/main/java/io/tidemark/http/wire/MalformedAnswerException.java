package io.tidemark.http.wire;

/** A body that is not the answer that the document describes. */
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

  /** The same, of a member or an element of a larger value. */
  MalformedAnswerException within(Object place) {
    return new MalformedAnswerException(problem, "/" + place + pointer);
  }
}
