package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.number;
import static io.tidemark.event.DecimalMath.percentChange;

import io.tidemark.event.TickerChange;
import io.tidemark.event.TokenChange;
import io.tidemark.event.Venue;
import io.tidemark.event.VenueFigures;
import io.tidemark.event.Venues;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Venues: the price of one coin on each market, and in the deepest pool of each of the coin's tokens. */
public final class VenuesByCoin extends Aggregation<VenueFigures, Venues> {

  private static final Comparator<Venue> BY_PRICE =
      Comparator.comparingDouble(Venue::getPriceUsd).thenComparing(Venue::getId);

  public VenuesByCoin() {
    super("venues", VenueFigures.class, Venues.class, TickerChange.class, TokenChange.class);
  }

  @Override
  protected VenueFigures fold(@Nullable VenueFigures known, SpecificRecord record) {
    var venue = known == null ? VenueFigures.newBuilder().build() : known;
    return record instanceof TokenChange token ? fold(venue, token) : fold(venue, (TickerChange) record);
  }

  private static VenueFigures fold(VenueFigures venue, TickerChange change) {
    venue.setKind("ticker");
    venue.setCoin(change.getCoin());
    venue.setMarket(change.getMarket());
    venue.setId(String.join("/", change.getCoin(), change.getMarket(), change.getBase(), change.getTarget()));
    venue.setPriceUsd(number(change.getAbout().getPriceUsd()));
    venue.setVisible(isVisible(change.getVisibility(), venue.getVisible()));
    var converted = change.getConverted() == null ? null : change.getConverted().getAfter();
    if (converted != null && converted.getConvertedVolume() != null) {
      venue.setSizeUsd(number(converted.getConvertedVolume().getUsd()));
    }
    var quality = change.getQuality() == null ? null : change.getQuality().getAfter();
    if (quality != null) {
      venue.setDoubtful(Boolean.TRUE.equals(quality.getIsStale()) || Boolean.TRUE.equals(quality.getIsAnomaly()));
    }
    return venue;
  }

  /**
   * Folds a change of a token. A token is a member of no group until its coin and a pool with its price are known.
   * The last known pool price stays if a change has none.
   */
  private static VenueFigures fold(VenueFigures venue, TokenChange change) {
    venue.setKind("pool");
    venue.setMarket(change.getNetwork());
    venue.setVisible(isVisible(change.getVisibility(), venue.getVisible()));
    var description = change.getDescription() == null ? null : change.getDescription().getAfter();
    if (description != null) {
      venue.setCoin(description.getServiceCoinId());
    }
    var deepest = change.getPoolPrice() == null ? null : change.getPoolPrice().getAfter();
    if (deepest != null) {
      venue.setId(deepest.getPool());
      venue.setPriceUsd(number(deepest.getPriceUsd()));
      venue.setSizeUsd(number(deepest.getReserveUsd()));
    }
    return venue;
  }

  @Override
  protected List<String> groups(VenueFigures venue) {
    return venue.getCoin() == null || venue.getId() == null ? List.of() : List.of(venue.getCoin());
  }

  @Override
  protected Summary<VenueFigures, Venues> summary(String coin, Instant at) {
    return Summary.ofAll(venues -> aggregate(coin, venues));
  }

  private static Venues aggregate(String coin, List<VenueFigures> known) {
    var compared = known.stream().filter(VenuesByCoin::isComparable).map(VenuesByCoin::venue).sorted(BY_PRICE).toList();
    var venues = Venues.newBuilder().build();
    venues.setCoin(coin);
    venues.setVenues(known.size());
    venues.setVisible((int) known.stream().filter(VenueFigures::getVisible).count());
    venues.setCompared(compared.size());
    venues.setTickers((int) compared.stream().filter(venue -> venue.getKind().equals("ticker")).count());
    venues.setPools(compared.size() - venues.getTickers());
    if (!compared.isEmpty()) {
      compare(venues, compared);
    }
    return venues;
  }

  private static void compare(Venues venues, List<Venue> compared) {
    var cheapest = compared.getFirst();
    var dearest = compared.getLast();
    venues.setCheapest(cheapest);
    venues.setDearest(dearest);
    venues.setMedianUsd(median(compared));
    venues.setSpreadPercent(
        compared.size() < 2 ? null : percentChange(cheapest.getPriceUsd(), dearest.getPriceUsd()));
    venues.setVolumeUsd(compared.stream()
        .filter(venue -> venue.getKind().equals("ticker"))
        .mapToDouble(venue -> orZero(venue.getSizeUsd()))
        .sum());
  }

  private static double median(List<Venue> sorted) {
    var middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle).getPriceUsd()
        : (sorted.get(middle - 1).getPriceUsd() + sorted.get(middle).getPriceUsd()) / 2;
  }

  private static boolean isComparable(VenueFigures venue) {
    var hasPrice = venue.getPriceUsd() != null && venue.getPriceUsd() > 0;
    var isDust = venue.getKind().equals("pool") && orZero(venue.getSizeUsd()) < MoversByNetwork.MIN_RESERVE_USD;
    return hasPrice && venue.getVisible() && !venue.getDoubtful() && !isDust;
  }

  private static Venue venue(VenueFigures venue) {
    return new Venue(
        venue.getKind(),
        venue.getId() == null ? "" : venue.getId(),
        venue.getMarket(),
        orZero(venue.getPriceUsd()),
        venue.getSizeUsd());
  }
}
