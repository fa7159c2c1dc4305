package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.number;
import static java.util.Objects.requireNonNull;

import io.tidemark.event.Mover;
import io.tidemark.event.MoverWindow;
import io.tidemark.event.Movers;
import io.tidemark.event.Point;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PricedPool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Movers: the pools of a network whose observed prices rose and fell most over 5 minutes, over an hour and over 24
 * hours.
 */
public final class MoversByNetwork extends Aggregation<PricedPool, Movers> {

  static final double MIN_RESERVE_USD = 1_000;

  private static final int LISTED = 10;
  private static final Duration HISTORY = Duration.ofHours(25);
  private static final Duration M5 = Duration.ofMinutes(5);
  private static final Duration H1 = Duration.ofHours(1);
  private static final Duration H24 = Duration.ofHours(24);

  public MoversByNetwork() {
    super("movers", PricedPool.class, Movers.class, PoolChange.class);
  }

  @Override
  protected PricedPool fold(@Nullable PricedPool known, SpecificRecord record) {
    var change = (PoolChange) record;
    var pool = known == null ? PricedPool.newBuilder().build() : known;
    pool.setId(change.getId());
    pool.setNetwork(change.getNetwork());
    pool.setName(change.getAbout().getName());
    pool.setReserveUsd(number(change.getAbout().getReserveUsd()));
    var price = number(change.getAbout().getPriceUsd());
    pool.setPriceUsd(price == null ? pool.getPriceUsd() : price);
    pool.setVisible(isVisible(change.getVisibility(), pool.getVisible()));
    if (change.getPrice() != null) {
      pool.setGapSince(DayHistory.gapStart(
          change.getPrice().getBeforeObservedAt(), change.getOrigin(), pool.getGapSince()));
    }
    return pool;
  }

  @Override
  protected List<String> groups(PricedPool pool) {
    return List.of(pool.getNetwork());
  }

  @Override
  protected boolean keepsHistory() {
    return true;
  }

  @Override
  protected PricedPool withHistory(String network, @Nullable PricedPool before, PricedPool now, Instant at) {
    var history = before == null ? List.<Point>of() : before.getPrices();
    var price = now.getPriceUsd() == null || !now.getVisible() ? Double.NaN : now.getPriceUsd();
    now.setPrices(DayHistory.with(history, at, price, now.getGapSince()));
    return now;
  }

  /** Returns the length of the history, because the windows move on even if no price changes. */
  @Override
  protected Duration recomputedFor() {
    return HISTORY;
  }

  @Override
  protected Summary<PricedPool, Movers> summary(String network, Instant at) {
    return new NetworkMoves(network);
  }

  /**
   * The price moves of the pools of a network within each window: 5 minutes, an hour and 24 hours. A pool's price at
   * the start of a window changes when a point of the pool's price history becomes as old as the window is long. At
   * that time, the pool is due: its moves must be computed again.
   */
  private static final class NetworkMoves implements RunningSummary<PricedPool, Movers> {

    private final String network;
    private final Map<String, PoolMoves> priced = new HashMap<>();
    private final NavigableMap<Long, List<String>> due = new TreeMap<>();
    private final MoverRanking m5 = new MoverRanking(M5, PoolMoves::m5);
    private final MoverRanking h1 = new MoverRanking(H1, PoolMoves::h1);
    private final MoverRanking h24 = new MoverRanking(H24, PoolMoves::h24);
    private int visible;

    NetworkMoves(String network) {
      this.network = network;
    }

    @Override
    public void replace(String key, @Nullable PricedPool before, @Nullable PricedPool after, Instant at) {
      var moves = after == null || after.getPriceUsd() == null ? null : PoolMoves.of(after, at);
      var known = moves == null ? priced.remove(key) : priced.put(key, moves);
      if (moves != null && moves.changesAt() != PoolMoves.NEVER
          && (known == null || known.changesAt() != moves.changesAt())) {
        due.computeIfAbsent(moves.changesAt(), time -> new ArrayList<>()).add(key);
      }
      visible += (isVisible(moves) ? 1 : 0) - (isVisible(known) ? 1 : 0);
      Stream.of(m5, h1, h24).forEach(window -> window.replace(key, known, moves));
    }

    private static boolean isVisible(@Nullable PoolMoves moves) {
      return moves != null && moves.isVisible();
    }

    @Override
    public List<String> removeDue(Instant at, int most) {
      var removed = new ArrayList<String>();
      while (removed.size() < most && !due.isEmpty() && due.firstKey() <= at.toEpochMilli()) {
        long time = due.firstKey();
        var keys = due.firstEntry().getValue();
        while (removed.size() < most && !keys.isEmpty()) {
          var key = keys.removeLast();
          var moves = priced.get(key);
          if (moves != null && moves.changesAt() == time) { // otherwise the pool is due at another time now
            removed.add(key);
          }
        }
        if (keys.isEmpty()) {
          due.remove(time);
        }
      }
      return removed;
    }

    @Override
    public Instant changesAt() {
      return due.isEmpty() ? Instant.MAX : Instant.ofEpochMilli(due.firstKey());
    }

