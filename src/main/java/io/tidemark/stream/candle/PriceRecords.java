package io.tidemark.stream.candle;

import static java.util.Objects.requireNonNullElse;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.DecimalMath;
import io.tidemark.event.Price;
import io.tidemark.event.VolumeWindows;
import io.tidemark.stream.candle.CandleWindows.PriceMove;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Moves of prices as flat records. */
final class PriceRecords {

  static final String TOPIC = "prices";
  private static final VolumeWindows NO_VOLUME = new VolumeWindows(Instant.EPOCH, null, null, null, null, null, null);

  private PriceRecords() {}

  /**
   * @param change change that contains the price
   * @param volume newest known windows of volume of the resource; null if none are known
   */
  static Price of(PriceUpdate update, PriceMove move, SpecificRecord change, @Nullable VolumeWindows volume) {
    var windows = requireNonNullElse(volume, NO_VOLUME);
    var isTicker = update.resource().equals("ticker");
    return Price.newBuilder()
        .setTime(update.observedAt())
        .setKind(update.resource())
        .setId(update.id())
        .setNetwork(text(change, "network"))
        .setName(update.name())
        .setSymbol(
            text(change, isTicker ? "base" : update.resource().equals("pool") ? "about.base_symbol" : "about.symbol"))
        .setCurrency(isTicker ? requireNonNullElse(text(change, "target"), "") : "USD")
        .setPrice(move.price().number())
        .setPriceText(move.price().text())
        .setPreviousPrice(move.before() == move.price() ? null : (Double) move.before().number())
        .setPriceUsd(DecimalMath.number(AvroRecords.at(change, "about.price_usd")))
        .setReserveUsd(DecimalMath.number(AvroRecords.at(change, "about.reserve_usd")))
        .setVolumeUsd5m(windows.getM5())
        .setVolumeUsd15m(windows.getM15())
        .setVolumeUsd30m(windows.getM30())
        .setVolumeUsd1h(windows.getH1())
        .setVolumeUsd6h(windows.getH6())
        .setVolumeUsd24h(windows.getH24())
        .setSourceTime(update.origin().getAsOf())
        .build();
  }

  private static @Nullable String text(SpecificRecord change, String path) {
    return AvroRecords.at(change, path) instanceof String text ? text : null;
  }
}
