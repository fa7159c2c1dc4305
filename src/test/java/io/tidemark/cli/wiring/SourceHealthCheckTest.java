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
  final SourceHealthCheck check = new SourceHealthCheck(() -> health, () -> now);

  @Test
  void restoringSource_isNotReadyAndReportsProgress() {
    health = health(SourceHealth.RESTORING, "1,500 of about 20,000 records");

    assertThat(check.ready().status()).isEqualTo(HealthStatus.DOWN);
    assertThat(check.ready().message()).isEqualTo("restoring: 1,500 of about 20,000 records");
    assertThat(check.live().status()).isEqualTo(HealthStatus.UP);
  }

  @Test
  void pollingOrStandbySource_isReady() {
    assertThat(check.ready().status()).isEqualTo(HealthStatus.UP);

    health = health(SourceHealth.POLLING, null);

    assertThat(check.ready().status()).isEqualTo(HealthStatus.UP);
    assertThat(check.ready().name()).isEqualTo("source main");
  }

  @Test
  void silentSession_isDownAfterFiveMinutes() {
    health = health(SourceHealth.POLLING, null);
    now = now.plus(Duration.ofMinutes(4));
    var soon = check.live();
    now = now.plus(Duration.ofMinutes(2));

    assertThat(soon.status()).isEqualTo(HealthStatus.UP);
    assertThat(check.live().status()).isEqualTo(HealthStatus.DOWN);
    assertThat(check.live().message()).isEqualTo("no report for 360 s while polling");
  }

  @Test
  void standbySource_needsNoReports() {
    now = now.plus(Duration.ofDays(1));

    assertThat(check.live().status()).isEqualTo(HealthStatus.UP);
  }

  @Test
  void rejectedKey_isDegradedButLive() {
    health = health(SourceHealth.GIVEN_UP, "the service refuses the key");
    now = now.plus(Duration.ofDays(1));

    assertThat(check.ready().status()).isEqualTo(HealthStatus.DEGRADED);
    assertThat(check.ready().message()).isEqualTo("given-up: the service refuses the key");
    assertThat(check.live().status()).isEqualTo(HealthStatus.UP);
  }

  private SourceHealth health(String status, @Nullable String message) {
    return SourceHealth.idle("main", status, message, now);
  }
}
