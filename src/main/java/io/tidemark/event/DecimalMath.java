package io.tidemark.event;

import com.fasterxml.jackson.core.io.NumberInput;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Arithmetic on figures that may be missing, decimal text or no finite number: null in such a case, never an error. */
@NullMarked
public final class DecimalMath {
  private static final double PERCENT = 100;

  private DecimalMath() {}

  /** The number that a value stands for: a number or decimal text. Null for NaN, infinities and what is no number. */
  public static @Nullable Double number(@Nullable Object value) {
    return switch (value) {
      case Number number -> finite(number.doubleValue());
      case String text -> parse(text);
      case null, default -> null;
    };
  }

  /** The number that decimal text stands for; null for NaN, infinities and what is no number. */
  public static @Nullable Double parse(String text) {
    try {
      return finite(NumberInput.parseDouble(text, true));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The number itself; null where it is NaN or infinite. */
  public static @Nullable Double finite(double number) {
    return Double.isFinite(number) ? number : null;
  }

  /** 100 (after / before - 1); null where it cannot be computed. */
  public static @Nullable Double percentChange(@Nullable Object before, @Nullable Object after) {
    var from = number(before);
    var to = number(after);
    return from == null || to == null || from == 0 ? null : finite(PERCENT * (to / from - 1));
  }

  /** after - before; null where it cannot be computed. */
  public static @Nullable Double difference(@Nullable Object before, @Nullable Object after) {
    var from = number(before);
    var to = number(after);
    return from == null || to == null ? null : finite(to - from);
  }
}
