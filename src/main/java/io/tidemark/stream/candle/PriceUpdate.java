package io.tidemark.stream.candle;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.DecimalMath;
import io.tidemark.event.KnownPrice;
import io.tidemark.event.Origin;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The price in one change, from which candles are built: of a pool's base token, a token, or a ticker. */
record PriceUpdate(
    String resource,
    Origin origin,
    @Nullable CandlePrice before,
    @Nullable CandlePrice after,
    @Nullable Instant beforeObservedAt,
    @Nullable Visibility visibility,
    @Nullable Removed removed) {

  /** The attribute of a resource's facet {@code price} that its candles are built from. */
  private static final Map<String, String> ATTRIBUTES =
      Map.of("pool", "base_token_price_usd", "token", "price_usd", "ticker", "last");

  static PriceUpdate of(SpecificRecord change) {
    var view = ChangeView.of(change);
    var attribute = ATTRIBUTES.get(view.resource());
    if (attribute == null) {
      throw new IllegalArgumentException("candles are not built from " + change.getSchema().getName());
    }
    var facet = Objects.requireNonNull(view.facet("price"));
    var price = facet.changeIn(change);
    return new PriceUpdate(
        view.resource(),
        Objects.requireNonNull(view.origin(change)),
        price == null ? null : CandlePrice.in(facet.before(price), attribute),
        price == null ? null : CandlePrice.in(facet.after(price), attribute),
        price == null ? null : facet.beforeObservedAt(price),
        view.visibility(change),
        view.removed(change));
  }

  /** Whether the price moved: in a baseline and a key frame it did not. */
  boolean isMove() {
    return after != null && !origin.getBaseline() && !after.equals(before);
  }

  Instant observedAt() {
    return origin.getObservedAt();
  }

  /**
   * A price that is a number.
   *
   * @param text its digits; null where it was sent as a number
   */
  record CandlePrice(@Nullable String text, double number) {

    /** The price that is stored; null where none is. */
    static @Nullable CandlePrice of(@Nullable KnownPrice known) {
      return known == null ? null : new CandlePrice(known.getText(), known.getNumber());
    }

    /** Null where the value is missing, {@code NaN} or anything else that is no number. */
    private static @Nullable CandlePrice in(@Nullable IndexedRecord price, String attribute) {
      var value = AvroRecords.at(price, attribute);
      var number = DecimalMath.number(value);
      return number == null ? null : new CandlePrice(value instanceof String text ? text : null, number);
    }
  }
}
