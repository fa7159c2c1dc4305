package io.tidemark.stream.candle;

import io.tidemark.event.Attribute;
import io.tidemark.event.ChangeView;
import io.tidemark.event.DecimalMath;
import io.tidemark.event.FacetView;
import io.tidemark.event.KnownPrice;
import io.tidemark.event.Origin;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
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

  private static final Map<Class<?>, PriceField> FIELDS = List.of(
      PriceField.of("pool", "base_token_price_usd"),
      PriceField.of("token", "price_usd"),
      PriceField.of("ticker", "last"))
      .stream()
      .collect(Collectors.toMap(field -> field.view().type(), field -> field));

  /** The update of a change of a pool, a token or a ticker. */
  static PriceUpdate of(SpecificRecord change) {
    var field = FIELDS.get(change.getClass());
    if (field == null) {
      throw new IllegalArgumentException("candles are not built from " + change.getSchema().getName());
    }
    return field.update(change);
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
    private static @Nullable CandlePrice ofValue(@Nullable Object value) {
      var number = DecimalMath.number(value);
      return number == null ? null : new CandlePrice(value instanceof String text ? text : null, number);
    }
  }

  /** The attribute of a resource's facet {@code price} that its candles are built from. */
  private record PriceField(ChangeView view, FacetView facet, Attribute attribute) {

    static PriceField of(String resource, String attribute) {
      var view = ChangeView.ofResource(resource);
      var facet = Objects.requireNonNull(view.facet("price"));
      var found = facet.attributes().stream().filter(each -> each.name().equals(attribute)).findFirst().orElseThrow();
      return new PriceField(view, facet, found);
    }

    PriceUpdate update(SpecificRecord change) {
      var price = facet.changeIn(change);
      return new PriceUpdate(
          view.resource(),
          Objects.requireNonNull(view.origin(change)),
          price == null ? null : price(facet.before(price)),
          price == null ? null : price(facet.after(price)),
          price == null ? null : facet.beforeObservedAt(price),
          view.visibility(change),
          view.removed(change));
    }

    private @Nullable CandlePrice price(@Nullable IndexedRecord value) {
      return value == null ? null : CandlePrice.ofValue(attribute.in(value));
    }
  }
}
