package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.finite;
import static io.tidemark.event.DecimalMath.number;
import static io.tidemark.event.DecimalMath.percentChange;

import io.tidemark.event.PoolChange;
import io.tidemark.event.TokenVenue;
import io.tidemark.event.TokenVenueFigures;
import io.tidemark.event.TokenVenues;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Venues of tokens: the prices of one token in the pools that have it as their base token. Unlike {@link
 * VenuesByCoin}, it needs no coin id, which young tokens lack.
 */
public final class VenuesByToken extends Aggregation<TokenVenueFigures, TokenVenues> {

  public VenuesByToken() {
    super("token-venues", TokenVenueFigures.class, TokenVenues.class, PoolChange.class);
  }

  @Override
  protected TokenVenueFigures fold(@Nullable TokenVenueFigures known, SpecificRecord record) {
    var change = (PoolChange) record;
    var about = change.getAbout();
    var pool = known == null ? TokenVenueFigures.newBuilder().build() : known;
    var description = change.getDescription() == null ? null : change.getDescription().getAfter();
    if (description != null) {
      pool.setToken(description.getBaseToken());
    }
    pool.setNetwork(change.getNetwork());
    pool.setDex(about.getDex());
    pool.setSymbol(about.getBaseSymbol());
    pool.setPriceUsd(number(about.getPriceUsd()));
    pool.setReserveUsd(number(about.getReserveUsd()));
    pool.setVisible(isVisible(change.getVisibility(), pool.getVisible()));
    return pool;
  }

  /** A pool that is not compared is a member of no group. */
  @Override
  protected List<String> groups(TokenVenueFigures pool) {
    var isCompared = pool.getVisible() && orZero(pool.getPriceUsd()) > 0
        && orZero(pool.getReserveUsd()) >= MoversByNetwork.MIN_RESERVE_USD;
    return pool.getToken() == null || !isCompared ? List.of() : List.of(pool.getToken());
  }

  @Override
  protected Summary<TokenVenueFigures, TokenVenues> summary(String token, Instant at) {
    return new Comparison(token);
  }

  /**
   * The cheapest, the dearest and the deepest pools of a token. Among the cheapest, the lowest id wins; among the
   * dearest, the highest id, so that two pools are named also if all prices are equal. Among equal reserves, the lower
   * id comes first.
   */
  private static final class Comparison implements Summary<TokenVenueFigures, TokenVenues> {

    private static final int MOST_DEEPEST = 10;
    private static final Comparator<TokenVenue> DEEPEST_FIRST =
        Comparator.comparingDouble(TokenVenue::getReserveUsd).reversed().thenComparing(TokenVenue::getId);

    private final TokenVenues venues;
    private double reserve;

    /** The deepest of the pools that were added, the least deep of them first. */
    private final PriorityQueue<TokenVenue> deepest = new PriorityQueue<>(DEEPEST_FIRST.reversed());

    Comparison(String token) {
      this.venues = TokenVenues.newBuilder().setToken(token).build();
    }

    @Override
    public void add(String key, TokenVenueFigures pool, Instant at) {
      var venue = new TokenVenue(key, pool.getDex(), orZero(pool.getPriceUsd()), orZero(pool.getReserveUsd()));
      if (venues.getPools() == 0 || venue.getPriceUsd() < venues.getCheapest().getPriceUsd()) {
        venues.setCheapest(venue);
      }
      if (venue.getPriceUsd() >= venues.getDearest().getPriceUsd()) {
        venues.setDearest(venue);
      }
      deepest.add(venue);
      if (deepest.size() > MOST_DEEPEST) {
        deepest.remove();
      }
      venues.setPools(venues.getPools() + 1);
      reserve += venue.getReserveUsd();
    }

    @Override
    public @Nullable TokenVenues aggregate(Instant at, Function<String, TokenVenueFigures> members) {
      if (venues.getPools() < 2) {
        return null;
      }
      venues.setSpreadPercent(
          percentChange(venues.getCheapest().getPriceUsd(), venues.getDearest().getPriceUsd()));
      venues.setReserveUsd(finite(reserve));
      venues.setDeepest(deepest.stream().sorted(DEEPEST_FIRST).toList());
      var pool = members.apply(venues.getDeepest().getFirst().getId());
      venues.setNetwork(pool.getNetwork());
      venues.setSymbol(pool.getSymbol());
      return venues;
    }
  }
}
