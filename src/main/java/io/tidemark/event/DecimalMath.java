package io.tidemark.event;

import com.fasterxml.jackson.core.io.NumberInput;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic on figures that may be missing, decimal text or not finite. Results are null if they cannot be computed.
 */
@NullMarked
public final class DecimalMath {
  private static final double PERCENT = 100;

  private DecimalMath() {}

  /**
   * Returns the number in a value, which may be a number or decimal text, or null for NaN, infinities and anything
   * else.
   */
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

  /** Returns 100 (after / before - 1), or null if it cannot be computed. */
  public static @Nullable Double percentChange(@Nullable Object before, @Nullable Object after) {
    var from = number(before);
    var to = number(after);
    return from == null || to == null || from == 0 ? null : finite(PERCENT * (to / from - 1));
  }

  /** Returns after - before, or null if it cannot be computed. */
  public static @Nullable Double difference(@Nullable Object before, @Nullable Object after) {
    var from = number(before);
    var to = number(after);
    return from == null || to == null ? null : finite(to - from);
  }
}
