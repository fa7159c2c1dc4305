package io.tidemark.cli.log;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How log lines are written, as the environment variable {@code TIDEMARK_LOG} has it. */
public enum LogFormat {
  /** For people on a terminal. */
  TEXT,
  /** For programs, such as those that collect what containers say. */
  JSON;

  private static final String VARIABLE = "TIDEMARK_LOG";

  /**
   * That of an environment; text where it says nothing.
   *
   * @throws IllegalArgumentException where it says something else: nothing would be logged at all
   */
  public static LogFormat of(UnaryOperator<@Nullable String> environment) {
    var said = environment.apply(VARIABLE);
    if (said == null) {
      return TEXT;
    }
    return Arrays.stream(values())
        .filter(format -> format.text().equals(said))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(VARIABLE + ": text or json, not '" + said + "'"));
  }

  private String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
