package io.tidemark.cli.command;

import io.tidemark.cli.print.TerminalWriter;
import io.tidemark.serve.feed.StartPosition;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base class of commands, which provides their output and reports wrong usage. */
public abstract class CliCommand {

  @Spec
  @Nullable
  CommandSpec spec;

  protected final PrintWriter out() {
    return new TerminalWriter(commandLine().getOut());
  }

  /** Returns the output without escaping, for lines whose text is already escaped. */
  protected final PrintWriter rawOut() {
    return commandLine().getOut();
  }

  /** Returns whether the output cannot be written, because its reader has ended or for a reason that Main reports. */
  protected final boolean hasOutputFailed() {
    return commandLine().getOut().checkError() || System.out.checkError();
  }

  /**
   * Returns whether output failed because its reader, such as head, has enough. Only the message tells, which is in the
   * words of the operating system and the language of the user; most of them name a pipe.
   */
  public static boolean hasReaderEnough(Exception failure) {
    return String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
  }

  /** Returns standard error without escaping, for output that moves the cursor. */
  protected final PrintWriter rawErr() {
    return commandLine().getErr();
  }

  protected final PrintWriter err() {
    return new TerminalWriter(commandLine().getErr());
  }

  protected final void complain(@Nullable Object message) {
    err().println(message);
    err().flush();
  }

  protected final ParameterException wrongUsage(String message) {
    return new ParameterException(commandLine(), message);
  }

  /** Parses the time of an option; {@link StartPosition#time} has the forms. */
  protected final Instant time(String option, String text) {
    try {
      return StartPosition.time(text, InstantSource.system());
    } catch (DateTimeException e) {
      throw wrongUsage(option + ": " + e.getMessage());
    }
  }

  protected final CommandLine commandLine() {
    return Objects.requireNonNull(spec).commandLine();
  }
}
