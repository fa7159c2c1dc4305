package io.tidemark.rule.expression;

import io.tidemark.event.FigureText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Formats numbers and durations for people. Numbers are rounded, and only tiny or huge numbers have an exponent. */
final class ReadableNumber {

  private static final int SIGNIFICANT = 4;

  private static final double ROUNDED_FROM = 10_000;
  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

  /** Suffixes for the powers of a thousand. */
  private static final List<String> UNITS = List.of("", "K", "M", "B", "T");

  private ReadableNumber() {}

  /**
   * Formats a number of at least a thousand like {@code 1,234,568}, and a smaller number with four significant digits,
   * like {@code 0.000106} or {@code 2.2e-21}.
   */
  static String plain(double value) {
    if (!Double.isFinite(value)) {
      return Double.toString(value);
    }
    return FigureText.withoutZeros(FigureText.leading(BigDecimal.valueOf(value), SIGNIFICANT));
  }

  /**
   * Formats a number of at least ten thousand with three significant digits, like {@code 12.3K} or {@code 1.23M}, and a
   * smaller number like {@link #plain}.
   */
  static String rounded(double value) {
    if (!Double.isFinite(value) || Math.abs(value) < ROUNDED_FROM) {
      return plain(value);
    }
    var rounded = BigDecimal.valueOf(value).round(THREE_DIGITS);
    var digits = rounded.precision() - rounded.scale();
    var unit = Math.min((digits - 1) / 3, UNITS.size() - 1);
    return rounded.movePointLeft(3 * unit).stripTrailingZeros().toPlainString() + UNITS.get(unit);
  }

  /**
   * Formats a number with the given number of digits after the decimal point. If all digits of the result would be
   * zero, the first significant digits are used instead, like {@code 0.00042}.
   *
   * @param signed whether a number that is not negative begins with {@code +}
   */
  static String places(double value, int places, boolean signed) {
    var sign = signed && value >= 0 ? "+" : "";
    var rounded = String.format(Locale.ROOT, "%." + places + "f", value);
    return sign + (value == 0 || !Double.isFinite(value) || rounded.matches(".*[1-9].*")
        ? rounded
        : FigureText.withoutZeros(FigureText.leading(BigDecimal.valueOf(value), 2)));
  }

  /**
   * Formats a duration like {@code 4 minutes}: in the largest unit in which the number is at least 2, else in seconds.
   */
  static String duration(Duration duration) {
    if (duration.toDays() >= 2) {
      return duration.toDays() + " days";
    }
    if (duration.toHours() >= 2) {
      return duration.toHours() + " hours";
    }
    return duration.toMinutes() >= 2 ? duration.toMinutes() + " minutes" : duration.toSeconds() + " seconds";
  }
}
