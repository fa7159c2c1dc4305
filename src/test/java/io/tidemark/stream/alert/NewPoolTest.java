package io.tidemark.stream.alert;

import static io.tidemark.stream.PoolChanges.POOL;
import static io.tidemark.stream.PoolChanges.change;
import static io.tidemark.stream.PoolChanges.created;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Evidence;
import io.tidemark.stream.TopologyRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NewPoolTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final Duration YOUNG = Duration.ofMinutes(4);
  static final double ENOUGH = 1_000;
  static final double LITTLE = 999;

  private TopologyRun run = TopologyRun.of(AlertSettings.DEFAULT);

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void newPoolThatMeetsItsFloors_firesAtOnce() {
    run.change(created(NOON, YOUNG, ENOUGH));

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getRule()).isEqualTo("new-pool");
      assertThat(alert.getStatus()).isEqualTo("fired");
      assertThat(alert.getSubject()).isEqualTo(POOL);
      assertThat(alert.getEventTime()).isEqualTo(NOON);
      assertThat(alert.getSummary())
          .isEqualTo("New pool PEPE / SOL on raydium (solana): reserve 1,000 USD, 4 minutes old");
      assertThat(alert.getLabels()).isEqualTo(Map.of("network", "solana", "dex", "raydium"));
      assertThat(alert.getId())
          .isEqualTo("new-pool/" + alert.getFingerprint() + "/" + NOON.toEpochMilli());
    });
  }

  @Test
  void firing_keepsTheRecordThatItStandsOn() {
    run.change(created(NOON, YOUNG, ENOUGH));

    assertThat(run.alerts().get(0).getEvidence()).singleElement().satisfies(evidence -> {
      assertThat(evidence.getTopic()).isEqualTo("test.pool.changes");
      assertThat(evidence.getKey()).isEqualTo(POOL);
      assertThat(evidence.getLife()).isEqualTo(Instant.EPOCH);
      assertThat(evidence.getRevision()).isEqualTo(NOON.getEpochSecond());
      assertThat(evidence.getObservedAt()).isEqualTo(NOON);
      assertThat(evidence.getValues())
          .containsEntry("appeared.kind", "created")
          .containsEntry("about.reserve_usd", "1000.0");
    });
  }

  @Test
  void floorsMetLater_fireThenWithBothRecords() {
    run.change(created(NOON, YOUNG, LITTLE));
    run.change(change(NOON.plusSeconds(60), null));
    run.change(change(NOON.plusSeconds(120), ENOUGH));

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getEventTime()).isEqualTo(NOON.plusSeconds(120));
      assertThat(alert.getEvidence())
          .extracting(Evidence::getObservedAt)
          .containsExactly(NOON, NOON.plusSeconds(120));
    });
  }

  @Test
  void poolThatFired_firesNeverAgain() {
    run.change(created(NOON, YOUNG, ENOUGH));
    run.change(change(NOON.plusSeconds(60), ENOUGH));
    run.change(change(NOON.plusSeconds(120), ENOUGH * 9));

    assertThat(run.alerts()).hasSize(1);
  }

  @Test
  void floorsMetTooLate_fireNothing() {
    run.change(created(NOON, YOUNG, LITTLE));
    run.change(change(NOON.plus(Duration.ofMinutes(56)).plusMillis(1), ENOUGH));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void poolThatIsOldAtFirstSight_firesNothing() {
    run.change(created(NOON, Duration.ofMinutes(61), ENOUGH));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void poolThatWasThereBefore_firesNothing() {
    var found = created(NOON, YOUNG, ENOUGH);
    found.getAppeared().setKind("found");
    run.change(found);

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void baseline_firesNothing() {
    var baseline = created(NOON, YOUNG, ENOUGH);
    baseline.getOrigin().setBaseline(true);
    run.change(baseline);
    run.change(change(NOON.plusSeconds(60), ENOUGH));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void networkThatIsNotAskedFor_firesNothing() {
    restart(new NewPool.Settings(true, new Floors(Set.of("base"), 0), Duration.ofMinutes(60)));
    run.change(created(NOON, YOUNG, ENOUGH));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void poolThatGrewOld_isForgotten() {
    run.change(created(NOON, YOUNG, LITTLE));
    run.tick(NOON.plus(Duration.ofMinutes(10)));
    assertThat(run.stored("new-pool")).isEqualTo(1);

    run.tick(NOON.plus(Duration.ofMinutes(57)));

    assertThat(run.stored("new-pool")).isZero();
  }

  @Test
  void hostileName_isMadeHarmless() {
    var created = created(NOON, YOUNG, ENOUGH);
    created.getAbout().setName("\u202Egnp.exe\n\u0000<script>" + "x".repeat(10_000));
    run.change(created);

    assertThat(run.alerts().get(0).getSummary())
        .startsWith("New pool gnp.exe <script>xxx")
        .doesNotContainPattern("[\\p{Cc}\\p{Cf}]")
        .hasSizeLessThan(160);
  }

  private void restart(NewPool.Settings settings) {
    run.close();
    run = TopologyRun.of(
        new AlertSettings(settings, AlertSettings.DEFAULT.newlyTrending(), AlertSettings.DEFAULT.priceMove()));
  }
}
