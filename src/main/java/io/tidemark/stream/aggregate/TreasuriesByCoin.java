package io.tidemark.stream.aggregate;

import io.tidemark.event.Holder;
import io.tidemark.event.HoldingChange;
import io.tidemark.event.HoldingFigures;
import io.tidemark.event.Treasuries;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Treasuries: what companies and governments hold of one coin. */
public final class TreasuriesByCoin implements Aggregation<HoldingFigures, Treasuries> {

  private static final int LISTED = 10;
  private static final Comparator<Holder> LARGEST =
      Comparator.comparingDouble(Holder::getAmount).reversed().thenComparing(Holder::getEntity);

  @Override
  public String name() {
    return "treasuries";
  }

  @Override
  public Class<HoldingFigures> memberType() {
    return HoldingFigures.class;
  }

  @Override
  public Class<Treasuries> aggregateType() {
    return Treasuries.class;
  }

  @Override
  public boolean reads(SpecificRecord change) {
    return change instanceof HoldingChange;
  }

  @Override
  public @Nullable HoldingFigures fold(@Nullable HoldingFigures known, SpecificRecord record) {
    var change = (HoldingChange) record;
    if (change.getRemoved() != null) {
      return null;
    }
    var holding = known == null ? HoldingFigures.newBuilder().build() : known;
    holding.setCoin(change.getCoinId());
    holding.setHolder(holder(change, holding.getHolder().getVisible()));
    if (change.getEntry() != null && change.getEntry().getAfter() != null) {
      holding.setEntryValueUsd(FiniteNumbers.of(change.getEntry().getAfter().getTotalEntryValueUsd()));
    }
    if (change.getShare() != null && change.getShare().getAfter() != null) {
      holding.setPercentageOfTotalSupply(FiniteNumbers.of(change.getShare().getAfter().getPercentageOfTotalSupply()));
    }
    return holding;
  }

  @Override
  public List<String> groups(HoldingFigures holding) {
    return List.of(holding.getCoin());
  }

  @Override
  public @Nullable Treasuries aggregate(String coin, Stream<HoldingFigures> members, Instant at) {
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
    var inSight = holder.getVisible();
    sum.setVisible(sum.getVisible() + (inSight ? 1 : 0));
    sum.setAmount(sum.getAmount() + holder.getAmount());
    sum.setVisibleAmount(sum.getVisibleAmount() + (inSight ? holder.getAmount() : 0));
    sum.setValueUsd(sum.getValueUsd() + FiniteNumbers.orZero(holder.getValueUsd()));
    sum.setEntryValueUsd(sum.getEntryValueUsd() + FiniteNumbers.orZero(holding.getEntryValueUsd()));
    sum.setPercentageOfTotalSupply(
        sum.getPercentageOfTotalSupply() + FiniteNumbers.orZero(holding.getPercentageOfTotalSupply()));
  }

  private static Holder holder(HoldingChange change, boolean wasInSight) {
    var about = change.getAbout();
    return new Holder(
        change.getEntity(),
        about.getEntityName(),
        FiniteNumbers.orZero(FiniteNumbers.of(about.getAmount())),
        FiniteNumbers.of(about.getValueUsd()),
        change.getVisibility() == null ? wasInSight : change.getVisibility().getVisible());
  }
}
