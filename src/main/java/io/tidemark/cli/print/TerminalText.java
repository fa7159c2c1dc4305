package io.tidemark.cli.print;

import io.tidemark.event.SafeText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/** Text and figures that are safe and short on a terminal, whoever chose them. */
public final class TerminalText {

  private static final int LONGEST_NAME = 60;
  private static final int DIGITS = 6;
  private static final int LONGEST_FIGURE = 200;
  private static final Pattern FIGURE = Pattern.compile("-?\\d+(\\.\\d+)?([eE][-+]?\\d{1,3})?");

  private TerminalText() {}

  /** One bounded line; control characters and changes of direction are escaped. */
  public static String text(String text) {
    return text(text, LONGEST_NAME);
  }

  public static String text(String text, int longest) {
    return SafeText.escaped(text, longest);
  }

  /** A figure with six significant digits and at least two decimals; anything else as text. */
  static String value(Object value) {
    var text = value.toString();
    return text.length() <= LONGEST_FIGURE && FIGURE.matcher(text).matches() ? figure(text) : text(text);
  }

  private static String figure(String text) {
    var figure = new BigDecimal(text);
    var wholeDigits = figure.precision() - figure.scale();
    var decimals = Math.max(2, DIGITS - wholeDigits);
    var rounded = figure.scale() > decimals ? figure.setScale(decimals, RoundingMode.HALF_UP) : figure;
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }
}
