package io.tidemark.cli.log;

import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The log as the environment wants it.
 *
 * @param ownLevel of Tidemark's lines, in capitals
 * @param libraryLevel of all other lines, in capitals
 * @param stack lines of a stack trace in text form: a number, short or full
 */
public record LogSettings(LogFormat format, String ownLevel, String libraryLevel, String stack) {

  static final String OWN_LEVEL = "TIDEMARK_LOG_LEVEL";
  static final String LIBRARY_LEVEL = "TIDEMARK_LIBRARY_LOG_LEVEL";

  private static final String STACK = "TIDEMARK_LOG_STACK";
  private static final List<String> LEVELS = List.of("off", "error", "warn", "info", "debug", "trace", "all");

  /**
   * Reads the variables; those that are not set, or are empty, have defaults.
   *
   * @throws IllegalArgumentException if one has a value that means nothing
   */
  public static LogSettings of(UnaryOperator<@Nullable String> environment) {
    return new LogSettings(
        LogFormat.of(environment),
        level(environment, OWN_LEVEL, "info"),
        level(environment, LIBRARY_LEVEL, "warn"),
        stack(environment));
  }

  private static String level(UnaryOperator<@Nullable String> environment, String variable, String otherwise) {
    var value = environment.apply(variable);
    var level = value == null || value.isEmpty() ? otherwise : value.toLowerCase(Locale.ROOT);
    if (!LEVELS.contains(level)) {
      throw new IllegalArgumentException(
          variable + ": one of " + String.join(", ", LEVELS) + ", not '" + value + "'");
    }
    return level.toUpperCase(Locale.ROOT);
  }

  private static String stack(UnaryOperator<@Nullable String> environment) {
    var value = environment.apply(STACK);
    var stack = value == null || value.isEmpty() ? "short" : value.toLowerCase(Locale.ROOT);
    if (!stack.matches("short|full|[0-9]{1,9}")) {
      throw new IllegalArgumentException(STACK + ": a number of lines, short or full, not '" + value + "'");
    }
    return stack;
  }
}
