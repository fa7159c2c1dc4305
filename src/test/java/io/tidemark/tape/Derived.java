package io.tidemark.tape;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Figures of the tape that no body holds. */
final class Derived {
  /** The attribute whose move a facet's change tells in percent. */
  static final Map<String, String> MOVES = Map.of(
      "pool.price", "base_token_price_usd",
      "token.price", "price_usd",
      "ticker.price", "last",
      "contract.price", "last");

  private Derived() {}

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

  static @Nullable Double movePercent(@Nullable Object before, @Nullable Object after) {
    Double from = number(before);
    Double to = number(after);
    if (from == null || to == null || from == 0) {
      return null;
    }
    double move = 100 * (to / from - 1);
    return Double.isFinite(move) ? move : null;
  }

  static @Nullable Double difference(@Nullable Object before, @Nullable Object after) {
    Double from = number(before);
    Double to = number(after);
    return from == null || to == null ? null : to - from;
  }
}
