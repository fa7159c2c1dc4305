package io.tidemark.event;

import java.util.Set;

/** What strangers wrote, made fit to be shown: one line, bounded; markup is left to whoever knows the format. */
public final class SafeText {

  private static final String CUT = "…";

  /** Controls, overrides of direction, separators of lines, and what has no glyph. */
  private static final Set<Integer> UNSAFE = Set.of((int) Character.CONTROL, (int) Character.FORMAT,
      (int) Character.SURROGATE, (int) Character.PRIVATE_USE, (int) Character.UNASSIGNED,
      (int) Character.LINE_SEPARATOR, (int) Character.PARAGRAPH_SEPARATOR);

  private SafeText() {}

  /** For messages: characters that move, hide or break text are left out. At most so many characters, with the cut's. */
  public static String singleLine(String text, int longest) {
    var line = new StringBuilder();
    text.codePoints()
        .limit(10L * longest)
        .map(point -> isHarmless(point) ? point : ' ')
        .forEach(line::appendCodePoint);
    return bounded(line.toString().strip().replaceAll("\\s+", " "), longest);
  }

  /** For terminals, logs and reports: such characters are written out. So many of the text at most. */
  public static String escaped(String text, int longest) {
    var shown = new StringBuilder();
    text.codePoints().limit(longest).forEach(point -> {
      if (isHarmless(point)) {
        shown.appendCodePoint(point);
      } else {
        shown.append(String.format("\\u%04x", point));
      }
    });
    return text.codePointCount(0, text.length()) > longest ? shown + "..." : shown.toString();
  }

  /** For headers and messages of records: such characters become replacement marks. At most so many UTF-16 units. */
  public static String masked(String text, int longest) {
    var end = Math.min(text.length(), longest);
    var whole = end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
    return text.substring(0, whole).replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]", "\uFFFD");
  }

  private static boolean isHarmless(int point) {
    return !UNSAFE.contains(Character.getType(point));
  }

  private static String bounded(String line, int longest) {
    return line.codePointCount(0, line.length()) <= longest
        ? line
        : line.substring(0, line.offsetByCodePoints(0, longest - 1)) + CUT;
  }
}
