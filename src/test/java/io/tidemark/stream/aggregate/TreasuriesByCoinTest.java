package io.tidemark.stream.aggregate;

import static io.tidemark.stream.aggregate.Origins.minute;
import static io.tidemark.stream.aggregate.Origins.second;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Control;
import io.tidemark.event.Holder;
import io.tidemark.event.HoldingAbout;
import io.tidemark.event.HoldingChange;
import io.tidemark.event.HoldingEntry;
import io.tidemark.event.HoldingEntryChange;
import io.tidemark.event.HoldingShare;
import io.tidemark.event.HoldingShareChange;
import io.tidemark.event.Removed;
import io.tidemark.event.Treasuries;
import io.tidemark.event.Visibility;
import org.junit.jupiter.api.Test;

class TreasuriesByCoinTest {

  private final AggregateRun<Treasuries> run = new AggregateRun<>(new TreasuriesByCoin());

  @Test
  void holdings_areSummedByCoin() {
    holding("strategy", 600.0, 60_000.0);
    holding("mara", 50.0, Double.NaN);
    run.until(minute(1));

    assertThat(run.published()).singleElement().satisfies(treasuries -> {
      assertThat(treasuries.getCoin()).isEqualTo("bitcoin");
      assertThat(treasuries.getHolders()).isEqualTo(2);
      assertThat(treasuries.getAmount()).isEqualTo(650.0);
      assertThat(treasuries.getValueUsd()).isEqualTo(60_000.0);
      assertThat(treasuries.getEntryValueUsd()).isEqualTo(20.0);
      assertThat(treasuries.getPercentageOfTotalSupply()).isEqualTo(3.0);
      assertThat(treasuries.getLargest()).extracting(Holder::getEntity).containsExactly("strategy", "mara");
    });
  }

  @Test
  void holdingNotVisible_isStillKnown() {
    holding("strategy", 600.0, 60_000.0);
    holding("mara", 50.0, 5_000.0);
    var hidden = change("mara", 50.0, 5_000.0);
    hidden.setVisibility(new Visibility(false, second(10)));
    run.change("mara/bitcoin", hidden, minute(20));
    run.restart();
    run.until(minute(21));

    assertThat(run.published()).last().satisfies(treasuries -> {
      assertThat(treasuries.getHolders()).isEqualTo(2);
      assertThat(treasuries.getVisible()).isEqualTo(1);
      assertThat(treasuries.getAmount()).isEqualTo(650.0);
      assertThat(treasuries.getVisibleAmount()).isEqualTo(600.0);
    });
  }

  @Test
  void closedHolding_isDropped() {
    holding("strategy", 600.0, 60_000.0);
    holding("mara", 50.0, 5_000.0);
    var removed = change("mara", 50.0, 5_000.0);
    removed.setRemoved(new Removed("closed"));
    run.change("mara/bitcoin", removed, minute(1));
    run.until(minute(2));

    assertThat(run.stored("bitcoin").getAmount()).isEqualTo(600.0);
  }

  @Test
  void coinWithoutHolders_isRemoved() {
    holding("strategy", 600.0, 60_000.0);
    run.until(minute(1));
    run.published();
    var removed = change("strategy", 600.0, 60_000.0);
    removed.setRemoved(new Removed("closed"));
    run.change("strategy/bitcoin", removed, minute(1));
    run.until(minute(2));

    assertThat(run.removedGroups()).containsExactly("bitcoin");
    run.until(minute(3));
    assertThat(run.out()).allMatch(Control.class::isInstance);
  }

  private void holding(String entity, Double amount, Double value) {
    var change = change(entity, amount, value);
    change.setEntry(HoldingEntryChange.newBuilder()
        .setAfter(HoldingEntry.newBuilder().setTotalEntryValueUsd(10.0).build()).build());
    change.setShare(HoldingShareChange.newBuilder()
        .setAfter(HoldingShare.newBuilder().setPercentageOfTotalSupply(1.5).build()).build());
    run.change(entity + "/bitcoin", change, second(10));
  }

  private static HoldingChange change(String entity, Double amount, Double value) {
    return HoldingChange.newBuilder()
        .setEntity(entity)
        .setCoinId("bitcoin")
        .setOrigin(Origins.at(second(10)))
        .setAbout(HoldingAbout.newBuilder().setAmount(amount).setValueUsd(value).build())
        .build();
  }
}
