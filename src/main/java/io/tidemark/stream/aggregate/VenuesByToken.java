package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.finite;
import static io.tidemark.event.DecimalMath.number;
import static io.tidemark.event.DecimalMath.percentChange;

import io.tidemark.event.PoolChange;
import io.tidemark.event.TokenVenue;
import io.tidemark.event.TokenVenueFigures;
import io.tidemark.event.TokenVenues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
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
   * The extremes of the pools of a token. Of pools with the same price, those with the lowest and the highest id; of pools
   * with the same reserve, first the one with the lowest id.
   */
  private static final class Comparison implements Summary<TokenVenueFigures, TokenVenues> {

    private static final int MOST_DEEPEST = 10;
    private static final Comparator<TokenVenue> BY_PRICE =
        Comparator.comparingDouble(TokenVenue::getPriceUsd).thenComparing(TokenVenue::getId);
    private static final Comparator<TokenVenue> DEEPEST_FIRST =
        Comparator.comparingDouble(TokenVenue::getReserveUsd).reversed().thenComparing(TokenVenue::getId);

    private final TokenVenues venues;
    private final List<TokenVenue> compared = new ArrayList<>();

    Comparison(String token) {
      this.venues = TokenVenues.newBuilder().setToken(token).build();
    }

    @Override
    public void add(String key, TokenVenueFigures pool, Instant at) {
      compared.add(
          new TokenVenue(key, pool.getDex(), orZero(pool.getPriceUsd()), orZero(pool.getReserveUsd())));
    }

    @Override
    public @Nullable TokenVenues aggregate(Instant at, Function<String, TokenVenueFigures> members) {
      if (compared.size() < 2) {
        return null;
      }
      venues.setPools(compared.size());
      venues.setCheapest(Collections.min(compared, BY_PRICE));
      venues.setDearest(Collections.max(compared, BY_PRICE));
      venues.setSpreadPercent(
          percentChange(venues.getCheapest().getPriceUsd(), venues.getDearest().getPriceUsd()));
      venues.setReserveUsd(finite(compared.stream().mapToDouble(TokenVenue::getReserveUsd).sum()));
      venues.setDeepest(compared.stream().sorted(DEEPEST_FIRST).limit(MOST_DEEPEST).toList());
      var deepest = members.apply(venues.getDeepest().getFirst().getId());
      venues.setNetwork(deepest.getNetwork());
      venues.setSymbol(deepest.getSymbol());
      return venues;
    }
  }
}