    @Override
    public Movers aggregate(Instant at, Function<String, PricedPool> members) {
      return Movers.newBuilder()
          .setNetwork(network)
          .setPools(priced.size())
          .setVisible(visible)
          .setM5(m5.window(at, members))
          .setH1(h1.window(at, members))
          .setH24(h24.window(at, members))
          .build();
    }
  }

  /**
   * The price moves of a pool within each window, in percent. A move is {@code NaN} if it is unknown or the pool is
   * not visible.
   *
   * @param isListed whether the pool is visible and its reserve is large enough for the lists of movers
   * @param changesAt time at which the price at the start of any window next changes, in milliseconds since 1970;
   *     {@link #NEVER} if it never does
   */
  private record PoolMoves(
      boolean isVisible, boolean isListed, double m5, double h1, double h24, long changesAt) {

    static final long NEVER = Long.MAX_VALUE;

    private static final PoolMoves NOT_VISIBLE =
        new PoolMoves(false, false, Double.NaN, Double.NaN, Double.NaN, NEVER);

    static PoolMoves of(PricedPool pool, Instant at) {
      if (!pool.getVisible()) {
        return NOT_VISIBLE;
      }
      var prices = pool.getPrices();
      var changesAt =
          Math.min(changesAt(prices, at, M5), Math.min(changesAt(prices, at, H1), changesAt(prices, at, H24)));
      return new PoolMoves(true, orZero(pool.getReserveUsd()) >= MIN_RESERVE_USD,
          percent(pool, at.minus(M5)), percent(pool, at.minus(H1)), percent(pool, at.minus(H24)), changesAt);
    }

    private static double percent(PricedPool pool, Instant then) {
      var move = move(pool, then);
      return move == null ? Double.NaN : move.getPercent();
    }

    private static long changesAt(List<Point> prices, Instant at, Duration window) {
      var next = DayHistory.timeAfter(prices, at.minus(window));
      return next == null ? NEVER : next.plus(window).toEpochMilli();
    }
  }

  /**
   * The ranking for one window: how many pools have a known move, rose and fell, and the pools that moved and are
   * large enough for the lists, in the order of their moves.
   */
  private static final class MoverRanking {

    private static final Comparator<RankedPool> RISING =
        Comparator.comparingDouble(RankedPool::percent).reversed().thenComparing(RankedPool::key);
    private static final Comparator<RankedPool> FALLING =
        Comparator.comparingDouble(RankedPool::percent).thenComparing(RankedPool::key);

    private final Duration length;
    private final ToDoubleFunction<PoolMoves> percentOf;
    private final NavigableSet<RankedPool> gainers = new TreeSet<>(RISING);
    private final NavigableSet<RankedPool> losers = new TreeSet<>(FALLING);
    private int measured;
    private int up;
    private int down;

    private record RankedPool(String key, double percent) {}

    /**
     * @param percentOf returns the move of a pool within the window, in percent, or {@code NaN} if the move is unknown
     */
    MoverRanking(Duration length, ToDoubleFunction<PoolMoves> percentOf) {
      this.length = length;
      this.percentOf = percentOf;
    }

    /**
     * Replaces the moves of a pool. {@code before} or {@code now} is null if the pool is no member or has no price.
     */
    void replace(String key, @Nullable PoolMoves before, @Nullable PoolMoves now) {
      var percentBefore = before == null ? Double.NaN : percentOf.applyAsDouble(before);
      var percent = now == null ? Double.NaN : percentOf.applyAsDouble(now);
      count(percentBefore, -1);
      count(percent, 1);
      var rankedBefore = before != null && isRanked(before, percentBefore);
      var ranked = now != null && isRanked(now, percent);
      if (rankedBefore && ranked && percentBefore == percent) {
        return;
      }
      if (rankedBefore) {
        side(percentBefore).remove(new RankedPool(key, percentBefore));
      }
      if (ranked) {
        side(percent).add(new RankedPool(key, percent));
      }
    }

    private void count(double percent, int by) {
      if (!Double.isNaN(percent)) {
        measured += by;
        up += percent > 0 ? by : 0;
        down += percent < 0 ? by : 0;
      }
    }

    /** Returns whether a pool is large enough and moved. A {@code NaN} move counts as no move. */
    private static boolean isRanked(PoolMoves moves, double percent) {
      return moves.isListed() && (percent > 0 || percent < 0);
    }

    private NavigableSet<RankedPool> side(double percent) {
      return percent > 0 ? gainers : losers;
    }

    MoverWindow window(Instant at, Function<String, PricedPool> members) {
      var then = at.minus(length);
      return new MoverWindow(measured, up, down, movers(gainers, then, members), movers(losers, then, members));
    }

    private static List<Mover> movers(
        NavigableSet<RankedPool> ranked, Instant then, Function<String, PricedPool> members) {
      return ranked.stream()
          .limit(LISTED)
          .map(each -> requireNonNull(move(members.apply(each.key()), then)))
          .toList();
    }
  }

  private static @Nullable Mover move(PricedPool pool, Instant then) {
    var now = pool.getPriceUsd();
    var before = DayHistory.at(pool.getPrices(), then);
    if (now == null || before == null || before <= 0) {
      return null;
    }
    return new Mover(
        pool.getId(), pool.getName(), 100 * (now / before - 1), now, before, pool.getReserveUsd());
  }
}
