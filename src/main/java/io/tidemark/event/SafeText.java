package io.tidemark.event;

import java.util.Set;

/**
 * Conversions that make untrusted text safe to print. They do not escape markup: each output format must escape its own
 * markup.
 */
public final class SafeText {

  /**
   * Unicode categories of the unsafe characters: controls, direction overrides, line separators, and characters
   * without a glyph.
   */
  private static final Set<Integer> UNSAFE = Set.of((int) Character.CONTROL, (int) Character.FORMAT,
      (int) Character.SURROGATE, (int) Character.PRIVATE_USE, (int) Character.UNASSIGNED,
      (int) Character.LINE_SEPARATOR, (int) Character.PARAGRAPH_SEPARATOR);

  private SafeText() {}

  /**
   * Returns a text on one line, for a message. Each run of unsafe characters and white space becomes one space, or
   * nothing at the ends, and a text that is too long is cut.
   *
   * @param longest maximum number of characters, including the ellipsis
   */
  public static String singleLine(String text, int longest) {
    var line = new StringBuilder();
    text.codePoints().limit(10L * longest).map(point -> isSafe(point) ? point : ' ').forEach(line::appendCodePoint);
    var one = line.toString().strip().replaceAll("\\s+", " ");
    return one.codePointCount(0, one.length()) <= longest
        ? one
        : one.substring(0, one.offsetByCodePoints(0, longest - 1)) + "…";
  }

  /**
   * Replaces unsafe characters with escapes, for terminals, logs and reports.
   *
   * @param longest maximum number of characters taken from the text. The result may be longer, because of the escapes
   *     and the {@code ...} after a text that is cut
   */
  public static String escaped(String text, int longest) {
    var shown = new StringBuilder();
    text.codePoints().limit(longest).forEach(point -> append(shown, point, isSafe(point)));
    return text.codePointCount(0, text.length()) > longest ? shown + "..." : shown.toString();
  }

  /**
   * Escapes a text of several lines, such as JSON, like {@link #escaped}, but keeps line breaks and tabs and does not
   * limit the length.
   */
  public static String escapedLines(String text) {
    var shown = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(point -> append(shown, point, point == '\n' || point == '\t' || isSafe(point)));
    return shown.toString();
  }

  /**
   * Cuts a text, and replaces unsafe characters, except private and unassigned ones, with U+FFFD, for record headers
   * and reasons.
   *
   * @param longest maximum number of UTF-16 units
   */
  public static String masked(String text, int longest) {
    var end = Math.min(text.length(), longest);
    var whole = end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
    return text.substring(0, whole).replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]", "\uFFFD");
  }

  /**
   * Converts a name to a label name that Prometheus and Alertmanager accept. Each character other than ASCII letters,
   * digits and _ becomes _. A name that is empty or begins with a digit gets a leading _.
   */
  public static String labelName(String name) {
    var valid = name.replaceAll("[^a-zA-Z0-9_]", "_");
    return valid.matches("[a-zA-Z_].*") ? valid : "_" + valid;
  }

  /** Appends a character. Escapes an unsafe character as in JSON: a character above U+FFFF becomes two escapes. */
  private static void append(StringBuilder shown, int point, boolean safe) {
    if (safe) {
      shown.appendCodePoint(point);
    } else {
      for (char unit : Character.toChars(point)) {
        shown.append(String.format("\\u%04x", (int) unit));
      }
    }
  }

  private static boolean isSafe(int point) {
    return !UNSAFE.contains(Character.getType(point));
  }
}
