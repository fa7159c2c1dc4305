package io.tidemark.cli.print;

import io.tidemark.audit.Audit.AuditProgress;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows the progress of long work. On a terminal, the progress is one line, which is overwritten and cleared at the
 * end. Elsewhere, such as in a log, a new line is printed at most every ten seconds, if the progress has changed.
 */
public final class ProgressBar implements AuditProgress, AutoCloseable {

  private static final int WIDTH = 40;
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final PrintWriter out;
  private final boolean isOnTerminal;
  private final LongSupplier nanoClock;
  private long permille = -1;
  private long lineAt;

  /** @param isOnTerminal whether the output is a terminal; see {@link #isTerminal} */
  public ProgressBar(PrintWriter out, boolean isOnTerminal) {
    this(out, isOnTerminal, System::nanoTime);
  }

  /** @param nanoClock a monotonic clock in nanoseconds */
  ProgressBar(PrintWriter out, boolean isOnTerminal, LongSupplier nanoClock) {
    this.out = out;
    this.isOnTerminal = isOnTerminal;
    this.nanoClock = nanoClock;
    this.lineAt = nanoClock.getAsLong() + LINE_NANOS;
  }

  /**
   * Returns whether standard output is a terminal. The launcher sets a system property if it is, since Java only knows
   * whether standard input and standard output both are; without the launcher, this method needs both.
   */
  public static boolean isTerminal() {
    return Boolean.getBoolean("tidemark.terminal") || isInteractive();
  }

  /**
   * Returns whether standard input and standard output are a terminal. Since Java 22, a console may exist without a
   * terminal.
   */
  @SuppressWarnings("SystemConsoleNull")
  public static boolean isInteractive() {
    var console = System.console();
    try {
      return console != null && (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  @Override
  public void update(long done, long total) {
    var now = total == 0 ? 1_000 : 1_000 * done / total;
    if (now == permille) {
      return;
    }
    if (isOnTerminal) {
      permille = now;
      var full = (int) (WIDTH * now / 1_000);
      out.printf("\r[%s%s] %s", "#".repeat(full), " ".repeat(WIDTH - full), text(now, done, total));
      out.flush();
    } else if (nanoClock.getAsLong() - lineAt >= 0) {
      permille = now;
      lineAt = nanoClock.getAsLong() + LINE_NANOS;
      out.println(text(now, done, total));
      out.flush();
    }
  }

  private static String text(long permille, long done, long total) {
    return String.format(Locale.ROOT, "%5.1f %%  %,d of %,d", permille / 10.0, done, total);
  }

  /** Clears the line on a terminal. */
  @Override
  public void close() {
    if (isOnTerminal && permille >= 0) {
      out.print("\r\033[K");
      out.flush();
    }
  }
}
