package io.tidemark.rule.expression;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Numbers and durations as people write them: rounded, never with an exponent. */
final class ReadableNumber {

  private static final int SIGNIFICANT = 4;

  /** Below this, zero: no price has a value there. */
  private static final double SMALLEST = 1e-18;

  private static final double ROUNDED_FROM = 10_000;
  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

  /** Names of the powers of a thousand. */
  private static final List<String> UNITS = List.of("", "K", "M", "B", "T");

  private ReadableNumber() {}

  /** {@code 1,234,568} from a thousand on; smaller ones with four significant digits: {@code 0.000106}. */
  static String plain(double value) {
    if (!Double.isFinite(value)) {
      return Double.toString(value);
    }
    if (Math.abs(value) >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (Math.abs(value) < SMALLEST) {
      return "0";
    }
    var rounded = BigDecimal.valueOf(value).round(new MathContext(SIGNIFICANT, RoundingMode.HALF_UP));
    return rounded.stripTrailingZeros().toPlainString();
  }

  /** From ten thousand on three significant digits: {@code 12.3K}, {@code 1.23M}; smaller ones like {@link #plain}. */
  static String rounded(double value) {
    if (!Double.isFinite(value) || Math.abs(value) < ROUNDED_FROM) {
      return plain(value);
    }
    var rounded = BigDecimal.valueOf(value).round(THREE_DIGITS);
    var digits = rounded.precision() - rounded.scale();
    var unit = Math.min((digits - 1) / 3, UNITS.size() - 1);
    return rounded.movePointLeft(3 * unit).stripTrailingZeros().toPlainString() + UNITS.get(unit);
  }

  /** {@code 4 minutes}: the largest unit of which there are at least two, or seconds. */
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
