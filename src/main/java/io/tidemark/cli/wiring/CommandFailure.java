package io.tidemark.cli.wiring;

/** Ends a command with an exit code and one message: what failed, where, and what to do. */
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
