package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.number;
import static java.util.Objects.requireNonNullElse;

import io.tidemark.event.LaunchedPool;
import io.tidemark.event.Launches;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Survival;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Launches: the pools created while the source was watched, by exchange and hour, and their outcomes after an hour and
 * after a day.
 */
public final class LaunchesByHour extends Aggregation<LaunchedPool, Launches> {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofHours(24);

  /**
   * Time from the moment at which a pool is an hour or a day old to the moment at which its outcome for that age is
   * determined. After this delay, it is known whether the pool was visible at that age.
   */
  private static final Duration CLASSIFICATION_DELAY = Duration.ofMinutes(30);

  /**
   * Time from the end of a group's hour until its pools expire. The outcomes of all of them are determined at least
   * an hour earlier.
   */
  private static final Duration EXPIRES_AFTER = DAY.plus(CLASSIFICATION_DELAY).plus(HOUR);

  /** Minimum reserve of a pool that counts as {@code HELD}, as a share of the pool's first reserve. */
  private static final double HELD_SHARE = 0.5;

  public LaunchesByHour() {
    super("launches", LaunchedPool.class, Launches.class, PoolChange.class);
  }

  @Override
  protected @Nullable LaunchedPool fold(@Nullable LaunchedPool known, SpecificRecord record) {
    var change = (PoolChange) record;
    var pool = known == null ? launched(change) : known;
    var at = change.getOrigin().getObservedAt();
    if (pool == null || !at.isBefore(expiresAt(pool))) {
      return known; // the figures of that hour are final, so a pool found after its expiry is never counted
    }
    setReserve(pool, number(change.getAbout().getReserveUsd()), Duration.between(pool.getCreatedAt(), at));
    if (pool.getRemovedAt() != null && change.getAppeared() != null) {
      forgetBetween(pool, pool.getVisible() ? pool.getRemovedAt() : pool.getLastObservedAt(), at);
      pool.setRemovedAt(null);
    }
    if (change.getVisibility() != null) {
      if (change.getVisibility().getVisible() && !pool.getVisible()) {
        forgetBetween(pool, change.getVisibility().getLastObservedAt(), at);
      }
      pool.setVisible(change.getVisibility().getVisible());
      pool.setLastObservedAt(change.getVisibility().getLastObservedAt());
    }
    if (change.getRemoved() != null && pool.getRemovedAt() == null) {
      pool.setRemovedAt(at);
    }
    return pool;
  }

  /**
   * Returns the group of the exchange that the pool's first change named, or the group without an exchange if it named
   * none. A later exchange does not count, because the last figures of a group stay published after its last pool has
   * left it, so the pool would count twice.
   */
  @Override
  protected List<String> groups(LaunchedPool pool) {
    return List.of(String.join("/", pool.getNetwork(), pool.getDex(), hour(pool).toString()));
  }

  /**
   * Returns true, because a pool counts as lost at each age that it had not reached before its removal, unless it comes
   * back.
   */
  @Override
  protected boolean keepsRemoved() {
    return true;
  }

  /**
   * Returns the time from the start of a group's hour until its pools expire. By then, all outcomes are determined.
   * The outcomes depend on the ages of the pools, so they change without updates.
   */
  @Override
  protected Duration recomputedFor() {
    return HOUR.plus(EXPIRES_AFTER);
  }

  @Override
  protected Instant expiresAt(LaunchedPool pool) {
    return hour(pool).plus(HOUR).plus(EXPIRES_AFTER);
  }

  /** Returns true, because the hour of a group without members is over and the figures of that hour are final. */
  @Override
  protected boolean outlivesMembers() {
    return true;
  }

  @Override
  protected Summary<LaunchedPool, Launches> summary(String group, Instant at) {
    return new LaunchCounts();
  }

  private static final class LaunchCounts implements Summary<LaunchedPool, Launches> {

    private final Launches aggregate = Launches.newBuilder().build();
    private Instant nextClassification = Instant.MAX;

