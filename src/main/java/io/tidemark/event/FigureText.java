package io.tidemark.event;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Formatting of figures of any size for people. The function {@code leading} in the web page's {@code text.js} does
 * the same, except that its third parameter is a minimum number of digits after the decimal point.
 */
public final class FigureText {

  private static final int SMALLEST_PLAIN = -7;
  private static final int LARGEST_PLAIN = 15;

  private FigureText() {}

  /**
   * Formats a figure rounded to a number of leading digits, such as {@code 1,234.5} or {@code 0.00012345}. Digits
   * before the decimal point are never cut. A figure whose absolute value is below one ten-millionth or from ten
   * quadrillion up is written with an exponent, such as {@code 2.2000e-21}. Zero is written as {@code 0}.
   */
  public static String leading(BigDecimal amount, int digits) {
    return leading(amount, digits, Integer.MAX_VALUE);
  }

  /**
   * Formats a figure rounded to a number of leading digits, with a limit on the digits after the decimal point.
   *
   * @param mostPlaces maximum number of digits after the decimal point, for a figure without an exponent
   */
  public static String leading(BigDecimal amount, int digits, int mostPlaces) {
    if (amount.signum() == 0) {
      return "0";
    }
    var rounded = amount.round(new MathContext(digits, RoundingMode.HALF_UP));
    var size = rounded.precision() - rounded.scale() - 1;
    if (size < SMALLEST_PLAIN || size > LARGEST_PLAIN) {
      var mantissa = rounded.movePointLeft(size).setScale(digits - 1, RoundingMode.HALF_UP);
      return mantissa.toPlainString() + "e" + (size < 0 ? "" : "+") + size;
    }
    var places = Math.min(Math.max(0, digits - 1 - size), mostPlaces);
    return String.format(Locale.ROOT, "%,." + places + "f", amount);
  }

  /**
   * Removes trailing zeros after the decimal point, also before an exponent, and the point itself if no digit is left
   * after it.
   */
  public static String withoutZeros(String figure) {
    return figure.replaceFirst("(\\.\\d*?)0+(?=e|$)", "$1").replaceFirst("\\.(?=e|$)", "");
  }
}
