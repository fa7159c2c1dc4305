package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.number;
import static java.util.Objects.requireNonNull;

import io.tidemark.event.PoolChange;
import io.tidemark.event.PricedBaseToken;
import io.tidemark.event.TokenVenue;
import io.tidemark.event.TokenVenues;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Venues of tokens: the prices of one token in the pools that have it as their base token. Unlike {@link
 * VenuesByCoin}, it needs no coin id, which young tokens lack.
 */
public final class VenuesByToken extends Aggregation<PricedBaseToken, TokenVenues> {

  public VenuesByToken() {
    super("token-venues", PricedBaseToken.class, TokenVenues.class, PoolChange.class);
  }

  @Override
  protected PricedBaseToken fold(@Nullable PricedBaseToken known, SpecificRecord record) {
    var change = (PoolChange) record;
    var about = change.getAbout();
    var pool = known == null ? PricedBaseToken.newBuilder().build() : known;
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
  protected List<String> groups(PricedBaseToken pool) {
    var isCompared = pool.getVisible() && orZero(pool.getPriceUsd()) > 0
        && orZero(pool.getReserveUsd()) >= MoversByNetwork.MIN_RESERVE_USD;
    return pool.getToken() == null || !isCompared ? List.of() : List.of(pool.getToken());
  }

  @Override
  protected Summary<PricedBaseToken, TokenVenues> summary(String token, Instant at) {
    return new Comparison(token);
  }

  /** The extremes of the pools of a token. Of two pools with the same figure, the one with the lower id counts. */
  private static final class Comparison implements Summary<PricedBaseToken, TokenVenues> {

    private final TokenVenues venues;
    private @Nullable PricedBaseToken deepest;

    Comparison(String token) {
      this.venues = TokenVenues.newBuilder().setToken(token).build();
    }

    @Override
    public void add(String key, PricedBaseToken pool, Instant at) {
      double price = requireNonNull(pool.getPriceUsd());
      double reserve = requireNonNull(pool.getReserveUsd());
      if (venues.getPools() == 0 || price < venues.getCheapest().getPriceUsd()) {
        venues.setCheapest(new TokenVenue(key, pool.getDex(), price, reserve));
      }
      if (price > venues.getDearest().getPriceUsd()) {
        venues.setDearest(new TokenVenue(key, pool.getDex(), price, reserve));
      }
      if (deepest == null || reserve > requireNonNull(deepest.getReserveUsd())) {
        deepest = pool;
      }
      venues.setPools(venues.getPools() + 1);
      venues.setReserveUsd(venues.getReserveUsd() + reserve);
    }

    @Override
    public @Nullable TokenVenues aggregate(Instant at, Function<String, PricedBaseToken> members) {
      if (venues.getPools() < 2) {
        return null;
      }
      venues.setNetwork(requireNonNull(deepest).getNetwork());
      venues.setSymbol(deepest.getSymbol());
      venues.setSpreadPercent(100 * (venues.getDearest().getPriceUsd() / venues.getCheapest().getPriceUsd() - 1));
      return venues;
    }
  }
}
