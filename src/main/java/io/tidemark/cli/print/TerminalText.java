package io.tidemark.cli.print;

import io.tidemark.event.SafeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Makes any text safe for a terminal, and measures the columns that a text takes on a terminal. */
public final class TerminalText {

  private static final int LONGEST_NAME = 60;

  /** Ranges of code points that take two columns: East Asian scripts and pictures. */
  private static final int[][] WIDE = {{0x1100, 0x115F}, {0x2E80, 0xA4CF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};

  private TerminalText() {}

  /**
   * Returns a text as one line of at most 60 characters before escaping, with control characters and changes of
   * direction escaped.
   */
  public static String text(String text) {
    return text(text, LONGEST_NAME);
  }

  public static String text(String text, int longest) {
    return SafeText.escaped(text, longest);
  }

  /**
   * Formats a count with its noun, whose plural must be regular: {@code 1 pool}, {@code 2 pools},
   * {@code 1,200 histories}.
   */
  public static String counted(long count, String noun) {
    var endsInY = noun.matches(".*[^aeiou]y");
    var plural = endsInY ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s";
    return "%,d %s".formatted(count, count == 1 ? noun : plural);
  }

  /** Formats a duration in at most two units: {@code 8m 38s}. */
  public static String duration(Duration duration) {
    var seconds = Math.round(duration.toMillis() / 1000.0);
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3600) {
      return twoUnits(seconds / 60, "m", seconds % 60, "s");
    }
    return seconds < 86_400
        ? twoUnits(seconds / 3600, "h", seconds % 3600 / 60, "m")
        : twoUnits(seconds / 86_400, "d", seconds % 86_400 / 3600, "h");
  }

  private static String twoUnits(long large, String unit, long small, String smaller) {
    return small == 0 ? large + unit : large + unit + " " + small + smaller;
  }

  /**
   * Wraps a text into lines of at most the given number of columns. A word that is longer than a line has its own line.
   */
  public static List<String> wrapped(String text, int columns) {
    var lines = new ArrayList<String>();
    var line = "";
    for (var word : text.split(" ", -1)) {
      var longer = line.isEmpty() ? word : line + " " + word;
      if (!line.isEmpty() && width(longer) > columns) {
        lines.add(line);
        line = word;
      } else {
        line = longer;
      }
    }
    lines.add(line);
    return lines;
  }

  /** Returns the number of columns that a text takes on a terminal. */
  static int width(String text) {
    return text.codePoints().map(TerminalText::width).sum();
  }

  /** Returns the longest beginning of a text that fits in the given number of columns. */
  static String cut(String text, int columns) {
    var cut = new StringBuilder();
    var left = columns;
    for (var point : text.codePoints().toArray()) {
      left -= width(point);
      if (left < 0) {
        break;
      }
      cut.appendCodePoint(point);
    }
    return cut.toString();
  }

  private static int width(int point) {
    var type = Character.getType(point);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    for (var range : WIDE) {
      if (point >= range[0] && point <= range[1]) {
        return 2;
      }
    }
    return 1;
  }
}
