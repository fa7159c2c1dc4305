package io.tidemark.cli.print;

import io.tidemark.audit.AuditProgress;
import java.io.Console;
import java.io.PrintWriter;

/** How far a long reading is: one line that grows, on a terminal only. */
public final class ProgressBar implements AuditProgress, AutoCloseable {

  private static final int WIDTH = 40;

  private final PrintWriter out;
  private final boolean shown;
  private long permille = -1;

  public ProgressBar(PrintWriter out, boolean shown) {
    this.out = out;
    this.shown = shown;
  }

  /** Whether people see what is printed: from Java 22 on there is a console even where nobody does. */
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
    if (shown && now != permille) {
      permille = now;
      var full = (int) (WIDTH * now / 1_000);
      out.printf("\r[%s%s] %5.1f %%  %,d of %,d", "#".repeat(full), " ".repeat(WIDTH - full), now / 10.0, done, total);
      out.flush();
    }
  }

  /** Takes the line away. */
  @Override
  public void close() {
    if (permille >= 0) {
      out.print("\r\033[K");
      out.flush();
    }
  }
}
