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
import io.tidemark.event.Left;
import io.tidemark.event.Sight;
import io.tidemark.event.Treasuries;
import io.tidemark.stream.rollup.RollupRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TreasuriesByCoinTest {

  private final RollupRun<Treasuries> run = new RollupRun<>(new TreasuriesByCoin());

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void holdings_areSummedByCoin() {
    holding("strategy", 600.0, 60_000.0);
    holding("mara", 50.0, Double.NaN);
    run.until(minute(1));

    assertThat(run.told()).singleElement().satisfies(treasuries -> {
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
  void holdingOutOfSight_isKnownStill() {
    holding("strategy", 600.0, 60_000.0);
    holding("mara", 50.0, 5_000.0);
    var gone = change("mara", 50.0, 5_000.0);
    gone.setSight(new Sight(false, second(10)));
    run.change("mara/bitcoin", gone, minute(20));
    run.restart();
    run.until(minute(21));

    assertThat(run.told()).last().satisfies(treasuries -> {
      assertThat(treasuries.getHolders()).isEqualTo(2);
      assertThat(treasuries.getInSight()).isEqualTo(1);
      assertThat(treasuries.getAmount()).isEqualTo(650.0);
      assertThat(treasuries.getAmountInSight()).isEqualTo(600.0);
    });
  }

  @Test
  void closedHolding_isForgotten() {
    holding("strategy", 600.0, 60_000.0);
    holding("mara", 50.0, 5_000.0);
    var left = change("mara", 50.0, 5_000.0);
    left.setLeft(new Left("closed"));
    run.change("mara/bitcoin", left, minute(1));
    run.until(minute(2));

    assertThat(run.stored("bitcoin").getAmount()).isEqualTo(600.0);
  }

  @Test
  void coinThatNobodyHoldsAnyMore_isTakenBack() {
    holding("strategy", 600.0, 60_000.0);
    run.until(minute(1));
    run.told();
    var left = change("strategy", 600.0, 60_000.0);
    left.setLeft(new Left("closed"));
    run.change("strategy/bitcoin", left, minute(1));
    run.until(minute(2));

    assertThat(run.ended()).containsExactly("bitcoin");
    run.until(minute(3));
    assertThat(run.out()).allMatch(Control.class::isInstance);
  }

  private void holding(String entity, Double amount, Double value) {
    var change = change(entity, amount, value);
    change.setEntry(HoldingEntryChange.newBuilder().setAfter(new HoldingEntry(10.0, null)).build());
    change.setShare(HoldingShareChange.newBuilder().setAfter(new HoldingShare(1.5, null, null)).build());
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
