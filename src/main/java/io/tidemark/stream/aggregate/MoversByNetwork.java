package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.number;

import io.tidemark.event.Mover;
import io.tidemark.event.MoverWindow;
import io.tidemark.event.Movers;
import io.tidemark.event.Point;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PricedPool;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Movers: the pools of a network that rose and fell most over 5 minutes, an hour and 24 hours, as observed. */
public final class MoversByNetwork extends Aggregation<PricedPool, Movers> {

  static final double MIN_RESERVE_USD = 1_000;

  private static final int LISTED = 10;
  private static final Duration HISTORY = Duration.ofHours(25);
  private static final Comparator<Mover> RISING =
      Comparator.comparingDouble(Mover::getPercent).reversed().thenComparing(Mover::getPool);
  private static final Comparator<Mover> FALLING =
      Comparator.comparingDouble(Mover::getPercent).thenComparing(Mover::getPool);

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
    return pool;
  }

  @Override
  protected List<String> groups(PricedPool pool) {
    return List.of(pool.getNetwork());
  }

  @Override
  protected PricedPool withHistory(String network, @Nullable PricedPool before, PricedPool now, Instant at) {
    var history = before == null ? List.<Point>of() : before.getPrices();
    now.setPrices(now.getPriceUsd() == null ? history : DayHistory.with(history, at, now.getPriceUsd()));
    return now;
  }

  /** The windows move on without a change. */
  @Override
  protected Duration recomputedFor() {
    return HISTORY;
  }

  @Override
  protected Summary<PricedPool, Movers> summary(String network, Instant at) {
    return new MoverSummary(network, at);
  }

  /** Counts and the ten first of the pools added. */
  private static final class MoverSummary implements Summary<PricedPool, Movers> {

    private final Movers movers;
    private final MoverRanking m5;
    private final MoverRanking h1;
    private final MoverRanking h24;

    MoverSummary(String network, Instant at) {
      movers = Movers.newBuilder().setNetwork(network).build();
      m5 = new MoverRanking(at.minus(Duration.ofMinutes(5)));
      h1 = new MoverRanking(at.minus(Duration.ofHours(1)));
      h24 = new MoverRanking(at.minus(Duration.ofHours(24)));
    }

    @Override
    public void add(PricedPool pool) {
      if (pool.getPriceUsd() == null) {
        return;
      }
      movers.setPools(movers.getPools() + 1);
      if (pool.getVisible()) {
        movers.setVisible(movers.getVisible() + 1);
        m5.add(pool);
        h1.add(pool);
        h24.add(pool);
      }
    }

    @Override
    public Movers aggregate() {
      movers.setM5(m5.window());
      movers.setH1(h1.window());
      movers.setH24(h24.window());
      return movers;
    }
  }

  /** The moves since a time. */
  private static final class MoverRanking {

    private final Instant then;
    private final NavigableSet<Mover> gainers = new TreeSet<>(RISING);
    private final NavigableSet<Mover> losers = new TreeSet<>(FALLING);
    private int measured;
    private int up;
    private int down;

    MoverRanking(Instant then) {
      this.then = then;
    }

    void add(PricedPool pool) {
      var move = move(pool, then);
      if (move != null) {
        measured++;
        if (move.getPercent() > 0) {
          up++;
          rank(gainers, move);
        } else if (move.getPercent() < 0) {
          down++;
          rank(losers, move);
        }
      }
    }

    MoverWindow window() {
      return new MoverWindow(measured, up, down, List.copyOf(gainers), List.copyOf(losers));
    }

    private static void rank(NavigableSet<Mover> first, Mover mover) {
      if (orZero(mover.getReserveUsd()) >= MIN_RESERVE_USD) {
        first.add(mover);
        if (first.size() > LISTED) {
          first.pollLast();
        }
      }
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
