package io.tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.HealthCheck.Probe;
import io.tidemark.capture.ledger.SourceStatus;
import io.tidemark.capture.source.OwnerState;
import io.tidemark.capture.source.OwnerState.GivenUp;
import io.tidemark.capture.source.OwnerState.Polling;
import io.tidemark.capture.source.OwnerState.Restoring;
import io.tidemark.capture.source.OwnerState.Standby;
import io.tidemark.serve.web.Health.HealthStatus;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SourceHealthCheckTest {

  Instant now = Instant.parse("2026-11-21T12:00:00Z");
  OwnerState state = new Standby(now);
  final HealthCheck check = HealthCheck.source("main", () -> state, () -> now);

  @Test
  void restoringSource_isNotReadyAndReportsProgress() {
    state = new Restoring("1,500 of about 20,000 records", now);

    assertThat(check.report(Probe.READY).status()).isEqualTo(HealthStatus.DOWN);
    assertThat(check.report(Probe.READY).message()).isEqualTo("restoring: 1,500 of about 20,000 records");
    assertThat(check.report(Probe.LIVE).status()).isEqualTo(HealthStatus.UP);
  }

  @Test
  void pollingOrStandbySource_isReady() {
    assertThat(check.report(Probe.READY).status()).isEqualTo(HealthStatus.UP);

    state = new Polling(SourceStatus.POLLING, null, now);

    assertThat(check.report(Probe.READY).status()).isEqualTo(HealthStatus.UP);
    assertThat(check.report(Probe.READY).name()).isEqualTo("source main");
  }

  @Test
  void silentSession_isDownAfterFiveMinutes() {
    state = new Polling(SourceStatus.POLLING, null, now);
    now = now.plus(Duration.ofMinutes(4));
    var soon = check.report(Probe.LIVE);
    now = now.plus(Duration.ofMinutes(2));

    assertThat(soon.status()).isEqualTo(HealthStatus.UP);
    assertThat(check.report(Probe.LIVE).status()).isEqualTo(HealthStatus.DOWN);
    assertThat(check.report(Probe.LIVE).message())
        .isEqualTo("the session of the source has not reported for 360 s; its last status is polling");
  }

  @Test
  void standbySource_needsNoReports() {
    now = now.plus(Duration.ofDays(1));

    assertThat(check.report(Probe.LIVE).status()).isEqualTo(HealthStatus.UP);
  }

  @Test
  void sourceOfWhichATargetFails_isDegradedFromTheFirst() {
    state = new Polling(SourceStatus.POLLING, "1 of 30 targets are polled again", now);

    assertThat(check.report(Probe.READY).status()).isEqualTo(HealthStatus.DEGRADED);
    assertThat(check.report(Probe.READY).message()).isEqualTo("polling: 1 of 30 targets are polled again");
    assertThat(check.report(Probe.LIVE).status()).isEqualTo(HealthStatus.UP);
  }

  @Test
  void givenUpSource_isDegradedButLive() {
    state = new GivenUp("the prefix belongs to another source", now);
    now = now.plus(Duration.ofDays(1));

    assertThat(check.report(Probe.READY).status()).isEqualTo(HealthStatus.DEGRADED);
    assertThat(check.report(Probe.READY).message()).isEqualTo("given-up: the prefix belongs to another source");
    assertThat(check.report(Probe.LIVE).status()).isEqualTo(HealthStatus.UP);
  }
}
