package io.tidemark.eventlog;

import org.jspecify.annotations.Nullable;

/** Values of attributes as numbers. */
final class AttributeFigures {
  private AttributeFigures() {}

  /** Returns null if the value is not a finite number. */
  static @Nullable Double number(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    try {
      double number = value == null ? Double.NaN : Double.parseDouble(value.toString());
      return Double.isFinite(number) ? number : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
