package io.tidemark.cli.command;

import io.tidemark.cli.print.TerminalWriter;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base class of commands: where they print, and how they report wrong usage. */
public abstract class CliCommand {

  @Spec
  @Nullable
  CommandSpec spec;

  protected final PrintWriter out() {
    return new TerminalWriter(commandLine().getOut());
  }

  /** Returns the terminal behind the output, for lines whose printer escapes all text itself. */
  protected final PrintWriter rawOut() {
    return commandLine().getOut();
  }

  /** Returns whether the reader of the output is gone. */
  protected final boolean isReaderGone() {
    return commandLine().getOut().checkError() || System.out.checkError();
  }

  /** Returns the terminal behind standard error, for output that moves the cursor. */
  protected final PrintWriter rawErr() {
    return commandLine().getErr();
  }

  protected final PrintWriter err() {
    return new TerminalWriter(commandLine().getErr());
  }

  /** Prints a line to standard error. */
  protected final void complain(@Nullable Object message) {
    err().println(message);
    err().flush();
  }

  protected final ParameterException wrongUsage(String message) {
    return new ParameterException(commandLine(), message);
  }

  protected final CommandLine commandLine() {
    return Objects.requireNonNull(spec).commandLine();
  }
}
