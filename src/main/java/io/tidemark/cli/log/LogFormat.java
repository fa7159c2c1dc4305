package io.tidemark.cli.log;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The format of the log, from the environment variable {@code TIDEMARK_LOG}. */
public enum LogFormat {
  /** For people on a terminal. */
  TEXT,
  /** For programs that collect the logs of containers. */
  JSON;

  private static final String VARIABLE = "TIDEMARK_LOG";

  /**
   * Reads the variable; text where it is not set, or is empty.
   *
   * @throws IllegalArgumentException if it has another value, with which nothing would be logged
   */
  public static LogFormat of(UnaryOperator<@Nullable String> environment) {
    var value = environment.apply(VARIABLE);
    if (value == null || value.isEmpty()) {
      return TEXT;
    }
    return Arrays.stream(values())
        .filter(format -> format.text().equals(value))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(VARIABLE + ": text or json, not '" + value + "'"));
  }

  private String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
