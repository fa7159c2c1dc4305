package io.tidemark.cli;

/** Why a command ended: one message that says what, where and what to do, and the exit code. */
final class Failed extends RuntimeException {

  static final int FOUND_WRONG = 1;
  static final int WRONG_USAGE = 2;
  static final int NOT_REACHABLE = 3;

  private final int exitCode;

  Failed(int exitCode, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
