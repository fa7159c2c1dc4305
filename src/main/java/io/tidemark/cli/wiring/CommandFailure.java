package io.tidemark.cli.wiring;

/** Why a command ended: one message that says what, where and what to do, and the exit code. */
public final class CommandFailure extends RuntimeException {

  public static final int PROBLEM_FOUND = 1;
  public static final int WRONG_USAGE = 2;
  public static final int NOT_REACHABLE = 3;

  private final int exitCode;

  public CommandFailure(int exitCode, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }
}
