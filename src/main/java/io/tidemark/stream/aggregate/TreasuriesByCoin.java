package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.number;

import io.tidemark.event.Holder;
import io.tidemark.event.HoldingChange;
import io.tidemark.event.HoldingFigures;
import io.tidemark.event.Treasuries;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Treasuries: the holdings of companies and governments in one coin. */
public final class TreasuriesByCoin extends Aggregation<HoldingFigures, Treasuries> {

  private static final int LISTED = 10;
  private static final Comparator<Holder> LARGEST =
      Comparator.comparingDouble(Holder::getAmount).reversed().thenComparing(Holder::getEntity);

  public TreasuriesByCoin() {
    super("treasuries", HoldingFigures.class, Treasuries.class, HoldingChange.class);
  }

  @Override
  protected HoldingFigures fold(@Nullable HoldingFigures known, SpecificRecord record) {
    var change = (HoldingChange) record;
    var holding = known == null ? HoldingFigures.newBuilder().build() : known;
    holding.setCoin(change.getCoinId());
    holding.setHolder(holder(change, holding.getHolder().getVisible()));
    if (change.getEntry() != null && change.getEntry().getAfter() != null) {
      holding.setEntryValueUsd(number(change.getEntry().getAfter().getTotalEntryValueUsd()));
    }
    if (change.getShare() != null && change.getShare().getAfter() != null) {
      holding.setPercentageOfTotalSupply(number(change.getShare().getAfter().getPercentageOfTotalSupply()));
    }
    return holding;
  }

  @Override
  protected List<String> groups(HoldingFigures holding) {
    return List.of(holding.getCoin());
  }

  @Override
  protected Summary<HoldingFigures, Treasuries> summary(String coin, Instant at) {
    return Summary.ofAll(holdings -> aggregate(coin, holdings));
  }

  private static Treasuries aggregate(String coin, List<HoldingFigures> holdings) {
    var treasuries = Treasuries.newBuilder().build();
    treasuries.setCoin(coin);
    treasuries.setHolders(holdings.size());
    holdings.forEach(holding -> add(treasuries, holding));
    treasuries.setLargest(holdings.stream().map(HoldingFigures::getHolder).sorted(LARGEST).limit(LISTED).toList());
    return treasuries;
  }

  private static void add(Treasuries sum, HoldingFigures holding) {
    var holder = holding.getHolder();
    var isVisible = holder.getVisible();
    sum.setVisible(sum.getVisible() + (isVisible ? 1 : 0));
    sum.setAmount(sum.getAmount() + holder.getAmount());
    sum.setVisibleAmount(sum.getVisibleAmount() + (isVisible ? holder.getAmount() : 0));
    sum.setValueUsd(sum.getValueUsd() + orZero(holder.getValueUsd()));
    sum.setEntryValueUsd(sum.getEntryValueUsd() + orZero(holding.getEntryValueUsd()));
    sum.setPercentageOfTotalSupply(sum.getPercentageOfTotalSupply() + orZero(holding.getPercentageOfTotalSupply()));
  }

  private static Holder holder(HoldingChange change, boolean wasVisible) {
    var about = change.getAbout();
    return new Holder(
        change.getEntity(),
        about.getEntityName(),
        orZero(number(about.getAmount())),
        number(about.getValueUsd()),
        isVisible(change.getVisibility(), wasVisible));
  }
}
