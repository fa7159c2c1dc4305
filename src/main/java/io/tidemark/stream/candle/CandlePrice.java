package io.tidemark.stream.candle;

import io.tidemark.event.FigureMath;
import io.tidemark.event.KnownPrice;
import org.jspecify.annotations.Nullable;

/**
 * A price that is a number, with the digits it was sent as.
 *
 * @param text null where it was sent as a number
 */
record CandlePrice(@Nullable String text, double number) {

  /** Null where the text is none, {@code NaN} or anything else that is no number. */
  static @Nullable CandlePrice of(@Nullable String text) {
    var number = text == null ? null : FigureMath.parse(text);
    return number == null ? null : new CandlePrice(text, number);
  }

  /** Null where the number is missing, or none. */
  static @Nullable CandlePrice of(@Nullable Double number) {
    return number == null || !Double.isFinite(number) ? null : new CandlePrice(null, number);
  }

  /** The price last known; null where none is. */
  static @Nullable CandlePrice of(@Nullable KnownPrice known) {
    return known == null ? null : new CandlePrice(known.getText(), known.getNumber());
  }
}
