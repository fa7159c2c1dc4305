package io.tidemark.stream.candle;

import io.tidemark.event.KnownPrice;
import io.tidemark.rule.Decimals;
import org.jspecify.annotations.Nullable;

/**
 * A price that is a number, with the digits it was sent as.
 *
 * @param text null where it was sent as a number
 */
record Price(@Nullable String text, double number) {

  /** Null where the text is none, {@code NaN} or anything else that is no number. */
  static @Nullable Price of(@Nullable String text) {
    var number = text == null ? null : Decimals.parse(text);
    return number == null ? null : new Price(text, number);
  }

  /** Null where the number is missing, or none. */
  static @Nullable Price of(@Nullable Double number) {
    return number == null || !Double.isFinite(number) ? null : new Price(null, number);
  }

  /** The price last known; null where none is. */
  static @Nullable Price of(@Nullable KnownPrice known) {
    return known == null ? null : new Price(known.getText(), known.getNumber());
  }
}
