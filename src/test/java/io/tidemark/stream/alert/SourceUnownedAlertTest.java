package io.tidemark.stream.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.rule.Silence;
import io.tidemark.stream.TopologyRun;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SourceUnownedAlertTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final TopologyRun run = TopologyRun.start();

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void firstTickAfterASourceWasWithoutOwner_firesOnce() {
    run.ticks(NOON, NOON.plusSeconds(5));
    run.ticks(NOON.plusSeconds(305), NOON.plusSeconds(310));

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getRule()).isEqualTo("source-unowned");
      assertThat(alert.getStatus()).isEqualTo("fired");
      assertThat(alert.getStartedAt()).isEqualTo(NOON.plusSeconds(5));
      assertThat(alert.getEventTime()).isEqualTo(NOON.plusSeconds(305));
      assertThat(alert.getEvidence().getFirst().getTopic()).isEqualTo("test.control");
      assertThat(alert.getEvidence().getFirst().getValues()).containsEntry("seconds", "300");
    });
  }

  @Test
  void alert_leavesTheStateADayLater() {
    run.ticks(NOON, NOON.plusSeconds(5));
    run.tick(NOON.plusSeconds(305));
    assertThat(run.alertsState()).hasSize(1);

    for (var second = 310; second <= 305 + 86_400 + 320; second += 10) {
      run.tick(NOON.plusSeconds(second));
    }

    assertThat(run.alertsState().values()).containsOnlyNulls();
  }

  @Test
  void silence_isMarkedInTheAlert() {
    run.ticks(NOON, NOON.plusSeconds(5));
    var planned =
        new Silence("planned", "source-unowned", null, Map.of(), NOON, NOON.plusSeconds(900), "me", "maintenance");
    run.silences(NOON.plusSeconds(1), 1, planned);
    run.ticks(NOON.plusSeconds(6), NOON.plusSeconds(10));
    run.tick(NOON.plusSeconds(310));

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getRule()).isEqualTo("source-unowned");
      assertThat(alert.getSilenced()).isEqualTo("planned");
    });
  }

  @Test
  void shortGapInTicks_firesNothing() {
    run.ticks(NOON, NOON.plusSeconds(5));
    run.ticks(NOON.plusSeconds(60), NOON.plusSeconds(62));

    assertThat(run.alerts()).isEmpty();
  }
}
