package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.number;

import io.tidemark.event.Liquidity;
import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolFigures;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Liquidity: reserves and volumes of the visible pools of a network, and of each exchange on that network. */
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
    return new LiquiditySum(slash < 0 ? group : group.substring(0, slash),
        slash < 0 ? null : group.substring(slash + 1));
  }

  private static final class LiquiditySum implements RunningSummary<PoolFigures, Liquidity> {

    private final String network;
    private final @Nullable String dex;
    private int pools;
    private int visible;
    private int withReserve;
    private int withVolume;
    private long buysH24;
    private long sellsH24;
    private final ExactSum reserveUsd = new ExactSum();
    private final ExactSum volumeH1Usd = new ExactSum();
    private final ExactSum volumeH24Usd = new ExactSum();

    LiquiditySum(String network, @Nullable String dex) {
      this.network = network;
      this.dex = dex;
    }

    @Override
    public void replace(String key, @Nullable PoolFigures before, @Nullable PoolFigures after, Instant at) {
      if (before != null) {
        count(before, -1);
      }
      if (after != null) {
        count(after, 1);
      }
    }

    /** @param times 1 to add a pool, -1 to subtract it */
    private void count(PoolFigures pool, int times) {
      pools += times;
      if (pool.getVisible()) {
        visible += times;
        withReserve += pool.getReserveUsd() == null ? 0 : times;
        withVolume += pool.getVolumeH24Usd() == null ? 0 : times;
        buysH24 += times * orZero(pool.getBuysH24());
        sellsH24 += times * orZero(pool.getSellsH24());
        reserveUsd.add(times * orZero(pool.getReserveUsd()));
        volumeH1Usd.add(times * orZero(pool.getVolumeH1Usd()));
        volumeH24Usd.add(times * orZero(pool.getVolumeH24Usd()));
      }
    }

    @Override
    public Liquidity aggregate(Instant at, Function<String, PoolFigures> members) {
      return Liquidity.newBuilder()
          .setNetwork(network)
          .setDex(dex)
          .setPools(pools)
          .setVisible(visible)
          .setWithReserve(withReserve)
          .setWithVolume(withVolume)
          .setReserveUsd(reserveUsd.value())
          .setVolumeH1Usd(volumeH1Usd.value())
          .setVolumeH24Usd(volumeH24Usd.value())
          .setBuysH24(buysH24)
          .setSellsH24(sellsH24)
          .build();
    }
  }

  /**
   * A sum without rounding errors. The sum does not depend on the order in which numbers are added, and subtracting a
   * number undoes its addition exactly.
   */
  private static final class ExactSum {

    private BigDecimal sum = BigDecimal.ZERO;

    void add(double number) {
      if (number != 0) {
        sum = sum.add(new BigDecimal(number));
      }
    }

    /** Returns the double that is nearest to the sum. */
    double value() {
      return sum.doubleValue();
    }
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
