package io.tidemark.app.log;

import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the log, from environment variables.
 *
 * @param ownLevel level of Tidemark's own lines, in capitals
 * @param libraryLevel level of all other lines, in capitals
 * @param stack number of lines of a stack trace in the text format, or {@code short} or {@code full}
 */
public record LogSettings(LogFormat format, String ownLevel, String libraryLevel, String stack) {

  public static final String OWN_LEVEL = "TIDEMARK_LOG_LEVEL";
  public static final String LIBRARY_LEVEL = "TIDEMARK_LIBRARY_LOG_LEVEL";

  private static final String LEVELS = "off, error, warn, info, debug, trace, all";

  public enum LogFormat {
    /** For people on a terminal. */
    TEXT,
    /** For programs that collect the logs of containers. */
    JSON
  }

  /**
   * Reads the environment variables. A variable that is unset or empty has a default value.
   *
   * @throws IllegalArgumentException if a variable has an invalid value, with which nothing would be logged
   */
  public static LogSettings of(UnaryOperator<@Nullable String> environment) {
    return new LogSettings(
        LogFormat.valueOf(value(environment, "TIDEMARK_LOG", "text", "text|json", "text or json")),
        level(environment, OWN_LEVEL, "info"),
        level(environment, LIBRARY_LEVEL, "warn"),
        value(environment, "TIDEMARK_LOG_STACK", "short", "(?i)short|full|[0-9]{1,9}",
            "a number of lines, short or full").toLowerCase(Locale.ROOT));
  }

  private static String level(UnaryOperator<@Nullable String> environment, String variable, String otherwise) {
    return value(environment, variable, otherwise, "(?i)" + LEVELS.replace(", ", "|"), "one of " + LEVELS);
  }

  /** Returns the value of a variable in capitals, or the default if the variable is unset or empty. */
  private static String value(UnaryOperator<@Nullable String> environment, String variable, String otherwise,
      String pattern, String expected) {
    var value = environment.apply(variable);
    var chosen = value == null || value.isEmpty() ? otherwise : value;
    if (!chosen.matches(pattern)) {
      throw new IllegalArgumentException(variable + ": must be " + expected + ", not '" + value + "'");
    }
    return chosen.toUpperCase(Locale.ROOT);
  }
}
