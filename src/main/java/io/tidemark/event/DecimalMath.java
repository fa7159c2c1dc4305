package io.tidemark.event;

import com.fasterxml.jackson.core.io.NumberInput;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic on figures, which may be missing, NaN, infinite or written as decimal text. A result that cannot be
 * computed is null.
 */
@NullMarked
public final class DecimalMath {
  private static final double PERCENT = 100;

  private DecimalMath() {}

  /** Converts a number or a decimal text to a number. Returns null for NaN, infinities and any other value. */
  public static @Nullable Double number(@Nullable Object value) {
    return switch (value) {
      case Number number -> finite(number.doubleValue());
      case String text -> parse(text);
      case null, default -> null;
    };
  }

  /** Parses decimal text. Returns null for NaN, infinities and text that is not a number. */
  public static @Nullable Double parse(String text) {
    try {
      return finite(NumberInput.parseDouble(text, true));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Returns the number, or null if it is NaN or infinite. */
  public static @Nullable Double finite(double number) {
    return Double.isFinite(number) ? number : null;
  }

  /** Returns the change in percent, 100 (after / before - 1), or null if the result cannot be computed. */
  public static @Nullable Double percentChange(@Nullable Object before, @Nullable Object after) {
    var from = number(before);
    var to = number(after);
    return from == null || to == null || from == 0 ? null : finite(PERCENT * (to / from - 1));
  }

  /**
   * Returns the rise in percent of the absolute value before, 100 (after - before) / |before|, or null if the result
   * cannot be computed. It is positive if a figure rises, also a negative one.
   */
  public static @Nullable Double percentRise(@Nullable Object before, @Nullable Object after) {
    var change = percentChange(before, after);
    var from = number(before);
    return change == null || from == null || from > 0 ? change : Double.valueOf(0 - change);
  }

  /** Returns after - before, or null if the result cannot be computed. */
  public static @Nullable Double difference(@Nullable Object before, @Nullable Object after) {
    var from = number(before);
    var to = number(after);
    return from == null || to == null ? null : finite(to - from);
  }
}
