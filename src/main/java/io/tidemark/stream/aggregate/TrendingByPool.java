package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.number;

import io.tidemark.event.PoolListing;
import io.tidemark.event.Trending;
import io.tidemark.event.TrendingPool;
import io.tidemark.event.TrendingStay;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Trending: the longest total time that a pool has been in any one trending list, its best rank, and the number of
 * these lists that contain it now. Each trending list is for one duration, such as an hour.
 */
public final class TrendingByPool extends Aggregation<TrendingPool, Trending> {

  /** Time from the last record of a pool that is in no list until the pool can be dropped. */
  private static final Duration RETENTION = Duration.ofDays(2);

  public TrendingByPool() {
    super("trending", TrendingPool.class, Trending.class, PoolListing.class);
  }

  @Override
  protected boolean reads(SpecificRecord record) {
    return record instanceof PoolListing listing && listing.getKind().equals("trending");
  }

  @Override
  protected TrendingPool fold(@Nullable TrendingPool known, SpecificRecord record) {
    var listing = (PoolListing) record;
    var pool = known == null ? TrendingPool.newBuilder().build() : known;
    pool.setId(listing.getPool());
    pool.setNetwork(listing.getNetwork());
    pool.setName(listing.getAbout().getName());
    pool.setPriceUsd(number(listing.getAbout().getPriceUsd()));
    pool.setReserveUsd(number(listing.getAbout().getReserveUsd()));
    pool.setChangedAt(listing.getOrigin().getObservedAt());
    update(stay(pool.getStays(), listing), listing);
    return pool;
  }

  @Override
  protected List<String> groups(TrendingPool pool) {
    return List.of(pool.getId());
  }

  @Override
  protected @Nullable Instant expiresAt(TrendingPool pool) {
    return pool.getStays().stream().allMatch(stay -> stay.getEnteredAt() == null)
        ? pool.getChangedAt().plus(RETENTION).plusMillis(1)
        : null;
  }

  /** Returns true, because the stays of a dropped pool are over and their figures are final. */
  @Override
  protected boolean outlivesMembers() {
    return true;
  }

  /** Returns a summary of a single member, because each group consists of one pool. */
  @Override
  protected Summary<TrendingPool, Trending> summary(String id, Instant at) {
    return Summary.ofAll(pools -> aggregate(pools.getFirst(), at));
  }

  private static Trending aggregate(TrendingPool pool, Instant at) {
    var stays = pool.getStays().stream().map(stay -> until(stay, at)).toList();
    var trending = Trending.newBuilder().build();
    trending.setPool(pool.getId());
    trending.setNetwork(pool.getNetwork());
    trending.setName(pool.getName());
    trending.setDurations((int) stays.stream().filter(stay -> stay.getEnteredAt() != null).count());
    trending.setKnown(stays.size());
    trending.setBestRank(best(stays.stream().map(TrendingStay::getBestRank)));
    trending.setEntries(stays.stream().mapToInt(TrendingStay::getEntries).sum());
    trending.setSeconds(stays.stream().mapToDouble(TrendingStay::getSeconds).max().orElse(0));
    trending.setPriceUsd(pool.getPriceUsd());
    trending.setReserveUsd(pool.getReserveUsd());
    trending.setStays(stays);
    return trending;
  }

  /**
   * Returns the pool's stay in the list that the listing names. If there is none, adds a new stay to {@code stays}.
   */
  private static TrendingStay stay(List<TrendingStay> stays, PoolListing listing) {
    for (var stay : stays) {
      if (stay.getList().equals(listing.getList())) {
        return stay;
      }
    }
    var stay = TrendingStay.newBuilder().build();
    stay.setList(listing.getList());
    stay.setDuration(listing.getDuration() == null ? "" : listing.getDuration());
    stays.add(stay);
    return stay;
  }

  /**
   * Updates a pool's stay in a list from a record of that list. For a pool in the first snapshot of a list, the time
   * in the list begins, but no entry is counted.
   */
  private static void update(TrendingStay stay, PoolListing listing) {
    var at = listing.getOrigin().getObservedAt();
    if (listing.getAction().equals("exited")) {
      stay.setSeconds(stay.getSeconds() + secondsSinceEntry(stay, at));
      stay.setEnteredAt(null);
      stay.setRank(null);
      return;
    }
    if (stay.getEnteredAt() == null) {
      stay.setEnteredAt(at);
    }
    if (listing.getAction().equals("entered") && !listing.getOrigin().getBaseline()) {
      stay.setEntries(stay.getEntries() + 1);
    }
    stay.setRank(listing.getRank());
    stay.setBestRank(best(Stream.of(stay.getBestRank(), listing.getRank())));
  }

  /** Returns a copy of a stay, with its seconds counted up to the given time. */
  private static TrendingStay until(TrendingStay stay, Instant at) {
    return TrendingStay.newBuilder(stay).setSeconds(stay.getSeconds() + secondsSinceEntry(stay, at)).build();
  }

  private static double secondsSinceEntry(TrendingStay stay, Instant at) {
    return stay.getEnteredAt() == null ? 0 : Duration.between(stay.getEnteredAt(), at).toMillis() / 1000.0;
  }

  private static @Nullable Integer best(Stream<@Nullable Integer> ranks) {
    return ranks.filter(Objects::nonNull).min(Comparator.naturalOrder()).orElse(null);
  }
}
