package io.tidemark.stream.aggregate;

import io.tidemark.event.TickerChange;
import io.tidemark.event.TokenChange;
import io.tidemark.event.VenueFigures;
import org.jspecify.annotations.Nullable;

/** What changes of tickers and tokens say of the places where a coin has a price; those that are gone are null. */
final class VenueReading {

  private VenueReading() {}

  static @Nullable VenueFigures ticker(VenueFigures venue, TickerChange change) {
    if (change.getRemoved() != null) {
      return null;
    }
    venue.setKind("ticker");
    venue.setCoin(change.getCoin());
    venue.setMarket(change.getMarket());
    venue.setId(String.join("/", change.getCoin(), change.getMarket(), change.getBase(), change.getTarget()));
    venue.setPriceUsd(FiniteNumbers.of(change.getAbout().getPriceUsd()));
    if (change.getVisibility() != null) {
      venue.setVisible(change.getVisibility().getVisible());
    }
    var converted = change.getConverted() == null ? null : change.getConverted().getAfter();
    if (converted != null && converted.getConvertedVolume() != null) {
      venue.setSizeUsd(FiniteNumbers.of(converted.getConvertedVolume().getUsd()));
    }
    var standing = change.getQuality() == null ? null : change.getQuality().getAfter();
    if (standing != null) {
      venue.setDoubtful(
          Boolean.TRUE.equals(standing.getIsStale()) || Boolean.TRUE.equals(standing.getIsAnomaly()));
    }
    return venue;
  }

  /** A token without a pool in sight, or of no coin, is known and counts nowhere. */
  static @Nullable VenueFigures token(VenueFigures venue, TokenChange change) {
    if (change.getRemoved() != null) {
      return null;
    }
    venue.setKind("pool");
    venue.setMarket(change.getNetwork());
    if (change.getVisibility() != null) {
      venue.setVisible(change.getVisibility().getVisible());
    }
    var description = change.getDescription() == null ? null : change.getDescription().getAfter();
    if (description != null) {
      venue.setCoin(description.getServiceCoinId());
    }
    var deepest = change.getPoolPrice() == null ? null : change.getPoolPrice().getAfter();
    if (deepest != null) {
      venue.setId(deepest.getPool());
      venue.setPriceUsd(FiniteNumbers.of(deepest.getPriceUsd()));
      venue.setSizeUsd(FiniteNumbers.of(deepest.getReserveUsd()));
    }
    return venue;
  }
}
