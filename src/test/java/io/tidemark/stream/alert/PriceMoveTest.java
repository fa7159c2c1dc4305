package io.tidemark.stream.alert;

import static io.tidemark.stream.PoolChanges.baseline;
import static io.tidemark.stream.PoolChanges.frame;
import static io.tidemark.stream.PoolChanges.moved;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.stream.TopologyRun;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PriceMoveTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final TopologyRun run = TopologyRun.of(AlertSettings.DEFAULT);

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void largeMoveBetweenTwoLooks_fires() {
    run.change(moved(NOON, "1.0", "1.2"));

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getRule()).isEqualTo("price-move");
      assertThat(alert.getSeverity()).isEqualTo("warning");
      assertThat(alert.getSummary()).isEqualTo(
          "PEPE / SOL up 20.0 % within 60 seconds: from 1.000 USD to 1.200 USD, reserve 50,000 USD");
      assertThat(alert.getEvidence().get(0).getValues())
          .containsEntry("price.base_token_price_usd", "1.2")
          .containsEntry("moved.from", "1.0");
    });
  }

  @Test
  void smallMovesThatAddUp_fireOnce() {
    run.change(moved(minute(1), "1.00", "1.06"));
    run.change(moved(minute(3), "1.06", "1.12"));
    run.change(moved(minute(5), "1.12", "1.18"));
    run.change(moved(minute(6), "1.18", "1.25"));

    assertThat(run.alerts()).extracting(Alert::getEventTime).containsExactly(minute(6));
  }

  @Test
  void fall_isMeasuredFromTheHighest() {
    run.change(moved(minute(1), "1.00", "1.10"));
    run.change(moved(minute(3), "1.10", "0.93"));

    assertThat(run.alerts()).singleElement().satisfies(alert ->
        assertThat(alert.getSummary()).startsWith("PEPE / SOL down 15.5 %"));
  }

  @Test
  void slowMove_firesNothing() {
    run.change(moved(minute(1), "1.00", "1.10"));
    run.change(moved(minute(13), "1.10", "1.20"));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void sparseLooks_letTheChangeDecide() {
    run.change(moved(NOON, "1.0", NOON.minus(Duration.ofHours(2)), "1.2"));

    assertThat(run.alerts()).singleElement().satisfies(alert ->
        assertThat(alert.getSummary()).contains("within 2 hours"));
  }

  @Test
  void moveWithinTheCooldown_isNotToldOfAgain() {
    run.change(moved(NOON, "1.0", "1.2"));
    run.change(moved(minute(29), "1.2", "1.6"));

    assertThat(run.alerts()).hasSize(1);
  }

  @Test
  void moveAfterTheCooldown_isToldOf() {
    run.change(moved(NOON, "1.0", "1.2"));
    run.change(moved(minute(30), "1.2", "1.6"));

    assertThat(run.alerts()).hasSize(2);
  }

  @Test
  void baselineAndFrames_fireNothing() {
    run.change(baseline(NOON, "1.0"));
    run.change(frame(minute(1), "1.0"));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void moveSinceTheBaseline_fires() {
    run.change(baseline(NOON, "1.0"));
    run.change(moved(minute(2), "1.0", "0.8"));

    assertThat(run.alerts()).hasSize(1);
  }

  @Test
  void poolBelowItsFloors_firesNothing() {
    var change = moved(NOON, "1.0", "2.0");
    change.getAbout().setReserveUsd(9_999.0);
    run.change(change);

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void priceThatIsNoNumber_isPassedOver() {
    run.change(moved(NOON, "1.0", "NaN"));
    run.change(moved(minute(1), "NaN", "1.1"));
    run.change(moved(minute(2), "0", "1.12"));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void historyThatCanDoNothing_isForgotten() {
    run.change(moved(NOON, "1.0", "1.01"));
    run.tick(minute(10));
    assertThat(run.stored("price-move")).isEqualTo(1);

    run.tick(minute(20));

    assertThat(run.stored("price-move")).isZero();
  }

  private static Instant minute(int minute) {
    return NOON.plus(Duration.ofMinutes(minute));
  }
}
