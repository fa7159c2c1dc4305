package io.tidemark.stream.alert;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Words for people: names made harmless, figures made short. */
final class Wording {

  private static final int LONGEST_NAME = 80;

  /** Kinds of characters that move, hide or break text: controls, overrides of direction, separators of lines. */
  private static final Set<Integer> UNSAFE = Set.of(
      (int) Character.CONTROL,
      (int) Character.FORMAT,
      (int) Character.SURROGATE,
      (int) Character.PRIVATE_USE,
      (int) Character.UNASSIGNED,
      (int) Character.LINE_SEPARATOR,
      (int) Character.PARAGRAPH_SEPARATOR);

  private Wording() {}

  /** A name that a stranger chose: one line of at most 80 characters, without any that could do harm. */
  static String name(@Nullable String name) {
    var harmless = new StringBuilder();
    (name == null ? "" : name)
        .codePoints()
        .map(point -> UNSAFE.contains(Character.getType(point)) ? ' ' : point)
        .limit(10L * LONGEST_NAME)
        .forEach(harmless::appendCodePoint);
    var line = harmless.toString().strip().replaceAll("\\s+", " ");
    return line.isEmpty() ? "unnamed" : bounded(line);
  }

  /** {@code 1234567.8} as {@code 1,234,568 USD}; small values keep four digits. */
  static String usd(@Nullable Double value) {
    if (value == null) {
      return "unknown";
    }
    return Math.abs(value) >= 1000
        ? String.format(Locale.ROOT, "%,.0f USD", value)
        : String.format(Locale.ROOT, "%.4g USD", value);
  }

  /** {@code 4 minutes} and the like: the largest unit that counts at least two, or seconds. */
  static String span(Duration span) {
    if (span.toHours() >= 2) {
      return span.toHours() + " hours";
    }
    return span.toMinutes() >= 2 ? span.toMinutes() + " minutes" : span.toSeconds() + " seconds";
  }

  private static String bounded(String line) {
    return line.codePointCount(0, line.length()) <= LONGEST_NAME
        ? line
        : line.substring(0, line.offsetByCodePoints(0, LONGEST_NAME - 1)) + "…";
  }
}
