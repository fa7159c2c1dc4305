package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.SourceHealth;
import io.tidemark.web.Health.Condition;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SourcePulseTest {

  Instant now = Instant.parse("2026-11-21T12:00:00Z");
  SourceHealth health = health(SourceHealth.STANDBY, null);
  final SourcePulse pulse = new SourcePulse(() -> health, () -> now);

  @Test
  void sourceThatRestores_isNotReadyAndSaysHowFarItIs() {
    health = health(SourceHealth.RESTORING, "1,500 of about 20,000 records");

    assertThat(pulse.ready().condition()).isEqualTo(Condition.DOWN);
    assertThat(pulse.ready().word()).isEqualTo("restoring: 1,500 of about 20,000 records");
    assertThat(pulse.live().condition()).isEqualTo(Condition.UP);
  }

  @Test
  void sourceThatPollsOrIsAnothersInstances_isReady() {
    assertThat(pulse.ready().condition()).isEqualTo(Condition.UP);

    health = health(SourceHealth.POLLING, null);

    assertThat(pulse.ready().condition()).isEqualTo(Condition.UP);
    assertThat(pulse.ready().name()).isEqualTo("source main");
  }

  @Test
  void threadThatGivesNoSign_isDeadAfterFiveMinutes() {
    health = health(SourceHealth.POLLING, null);
    now = now.plus(Duration.ofMinutes(4));
    var soon = pulse.live();
    now = now.plus(Duration.ofMinutes(2));

    assertThat(soon.condition()).isEqualTo(Condition.UP);
    assertThat(pulse.live().condition()).isEqualTo(Condition.DOWN);
    assertThat(pulse.live().word()).isEqualTo("no sign of life for 360 s while polling");
  }

  @Test
  void sourceThatIsNotOurs_needGiveNoSign() {
    now = now.plus(Duration.ofDays(1));

    assertThat(pulse.live().condition()).isEqualTo(Condition.UP);
  }

  @Test
  void refusedKey_isDegradedWithTheWord_andNothingToRestartFor() {
    health = health(SourceHealth.GIVEN_UP, "the service refuses the key");
    now = now.plus(Duration.ofDays(1));

    assertThat(pulse.ready().condition()).isEqualTo(Condition.DEGRADED);
    assertThat(pulse.ready().word()).isEqualTo("given-up: the service refuses the key");
    assertThat(pulse.live().condition()).isEqualTo(Condition.UP);
  }

  private SourceHealth health(String status, @Nullable String word) {
    return SourceHealth.idle("main", status, word, now);
  }
}
