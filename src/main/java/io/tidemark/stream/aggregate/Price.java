package io.tidemark.stream.aggregate;

import io.tidemark.event.KnownPrice;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.rule.Decimals;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A price that is a number, with the digits it was sent as. */
record Price(String text, double number) {

  /** The price of a pool's base token after a change; null where the change has none, or none that is a number. */
  static @Nullable Price after(PoolChange change) {
    return change.getPrice() == null ? null : of(text(change.getPrice().getAfter()));
  }

  /** The price before a change, likewise. */
  static @Nullable Price before(PoolChange change) {
    return change.getPrice() == null ? null : of(text(change.getPrice().getBefore()));
  }

  /** The price last known; null where none is. */
  static @Nullable Price of(@Nullable KnownPrice known) {
    return known == null ? null : of(known.getText());
  }

  /** Whether the change moved the price: what was there when watching began, and frames, did not. */
  static boolean moved(PoolChange change) {
    var price = change.getPrice();
    return price != null
        && !change.getOrigin().getBaseline()
        && !Objects.equals(text(price.getBefore()), text(price.getAfter()));
  }

  private static @Nullable Price of(@Nullable String text) {
    var number = text == null ? null : Decimals.parse(text);
    return text == null || number == null ? null : new Price(text, number);
  }

  private static @Nullable String text(@Nullable PoolPrice price) {
    return price == null ? null : price.getBaseTokenPriceUsd();
  }
}
