package io.tidemark.stream.candle;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.DecimalMath;
import io.tidemark.event.KnownPrice;
import io.tidemark.event.Origin;
import io.tidemark.event.PoolActivityChange;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Removed;
import io.tidemark.event.TickerChange;
import io.tidemark.event.TickerConvertedChange;
import io.tidemark.event.TokenActivityChange;
import io.tidemark.event.TokenChange;
import io.tidemark.event.Visibility;
import io.tidemark.event.VolumeWindows;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The price of a pool's base token, a token or a ticker in one change, from which candles are built.
 *
 * @param name display name of the resource, or of the coin for a ticker; null if the change contains no name
 * @param committedAt timestamp of the change's record, which is the time of its commit
 * @param before price before the change; null if the change has no price facet, or the facet had no valid price
 * @param after price after the change, likewise
 * @param beforeObservedAt time of the last observation of {@code before}; null if unknown
 * @param volume the service's rolling windows of volume in the change; null if the windows did not change
 */
record PriceUpdate(
    String resource,
    String id,
    @Nullable String name,
    Instant committedAt,
    Origin origin,
    @Nullable CandlePrice before,
    @Nullable CandlePrice after,
    @Nullable Instant beforeObservedAt,
    @Nullable VolumeWindows volume,
    @Nullable Visibility visibility,
    @Nullable Removed removed) {

  /** For each kind of resource, the attribute of the facet {@code price} from which candles are built. */
  private static final Map<String, String> ATTRIBUTES =
      Map.of("pool", "base_token_price_usd", "token", "price_usd", "ticker", "last");

  static PriceUpdate of(String id, SpecificRecord change, Instant committedAt) {
    var view = ChangeView.of(change);
    var attribute = ATTRIBUTES.get(view.resource());
    if (attribute == null) {
      throw new IllegalArgumentException("candles are not built from " + change.getSchema().getName());
    }
    var facet = Objects.requireNonNull(view.facet("price"));
    var price = facet.changeIn(change);
    var origin = Objects.requireNonNull(view.origin(change));
    return new PriceUpdate(
        view.resource(),
        id,
        AvroRecords.at(view.about(change), "name") instanceof String name ? name : null,
        committedAt,
        origin,
        price == null ? null : CandlePrice.in(facet.before(price), attribute),
        price == null ? null : CandlePrice.in(facet.after(price), attribute),
        price == null ? null : facet.beforeObservedAt(price),
        volume(change, origin.getAsOf() == null ? origin.getObservedAt() : origin.getAsOf()),
        view.visibility(change),
        view.removed(change));
  }

  /** Returns the key of the resource in stores. */
  String key() {
    return resource + "/" + id;
  }

  private static @Nullable VolumeWindows volume(SpecificRecord change, Instant at) {
    return switch (change) {
      case PoolChange pool -> volume(pool.getActivity(), at);
      case TokenChange token -> volume(token.getActivity(), at);
      case TickerChange ticker -> volume(ticker.getConverted(), at);
      default -> null;
    };
  }

  private static @Nullable VolumeWindows volume(@Nullable PoolActivityChange activity, Instant at) {
    var before = activity == null || activity.getBefore() == null ? null : activity.getBefore().getVolumeUsd();
    var after = activity == null || activity.getAfter() == null ? null : activity.getAfter().getVolumeUsd();
    return after == null || after.equals(before)
        ? null
        : new VolumeWindows(at, amount(after.getM5()), amount(after.getM15()), amount(after.getM30()),
            amount(after.getH1()), amount(after.getH6()), amount(after.getH24()));
  }

  private static @Nullable VolumeWindows volume(@Nullable TokenActivityChange activity, Instant at) {
    var before = activity == null || activity.getBefore() == null ? null : activity.getBefore().getVolumeUsd();
    var after = activity == null || activity.getAfter() == null ? null : activity.getAfter().getVolumeUsd();
    return after == null || after.equals(before) ? null : day(after.getH24(), at);
  }

  private static @Nullable VolumeWindows volume(@Nullable TickerConvertedChange converted, Instant at) {
    var before = converted == null || converted.getBefore() == null ? null : converted.getBefore().getConvertedVolume();
    var after = converted == null || converted.getAfter() == null ? null : converted.getAfter().getConvertedVolume();
    return after == null || after.equals(before) ? null : day(after.getUsd(), at);
  }

  private static VolumeWindows day(@Nullable Object sent, Instant at) {
    return new VolumeWindows(at, null, null, null, null, null, amount(sent));
  }

  /** Returns a value as an amount, or null if the value is negative or not a number. */
  private static @Nullable Double amount(@Nullable Object sent) {
    var amount = DecimalMath.number(sent);
    return amount == null || amount < 0 ? null : amount;
  }

  /**
   * Returns whether the price moved. In a baseline it never does, and in a key frame only if the price also changed.
   */
  boolean isMove() {
    return after != null && !origin.getBaseline() && !after.equals(before);
  }

  Instant observedAt() {
    return origin.getObservedAt();
  }

  /**
   * A price, as a number and as the text that the service sent.
   *
   * @param text digits of the price as they were sent; null if the price was sent as a number
   */
  record CandlePrice(@Nullable String text, double number) {

    /** Returns the stored price, or null if none is stored. */
    static @Nullable CandlePrice of(@Nullable KnownPrice known) {
      return known == null ? null : new CandlePrice(known.getText(), known.getNumber());
    }

    /** Returns the price in an attribute, or null if the value is missing, {@code NaN} or otherwise not a number. */
    private static @Nullable CandlePrice in(@Nullable IndexedRecord price, String attribute) {
      var value = AvroRecords.at(price, attribute);
      var number = DecimalMath.number(value);
      return number == null ? null : new CandlePrice(value instanceof String text ? text : null, number);
    }
  }
}
