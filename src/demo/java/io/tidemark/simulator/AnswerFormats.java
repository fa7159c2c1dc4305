package io.tidemark.simulator;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The formats in which the service sends numbers, times and URLs of images. */
final class AnswerFormats {
  private static final MathContext PRICE = new MathContext(17);
  private static final MathContext NUMBER = new MathContext(12);
  private static final String IMAGES = "https://images.example/";

  private AnswerFormats() {}

  /**
   * Formats a price as a decimal, rounded to 17 significant digits, without zeros at the end but with at least one
   * decimal place.
   */
  static String price(double value) {
    return plain(new BigDecimal(value).round(PRICE));
  }

  /**
   * Formats an amount of USD as {@link #price} does, but rounded to nine decimal places unless it is between 0 and 1,
   * both exclusive.
   */
  static String usd(double value) {
    return value > 0 && value < 1 ? price(value) : plain(new BigDecimal(value).setScale(9, RoundingMode.HALF_EVEN));
  }

  /** Formats a percentage as {@link #price} does, but rounded to three decimal places. */
  static String percent(double value) {
    return plain(new BigDecimal(value).setScale(3, RoundingMode.HALF_EVEN));
  }

  /** Rounds a JSON number to twelve significant digits. */
  static double number(double value) {
    return new BigDecimal(value).round(NUMBER).doubleValue();
  }

  static double rounded(double value, int places) {
    return new BigDecimal(value).setScale(places, RoundingMode.HALF_EVEN).doubleValue();
  }

  private static String plain(BigDecimal value) {
    var stripped = value.stripTrailingZeros();
    return (stripped.scale() < 1 ? stripped.setScale(1, RoundingMode.UNNECESSARY) : stripped).toPlainString();
  }

  /** Adds an attribute to {@code nulls}, the null attributes of an answer, if the value of the attribute is null. */
  static void addIfNull(Set<String> nulls, String attribute, @Nullable Object value) {
    if (value == null) {
      nulls.add(attribute);
    }
  }

  /** Formats a time in ISO 8601, to the second. */
  static String second(long at) {
    return Instant.ofEpochMilli(at).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /**
   * Returns the URL of an image.
   *
   * @param kind {@code coins}, {@code tokens}, {@code markets} or {@code platforms}
   */
  static String image(String kind, String id, String size) {
    return IMAGES + kind + "/" + id + "/" + size + ".png";
  }
}
