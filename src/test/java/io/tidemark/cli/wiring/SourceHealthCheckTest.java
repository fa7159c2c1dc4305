package io.tidemark.cli.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.SourceHealth;
import io.tidemark.web.Health.HealthStatus;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SourceHealthCheckTest {

  Instant now = Instant.parse("2026-11-21T12:00:00Z");
  SourceHealth health = health(SourceHealth.STANDBY, null);
  final SourceHealthCheck pulse = new SourceHealthCheck(() -> health, () -> now);

  @Test
  void sourceThatRestores_isNotReadyAndSaysHowFarItIs() {
    health = health(SourceHealth.RESTORING, "1,500 of about 20,000 records");

    assertThat(pulse.ready().status()).isEqualTo(HealthStatus.DOWN);
    assertThat(pulse.ready().message()).isEqualTo("restoring: 1,500 of about 20,000 records");
    assertThat(pulse.live().status()).isEqualTo(HealthStatus.UP);
  }

  @Test
  void sourceThatPollsOrIsAnothersInstances_isReady() {
    assertThat(pulse.ready().status()).isEqualTo(HealthStatus.UP);

    health = health(SourceHealth.POLLING, null);

    assertThat(pulse.ready().status()).isEqualTo(HealthStatus.UP);
    assertThat(pulse.ready().name()).isEqualTo("source main");
  }

  @Test
  void threadThatGivesNoSign_isDeadAfterFiveMinutes() {
    health = health(SourceHealth.POLLING, null);
    now = now.plus(Duration.ofMinutes(4));
    var soon = pulse.live();
    now = now.plus(Duration.ofMinutes(2));

    assertThat(soon.status()).isEqualTo(HealthStatus.UP);
    assertThat(pulse.live().status()).isEqualTo(HealthStatus.DOWN);
    assertThat(pulse.live().message()).isEqualTo("no sign of life for 360 s while polling");
  }

  @Test
  void sourceThatIsNotOurs_needGiveNoSign() {
    now = now.plus(Duration.ofDays(1));

    assertThat(pulse.live().status()).isEqualTo(HealthStatus.UP);
  }

  @Test
  void refusedKey_isDegradedWithTheWord_andNothingToRestartFor() {
    health = health(SourceHealth.GIVEN_UP, "the service refuses the key");
    now = now.plus(Duration.ofDays(1));

    assertThat(pulse.ready().status()).isEqualTo(HealthStatus.DEGRADED);
    assertThat(pulse.ready().message()).isEqualTo("given-up: the service refuses the key");
    assertThat(pulse.live().status()).isEqualTo(HealthStatus.UP);
  }

  private SourceHealth health(String status, @Nullable String word) {
    return SourceHealth.idle("main", status, word, now);
  }
}
