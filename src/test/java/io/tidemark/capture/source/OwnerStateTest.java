package io.tidemark.capture.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.ledger.SourceStatus;
import io.tidemark.capture.source.OwnerState.GivenUp;
import io.tidemark.capture.source.OwnerState.Polling;
import io.tidemark.capture.source.OwnerState.Restoring;
import io.tidemark.capture.source.OwnerState.Standby;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.SourceState;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OwnerStateTest {

  static {
    AvroSettings.apply();
  }

  static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  static final Instant LATER = NOW.plusSeconds(1);

  @Test
  void source_isAssignedRestoredPolledAndReleased() {
    var restoring = new Standby(NOW).assigned(NOW).restoring(NOW).restored(1_500, 20_000, NOW);
    var polling = restoring.polling(state(SourceStatus.DEGRADED, "the key's credits are used up"));

    assertThat(restoring).isEqualTo(new Restoring("1,500 of about 20,000 records", NOW));
    assertThat(polling).isEqualTo(new Polling(SourceStatus.DEGRADED, "the key's credits are used up", LATER));
    assertThat(polling.isOwner()).isTrue();
    assertThat(polling.released(LATER)).isEqualTo(new Standby(LATER));
  }

  @Test
  void sessionThatFailed_isFollowedByARestore() {
    var polling = new Polling(SourceStatus.POLLING, null, NOW);

    assertThat(polling.restoring(LATER)).isEqualTo(new Restoring(null, LATER));
  }

  @Test
  void workThatHangsInAnOutage_givesNoSignOfLife_theLoopThatWaitsForTheLeaseDoes() {
    var polling = new Polling(SourceStatus.POLLING, null, NOW);

    assertThat(polling.waitingForKafka("no answer")).isEqualTo(new Polling(SourceStatus.DEGRADED, "no answer", NOW));
    assertThat(polling.failed("no answer", NOW).waiting(LATER))
        .isEqualTo(new Polling(SourceStatus.DEGRADED, "no answer", LATER));
  }

  @Test
  void sourceGivenUp_hasNoOwnerHere() {
    var givenUp = new Restoring(null, NOW).givenUp("the service refuses the key", LATER);

    assertThat(givenUp).isEqualTo(new GivenUp("the service refuses the key", LATER));
    assertThat(givenUp.isOwner()).isFalse();
    assertThat(givenUp.status().wire()).isEqualTo("given-up");
  }

  private static SourceState state(SourceStatus status, String message) {
    return SourceState.newBuilder().setStatus(status.wire()).setMessage(message).setHeartbeatAt(LATER).build();
  }
}
