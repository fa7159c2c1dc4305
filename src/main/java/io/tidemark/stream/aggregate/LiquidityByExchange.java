package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.number;

import io.tidemark.event.Liquidity;
import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolFigures;
import java.time.Instant;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Liquidity: reserves and volumes of the visible pools of a network, and of each exchange on it. */
public final class LiquidityByExchange extends Aggregation<PoolFigures, Liquidity> {

  public LiquidityByExchange() {
    super("liquidity", PoolFigures.class, Liquidity.class, PoolChange.class);
  }

  @Override
  protected PoolFigures fold(@Nullable PoolFigures known, SpecificRecord record) {
    var change = (PoolChange) record;
    var pool = known == null ? PoolFigures.newBuilder().build() : known;
    pool.setNetwork(change.getNetwork());
    pool.setDex(change.getAbout().getDex());
    pool.setReserveUsd(number(change.getAbout().getReserveUsd()));
    if (change.getActivity() != null && change.getActivity().getAfter() != null) {
      activity(pool, change.getActivity().getAfter());
    }
    pool.setVisible(isVisible(change.getVisibility(), pool.getVisible()));
    return pool;
  }

  @Override
  protected List<String> groups(PoolFigures pool) {
    return pool.getDex() == null
        ? List.of(pool.getNetwork())
        : List.of(pool.getNetwork(), pool.getNetwork() + "/" + pool.getDex());
  }

  @Override
  protected Summary<PoolFigures, Liquidity> summary(String group, Instant at) {
    var slash = group.indexOf('/');
    return new LiquiditySum(Liquidity.newBuilder()
        .setNetwork(slash < 0 ? group : group.substring(0, slash))
        .setDex(slash < 0 ? null : group.substring(slash + 1))
        .build());
  }

  /** The sums over the pools added. */
  private record LiquiditySum(Liquidity aggregate) implements Summary<PoolFigures, Liquidity> {

    @Override
    public void add(PoolFigures pool) {
      LiquidityByExchange.add(aggregate, pool);
    }
  }

  private static void add(Liquidity sum, PoolFigures pool) {
    sum.setPools(sum.getPools() + 1);
    if (!pool.getVisible()) {
      return;
    }
    sum.setVisible(sum.getVisible() + 1);
    sum.setWithReserve(sum.getWithReserve() + (pool.getReserveUsd() == null ? 0 : 1));
    sum.setWithVolume(sum.getWithVolume() + (pool.getVolumeH24Usd() == null ? 0 : 1));
    sum.setReserveUsd(sum.getReserveUsd() + orZero(pool.getReserveUsd()));
    sum.setVolumeH1Usd(sum.getVolumeH1Usd() + orZero(pool.getVolumeH1Usd()));
    sum.setVolumeH24Usd(sum.getVolumeH24Usd() + orZero(pool.getVolumeH24Usd()));
    sum.setBuysH24(sum.getBuysH24() + orZero(pool.getBuysH24()));
    sum.setSellsH24(sum.getSellsH24() + orZero(pool.getSellsH24()));
  }

  private static void activity(PoolFigures pool, PoolActivity activity) {
    var volume = activity.getVolumeUsd();
    pool.setVolumeH1Usd(volume == null ? null : number(volume.getH1()));
    pool.setVolumeH24Usd(volume == null ? null : number(volume.getH24()));
    var day = activity.getTransactions() == null ? null : activity.getTransactions().getH24();
    pool.setBuysH24(day == null ? null : day.getBuys());
    pool.setSellsH24(day == null ? null : day.getSells());
  }
}
