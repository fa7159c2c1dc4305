package io.tidemark.stream.aggregate;

import io.tidemark.event.FigureMath;
import org.jspecify.annotations.Nullable;

/** Figures as doubles: what is missing, "NaN" or infinite is null, and so never part of a sum. */
final class FiniteNumbers {

  private FiniteNumbers() {}

  static @Nullable Double of(@Nullable String text) {
    return text == null ? null : FigureMath.parse(text);
  }

  static @Nullable Double of(@Nullable Double number) {
    return number == null || !Double.isFinite(number) ? null : number;
  }

  static double orZero(@Nullable Double number) {
    return number == null ? 0 : number;
  }

  static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }
}