    @Override
    public void add(String key, LaunchedPool pool, Instant at) {
      aggregate.setNetwork(pool.getNetwork());
      aggregate.setDex(pool.getDex());
      aggregate.setStart(hour(pool));
      aggregate.setEnd(hour(pool).plus(HOUR));
      aggregate.setPools(aggregate.getPools() + 1);
      aggregate.setVisible(aggregate.getVisible() + (pool.getVisible() && pool.getRemovedAt() == null ? 1 : 0));
      aggregate.setReserveUsd(aggregate.getReserveUsd() + orZero(pool.getReserveUsd()));
      add(aggregate.getAfter1h(), outcome(pool, HOUR, pool.getReserveUsd1h(), at));
      add(aggregate.getAfter24h(), outcome(pool, DAY, pool.getReserveUsd24h(), at));
      classify(classifiedAt(pool, HOUR), at);
      classify(classifiedAt(pool, DAY), at);
    }

    @Override
    public Launches aggregate(Instant at, Function<String, LaunchedPool> members) {
      return aggregate;
    }

    /** Returns the time at which the next outcome of a pool is determined, or {@link Instant#MAX} if none is left. */
    @Override
    public Instant changesAt() {
      return nextClassification;
    }

    private void classify(Instant classified, Instant at) {
      if (classified.isAfter(at) && classified.isBefore(nextClassification)) {
        nextClassification = classified;
      }
    }

    private static void add(Survival survival, LaunchOutcome outcome) {
      switch (outcome) {
        case HELD -> survival.setHeld(survival.getHeld() + 1);
        case LOST -> survival.setLost(survival.getLost() + 1);
        case NOT_OBSERVED -> survival.setNotObserved(survival.getNotObserved() + 1);
        case PENDING -> survival.setPending(survival.getPending() + 1);
      }
    }
  }

  /** Returns a new pool if a change reports the creation of a pool, otherwise null. */
  private static @Nullable LaunchedPool launched(PoolChange change) {
    var appeared = change.getAppeared();
    if (appeared == null || !appeared.getKind().equals("created")) {
      return null;
    }
    var age = orZero(number(appeared.getAgeSeconds()));
    var pool = LaunchedPool.newBuilder().build();
    pool.setNetwork(change.getNetwork());
    pool.setDex(requireNonNullElse(change.getAbout().getDex(), ""));
    pool.setCreatedAt(change.getOrigin().getObservedAt().minusMillis(Math.round(1000 * age)));
    return pool;
  }

  private static void setReserve(LaunchedPool pool, @Nullable Double reserve, Duration age) {
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

  /** Forgets the reserve at an age that a pool reached while it was removed or not visible. */
  private static void forgetBetween(LaunchedPool pool, @Nullable Instant lastObservedAt, Instant visibleAgainAt) {
    if (isBetween(lastObservedAt, pool.getCreatedAt().plus(HOUR), visibleAgainAt)) {
      pool.setReserveUsd1h(null);
    }
    if (isBetween(lastObservedAt, pool.getCreatedAt().plus(DAY), visibleAgainAt)) {
      pool.setReserveUsd24h(null);
    }
  }

  private static boolean isBetween(@Nullable Instant from, Instant time, Instant to) {
    return from != null && from.isBefore(time) && time.isBefore(to);
  }

  /** The outcome of a new pool at an age. It is {@code PENDING} until it is determined. */
  private enum LaunchOutcome {
    HELD,
    LOST,
    NOT_OBSERVED,
    PENDING
  }

  /** @param reserve last reserve known at the given age; null if no reserve was known */
  private static LaunchOutcome outcome(LaunchedPool pool, Duration age, @Nullable Double reserve, Instant at) {
    var then = pool.getCreatedAt().plus(age);
    if (at.isBefore(classifiedAt(pool, age))) {
      return LaunchOutcome.PENDING;
    }
    if (pool.getRemovedAt() != null && !pool.getRemovedAt().isAfter(then)) {
      return LaunchOutcome.LOST;
    }
    if (!wasObservedSince(pool, then) || reserve == null || pool.getFirstReserveUsd() == null) {
      return LaunchOutcome.NOT_OBSERVED;
    }
    return reserve >= HELD_SHARE * pool.getFirstReserveUsd() ? LaunchOutcome.HELD : LaunchOutcome.LOST;
  }

  private static Instant classifiedAt(LaunchedPool pool, Duration age) {
    return pool.getCreatedAt().plus(age).plus(CLASSIFICATION_DELAY);
  }

  private static boolean wasObservedSince(LaunchedPool pool, Instant then) {
    return pool.getVisible() || (pool.getLastObservedAt() != null && !pool.getLastObservedAt().isBefore(then));
  }

  private static Instant hour(LaunchedPool pool) {
    return pool.getCreatedAt().truncatedTo(ChronoUnit.HOURS);
  }
}
