package io.tidemark.cli.print;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Suppliers;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of a command: the columns of a line, and whether colours are shown. The environment variables
 * {@code COLUMNS}, {@code NO_COLOR} and {@code TERM=dumb} take precedence over detected values.
 */
public final class Terminal {

  /** Number of columns of a line if the output is not a terminal. */
  static final int COLUMNS_OF_A_FILE = 120;

  private static final int USUAL = 80;
  private static final int FEWEST = 40;
  private static final int MOST = 400;
  private static final long SECONDS_TO_ANSWER = 2;

  /** Minimum time between two measurements of the width. A resized window is noticed by the next measurement. */
  private static final Duration MEASURED_EVERY = Duration.ofSeconds(5);

  private final IntSupplier columns;
  private final boolean colours;

  private Terminal(IntSupplier columns, boolean colours) {
    this.columns = columns;
    this.colours = colours;
  }

  public static Terminal of(int columns, boolean colours) {
    return new Terminal(() -> columns, colours);
  }

  /** Returns the terminal of this process. A file or pipe has no colours and a fixed width. */
  public static Terminal system() {
    var measured = Suppliers.memoizeWithExpiration(Terminal::measured, MEASURED_EVERY.toSeconds(), TimeUnit.SECONDS);
    return of(System::getenv, ProgressBar.isTerminal(), measured::get);
  }

  static Terminal of(UnaryOperator<@Nullable String> environment, boolean isTerminal, IntSupplier measured) {
    var fixed = environment.apply("COLUMNS");
    var noColour = environment.apply("NO_COLOR");
    var colours = isTerminal && (noColour == null || noColour.isEmpty()) && !"dumb".equals(environment.apply("TERM"));
    if (fixed != null && fixed.matches("[1-9][0-9]{0,3}")) {
      return of(bounded(Integer.parseInt(fixed)), colours);
    }
    return isTerminal
        ? new Terminal(() -> bounded(measured.getAsInt()), colours)
        : of(COLUMNS_OF_A_FILE, colours);
  }

  /** Wraps sentences to the width of this terminal, between words. */
  public List<String> wrapped(String sentences) {
    return TerminalText.wrapped(sentences, columns());
  }

  int columns() {
    return columns.getAsInt();
  }

  boolean colours() {
    return colours;
  }

  private static int bounded(int columns) {
    return Math.max(FEWEST, Math.min(MOST, columns));
  }

  /** Returns the width that {@code stty} reports, or the usual width if it reports none. */
  private static int measured() {
    try {
      var stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty"))
          .redirectError(ProcessBuilder.Redirect.DISCARD).start();
      if (!stty.waitFor(SECONDS_TO_ANSWER, TimeUnit.SECONDS)) {
        stty.destroy();
        return USUAL;
      }
      var size = new String(stty.getInputStream().readAllBytes(), UTF_8).strip();
      return size.matches("[0-9]{1,5} [1-9][0-9]{0,4}") ? Integer.parseInt(size.split(" ", 2)[1]) : USUAL;
    } catch (IOException e) {
      return USUAL; // no stty or no /dev/tty on this machine
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return USUAL;
    }
  }
}
