package io.tidemark.cli.print;

import io.tidemark.audit.Audit.AuditProgress;
import java.io.Console;
import java.io.PrintWriter;

/** Shows the progress of a long read: one line that is overwritten, on a terminal only. */
public final class ProgressBar implements AuditProgress, AutoCloseable {

  private static final int WIDTH = 40;

  private final PrintWriter out;
  private final boolean enabled;
  private long permille = -1;

  public ProgressBar(PrintWriter out, boolean enabled) {
    this.out = out;
    this.enabled = enabled;
  }

  /** Whether the output is a terminal. From Java 22 on there is a console without one. */
  @SuppressWarnings("SystemConsoleNull")
  public static boolean isTerminal() {
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
    if (enabled && now != permille) {
      permille = now;
      var full = (int) (WIDTH * now / 1_000);
      out.printf("\r[%s%s] %5.1f %%  %,d of %,d", "#".repeat(full), " ".repeat(WIDTH - full), now / 10.0, done, total);
      out.flush();
    }
  }

  /** Clears the line. */
  @Override
  public void close() {
    if (permille >= 0) {
      out.print("\r\033[K");
      out.flush();
    }
  }
}
