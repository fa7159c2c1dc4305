package io.tidemark.stream.aggregate;

import io.tidemark.event.LaunchedPool;
import io.tidemark.event.Launches;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Survival;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Launches: pools that came into being while we watched, by exchange and hour, and what became of them. */
public final class LaunchesByHour implements Aggregation<LaunchedPool, Launches> {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofHours(24);

  /** So long after the end of its hour, all of a group is judged. */
  private static final Duration EXPIRES_AFTER = DAY.plus(LaunchOutcome.DELAY).plus(HOUR);

  @Override
  public String name() {
    return "launches";
  }

  @Override
  public Class<LaunchedPool> memberType() {
    return LaunchedPool.class;
  }

  @Override
  public Class<Launches> aggregateType() {
    return Launches.class;
  }

  @Override
  public boolean reads(SpecificRecord change) {
    return change instanceof PoolChange;
  }

  @Override
  public @Nullable LaunchedPool fold(@Nullable LaunchedPool known, SpecificRecord record) {
    var change = (PoolChange) record;
    var pool = known == null ? launched(change) : known;
    var at = change.getOrigin().getObservedAt();
    if (pool == null || isExpired(pool, at)) {
      return pool;
    }
    if (change.getAbout().getDex() != null) {
      pool.setDex(change.getAbout().getDex());
    }
    reserve(pool, FiniteNumbers.of(change.getAbout().getReserveUsd()), Duration.between(pool.getCreatedAt(), at));
    if (change.getVisibility() != null) {
      pool.setVisible(change.getVisibility().getVisible());
      pool.setLastObservedAt(change.getVisibility().getLastObservedAt());
    }
    if (change.getRemoved() != null && pool.getRemovedAt() == null) {
      pool.setRemovedAt(at);
    }
    return pool;
  }

  @Override
  public List<String> groups(LaunchedPool pool) {
    return List.of(String.join("/", pool.getNetwork(), pool.getDex(), hour(pool).toString()));
  }

  /** Pools are judged when they have an age, news or not. */
  @Override
  public Duration recomputedFor() {
    return HOUR.plus(EXPIRES_AFTER);
  }

  @Override
  public boolean isExpired(LaunchedPool pool, Instant at) {
    return !at.isBefore(hour(pool).plus(HOUR).plus(EXPIRES_AFTER));
  }

  /** Of an hour, which is over. */
  @Override
  public boolean outlivesMembers() {
    return true;
  }

  @Override
  public @Nullable Launches aggregate(String group, Stream<LaunchedPool> members, Instant at) {
    var pools = members.toList();
    if (pools.isEmpty()) {
      return null;
    }
    var first = pools.iterator().next();
    var launches = Launches.newBuilder().build();
    launches.setNetwork(first.getNetwork());
    launches.setDex(first.getDex());
    launches.setStart(hour(first));
    launches.setEnd(hour(first).plus(HOUR));
    launches.setPools(pools.size());
    launches.setVisible((int) pools.stream().filter(LaunchedPool::getVisible).count());
    launches.setReserveUsd(pools.stream().mapToDouble(pool -> FiniteNumbers.orZero(pool.getReserveUsd())).sum());
    launches.setAfter1h(survival(pools, HOUR, LaunchedPool::getReserveUsd1h, at));
    launches.setAfter24h(survival(pools, DAY, LaunchedPool::getReserveUsd24h, at));
    return launches;
  }

  /** Null where the change is no birth. */
  private static @Nullable LaunchedPool launched(PoolChange change) {
    var appeared = change.getAppeared();
    if (appeared == null || !appeared.getKind().equals("created")) {
      return null;
    }
    var age = FiniteNumbers.orZero(FiniteNumbers.of(appeared.getAgeSeconds()));
    var pool = LaunchedPool.newBuilder().build();
    pool.setNetwork(change.getNetwork());
    pool.setCreatedAt(change.getOrigin().getObservedAt().minusMillis(Math.round(1000 * age)));
    return pool;
  }

  private static void reserve(LaunchedPool pool, @Nullable Double reserve, Duration age) {
    if (reserve == null) {
      return;
    }
    pool.setReserveUsd(reserve);
    pool.setFirstReserveUsd(pool.getFirstReserveUsd() == null ? reserve : pool.getFirstReserveUsd());
    if (age.compareTo(HOUR) <= 0) {
      pool.setReserveUsd1h(reserve);
    }
    if (age.compareTo(DAY) <= 0) {
      pool.setReserveUsd24h(reserve);
    }
  }

  private static Survival survival(
      Collection<LaunchedPool> pools, Duration age, Function<LaunchedPool, @Nullable Double> reserve, Instant at) {
    var survival = Survival.newBuilder().build();
    for (var pool : pools) {
      switch (LaunchOutcome.of(pool, age, reserve.apply(pool), at)) {
        case HELD -> survival.setHeld(survival.getHeld() + 1);
        case LOST -> survival.setLost(survival.getLost() + 1);
        case NOT_OBSERVED -> survival.setNotObserved(survival.getNotObserved() + 1);
        case PENDING -> survival.setPending(survival.getPending() + 1);
      }
    }
    return survival;
  }

  private static Instant hour(LaunchedPool pool) {
    return pool.getCreatedAt().truncatedTo(ChronoUnit.HOURS);
  }
}
