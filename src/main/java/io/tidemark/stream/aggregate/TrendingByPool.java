package io.tidemark.stream.aggregate;

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

/** Trending: how long a pool is in trending lists, how high it got, and how far the durations agree. */
public final class TrendingByPool implements Aggregation<TrendingPool, Trending> {

  /** Out of all lists for so long, a pool is forgotten. */
  private static final Duration RETENTION = Duration.ofDays(2);

  @Override
  public String name() {
    return "trending";
  }

  @Override
  public Class<TrendingPool> memberType() {
    return TrendingPool.class;
  }

  @Override
  public Class<Trending> aggregateType() {
    return Trending.class;
  }

  @Override
  public boolean reads(SpecificRecord change) {
    return change instanceof PoolListing listing && listing.getKind().equals("trending");
  }

  @Override
  public TrendingPool fold(@Nullable TrendingPool known, SpecificRecord record) {
    var listing = (PoolListing) record;
    var pool = known == null ? TrendingPool.newBuilder().build() : known;
    pool.setId(listing.getPool());
    pool.setNetwork(listing.getNetwork());
    pool.setName(listing.getAbout().getName());
    pool.setPriceUsd(FiniteNumbers.of(listing.getAbout().getPriceUsd()));
    pool.setReserveUsd(FiniteNumbers.of(listing.getAbout().getReserveUsd()));
    pool.setChangedAt(listing.getOrigin().getObservedAt());
    TrendingStays.update(pool.getStays(), listing);
    return pool;
  }

  @Override
  public List<String> groups(TrendingPool pool) {
    return List.of(pool.getId());
  }

  @Override
  public boolean isExpired(TrendingPool pool, Instant at) {
    return pool.getStays().stream().allMatch(stay -> stay.getEnteredAt() == null)
        && pool.getChangedAt().plus(RETENTION).isBefore(at);
  }

  /** Stays were, and are over. */
  @Override
  public boolean outlivesMembers() {
    return true;
  }

  @Override
  public @Nullable Trending aggregate(String id, Stream<TrendingPool> members, Instant at) {
    var pools = members.toList();
    return pools.isEmpty() ? null : of(pools.iterator().next(), at);
  }

  private static Trending of(TrendingPool pool, Instant at) {
    var stays = pool.getStays().stream().map(stay -> TrendingStays.until(stay, at)).toList();
    var trending = Trending.newBuilder().build();
    trending.setPool(pool.getId());
    trending.setNetwork(pool.getNetwork());
    trending.setName(pool.getName());
    trending.setDurations((int) stays.stream().filter(stay -> stay.getEnteredAt() != null).count());
    trending.setKnown(stays.size());
    trending.setBestRank(stays.stream()
        .map(TrendingStay::getBestRank)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null));
    trending.setEntries(stays.stream().mapToInt(TrendingStay::getEntries).sum());
    trending.setSeconds(stays.stream().mapToDouble(TrendingStay::getSeconds).max().orElse(0));
    trending.setPriceUsd(pool.getPriceUsd());
    trending.setReserveUsd(pool.getReserveUsd());
    trending.setStays(stays);
    return trending;
  }
}
