package io.tidemark.stream.aggregate;

import io.tidemark.event.Holder;
import io.tidemark.event.HoldingChange;
import io.tidemark.event.HoldingFigures;
import io.tidemark.event.Treasuries;
import io.tidemark.stream.rollup.Rollup;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Treasuries: what companies and governments hold of one coin. */
public final class TreasuriesByCoin implements Rollup<HoldingFigures, Treasuries> {

  private static final int LISTED = 10;
  private static final Comparator<Holder> LARGEST =
      Comparator.comparingDouble(Holder::getAmount).reversed().thenComparing(Holder::getEntity);

  @Override
  public String name() {
    return "treasuries";
  }

  @Override
  public Class<HoldingFigures> members() {
    return HoldingFigures.class;
  }

  @Override
  public Class<Treasuries> aggregates() {
    return Treasuries.class;
  }

  @Override
  public boolean reads(SpecificRecord change) {
    return change instanceof HoldingChange;
  }

  @Override
  public @Nullable HoldingFigures fold(@Nullable HoldingFigures known, SpecificRecord record) {
    var change = (HoldingChange) record;
    if (change.getLeft() != null) {
      return null;
    }
    var holding = known == null ? HoldingFigures.newBuilder().build() : known;
    holding.setCoin(change.getCoinId());
    holding.setHolder(holder(change, holding.getHolder().getInSight()));
    if (change.getEntry() != null && change.getEntry().getAfter() != null) {
      holding.setEntryValueUsd(Decimal.of(change.getEntry().getAfter().getTotalEntryValueUsd()));
    }
    if (change.getShare() != null && change.getShare().getAfter() != null) {
      holding.setPercentageOfTotalSupply(Decimal.of(change.getShare().getAfter().getPercentageOfTotalSupply()));
    }
    return holding;
  }

  @Override
  public List<String> groups(HoldingFigures holding) {
    return List.of(holding.getCoin());
  }

  @Override
  public @Nullable Treasuries of(String coin, Stream<HoldingFigures> members, Instant at) {
    var holdings = members.toList();
    if (holdings.isEmpty()) {
      return null;
    }
    var treasuries = Treasuries.newBuilder().build();
    treasuries.setCoin(coin);
    treasuries.setHolders(holdings.size());
    holdings.forEach(holding -> add(treasuries, holding));
    treasuries.setLargest(
        holdings.stream().map(HoldingFigures::getHolder).sorted(LARGEST).limit(LISTED).toList());
    return treasuries;
  }

  private static void add(Treasuries sum, HoldingFigures holding) {
    var holder = holding.getHolder();
    var inSight = holder.getInSight();
    sum.setInSight(sum.getInSight() + (inSight ? 1 : 0));
    sum.setAmount(sum.getAmount() + holder.getAmount());
    sum.setAmountInSight(sum.getAmountInSight() + (inSight ? holder.getAmount() : 0));
    sum.setValueUsd(sum.getValueUsd() + Decimal.orZero(holder.getValueUsd()));
    sum.setEntryValueUsd(sum.getEntryValueUsd() + Decimal.orZero(holding.getEntryValueUsd()));
    sum.setPercentageOfTotalSupply(
        sum.getPercentageOfTotalSupply() + Decimal.orZero(holding.getPercentageOfTotalSupply()));
  }

  private static Holder holder(HoldingChange change, boolean wasInSight) {
    var about = change.getAbout();
    return new Holder(
        change.getEntity(),
        about.getEntityName(),
        Decimal.orZero(Decimal.of(about.getAmount())),
        Decimal.of(about.getValueUsd()),
        change.getSight() == null ? wasInSight : change.getSight().getInSight());
  }
}
