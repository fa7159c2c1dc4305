package io.tidemark.stream.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.stream.TopologyRun;
import java.time.Instant;
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
  void shortGapInTicks_firesNothing() {
    run.ticks(NOON, NOON.plusSeconds(5));
    run.ticks(NOON.plusSeconds(60), NOON.plusSeconds(62));

    assertThat(run.alerts()).isEmpty();
  }
}
