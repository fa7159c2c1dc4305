package io.tidemark.stream.aggregate;

import io.tidemark.event.TickerChange;
import io.tidemark.event.TokenChange;
import io.tidemark.event.VenueFigures;
import org.jspecify.annotations.Nullable;

/** What changes of tickers and tokens say of the places where a coin has a price; those that are gone are null. */
final class VenueReading {

  private VenueReading() {}

  static @Nullable VenueFigures ticker(VenueFigures venue, TickerChange change) {
    if (change.getLeft() != null) {
      return null;
    }
    venue.setKind("ticker");
    venue.setCoin(change.getCoin());
    venue.setMarket(change.getMarket());
    venue.setId(String.join("/", change.getCoin(), change.getMarket(), change.getBase(), change.getTarget()));
    venue.setPriceUsd(Decimal.of(change.getAbout().getPriceUsd()));
    if (change.getSight() != null) {
      venue.setInSight(change.getSight().getInSight());
    }
    var converted = change.getConverted() == null ? null : change.getConverted().getAfter();
    if (converted != null && converted.getConvertedVolume() != null) {
      venue.setSizeUsd(Decimal.of(converted.getConvertedVolume().getUsd()));
    }
    var standing = change.getStanding() == null ? null : change.getStanding().getAfter();
    if (standing != null) {
      venue.setDoubtful(
          Boolean.TRUE.equals(standing.getIsStale()) || Boolean.TRUE.equals(standing.getIsAnomaly()));
    }
    return venue;
  }

  /** A token without a pool in sight, or of no coin, is known and counts nowhere. */
  static @Nullable VenueFigures token(VenueFigures venue, TokenChange change) {
    if (change.getLeft() != null) {
      return null;
    }
    venue.setKind("pool");
    venue.setMarket(change.getNetwork());
    if (change.getSight() != null) {
      venue.setInSight(change.getSight().getInSight());
    }
    var description = change.getDescription() == null ? null : change.getDescription().getAfter();
    if (description != null) {
      venue.setCoin(description.getServiceCoinId());
    }
    var deepest = change.getPoolPrice() == null ? null : change.getPoolPrice().getAfter();
    if (deepest != null) {
      venue.setId(deepest.getPool());
      venue.setPriceUsd(Decimal.of(deepest.getPriceUsd()));
      venue.setSizeUsd(Decimal.of(deepest.getReserveUsd()));
    }
    return venue;
  }
}
