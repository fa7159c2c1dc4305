package io.tidemark.app;

import io.tidemark.capture.ledger.LedgerFailure;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import io.tidemark.market.Failure;
import io.tidemark.yaml.YamlException;
import org.apache.kafka.common.errors.TimeoutException;

/** Thrown to end a command with an exit code and one message, which says what failed, where, and what to do. */
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

  public static int exitCodeOf(Exception failure) {
    return switch (failure) {
      case CommandFailure command -> command.exitCode();
      case YamlException wrong -> WRONG_USAGE;
      case Failure.Unreachable unreachable -> NOT_REACHABLE;
      case SchemaRegistryFailure.RegistryUnreachable unreachable -> NOT_REACHABLE;
      case LedgerFailure.TimedOut timedOut -> NOT_REACHABLE;
      case TimeoutException timedOut -> NOT_REACHABLE;
      case Exception other when other.getCause() instanceof TimeoutException -> NOT_REACHABLE;
      default -> PROBLEM_FOUND;
    };
  }
}
