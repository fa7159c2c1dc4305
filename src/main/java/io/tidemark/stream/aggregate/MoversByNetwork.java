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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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
  protected Movers aggregate(String network, Stream<PricedPool> pools, Instant at) {
    var movers = Movers.newBuilder().setNetwork(network).build();
    var visible = new ArrayList<PricedPool>();
    pools.filter(pool -> pool.getPriceUsd() != null).forEach(pool -> {
      movers.setPools(movers.getPools() + 1);
      if (pool.getVisible()) {
        visible.add(pool);
      }
    });
    movers.setVisible(visible.size());
    movers.setM5(window(visible, at.minus(Duration.ofMinutes(5))));
    movers.setH1(window(visible, at.minus(Duration.ofHours(1))));
    movers.setH24(window(visible, at.minus(Duration.ofHours(24))));
    return movers;
  }

  private static MoverWindow window(List<PricedPool> pools, Instant then) {
    var moves = pools.stream().map(pool -> move(pool, then)).filter(Objects::nonNull).toList();
    var up = moves.stream().filter(move -> move.getPercent() > 0).toList();
    var down = moves.stream().filter(move -> move.getPercent() < 0).toList();
    return new MoverWindow(moves.size(), up.size(), down.size(), first(up, RISING), first(down, FALLING));
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

  private static List<Mover> first(List<Mover> movers, Comparator<Mover> order) {
    return movers.stream()
        .filter(mover -> orZero(mover.getReserveUsd()) >= MIN_RESERVE_USD)
        .sorted(order)
        .limit(LISTED)
        .toList();
  }
}
