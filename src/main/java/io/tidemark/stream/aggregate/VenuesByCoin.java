package io.tidemark.stream.aggregate;

import io.tidemark.event.TickerChange;
import io.tidemark.event.TokenChange;
import io.tidemark.event.Venue;
import io.tidemark.event.VenueFigures;
import io.tidemark.event.Venues;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Venues: what one coin costs on markets, and in the deepest pool of each of its tokens. */
public final class VenuesByCoin implements Aggregation<VenueFigures, Venues> {

  private static final Comparator<Venue> BY_PRICE =
      Comparator.comparingDouble(Venue::getPriceUsd).thenComparing(Venue::getId);

  @Override
  public String name() {
    return "venues";
  }

  @Override
  public Class<VenueFigures> memberType() {
    return VenueFigures.class;
  }

  @Override
  public Class<Venues> aggregateType() {
    return Venues.class;
  }

  @Override
  public boolean reads(SpecificRecord change) {
    return change instanceof TickerChange || change instanceof TokenChange;
  }

  @Override
  public @Nullable VenueFigures fold(@Nullable VenueFigures known, SpecificRecord record) {
    var venue = known == null ? VenueFigures.newBuilder().build() : known;
    return record instanceof TokenChange token
        ? VenueReading.token(venue, token)
        : VenueReading.ticker(venue, (TickerChange) record);
  }

  @Override
  public List<String> groups(VenueFigures venue) {
    return venue.getCoin() == null || venue.getId() == null ? List.of() : List.of(venue.getCoin());
  }

  @Override
  public @Nullable Venues aggregate(String coin, Stream<VenueFigures> members, Instant at) {
    var known = members.toList();
    if (known.isEmpty()) {
      return null;
    }
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
        compared.size() < 2 ? null : 100 * (dearest.getPriceUsd() / cheapest.getPriceUsd() - 1));
    venues.setVolumeUsd(compared.stream()
        .filter(venue -> venue.getKind().equals("ticker"))
        .mapToDouble(venue -> FiniteNumbers.orZero(venue.getSizeUsd()))
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
    var isDust = venue.getKind().equals("pool")
        && FiniteNumbers.orZero(venue.getSizeUsd()) < MoversByNetwork.LEAST_RESERVE_USD;
    return hasPrice && venue.getVisible() && !venue.getDoubtful() && !isDust;
  }

  private static Venue venue(VenueFigures venue) {
    return new Venue(
        venue.getKind(),
        venue.getId() == null ? "" : venue.getId(),
        venue.getMarket(),
        FiniteNumbers.orZero(venue.getPriceUsd()),
        venue.getSizeUsd());
  }
}
