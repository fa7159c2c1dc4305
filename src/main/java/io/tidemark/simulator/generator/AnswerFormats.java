package io.tidemark.simulator.generator;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Figures in the forms the service sends. */
public final class AnswerFormats {
  private static final MathContext PRICE = new MathContext(17);
  private static final MathContext NUMBER = new MathContext(12);

  private AnswerFormats() {}

  /** A decimal with all its digits. */
  public static String price(double value) {
    return plain(new BigDecimal(value).round(PRICE));
  }

  /** USD to nine places, or more where it is next to nothing. */
  public static String usd(double value) {
    return value > 0 && value < 1 ? price(value) : plain(new BigDecimal(value).setScale(9, RoundingMode.HALF_EVEN));
  }

  /** A percentage to three places. */
  public static String percent(double value) {
    return plain(new BigDecimal(value).setScale(3, RoundingMode.HALF_EVEN));
  }

  /** A JSON number of twelve digits. */
  public static double number(double value) {
    return new BigDecimal(value).round(NUMBER).doubleValue();
  }

  public static double rounded(double value, int places) {
    return new BigDecimal(value).setScale(places, RoundingMode.HALF_EVEN).doubleValue();
  }

  private static String plain(BigDecimal value) {
    var stripped = value.stripTrailingZeros();
    return (stripped.scale() < 1 ? stripped.setScale(1, RoundingMode.UNNECESSARY) : stripped).toPlainString();
  }
}
