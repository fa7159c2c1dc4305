package io.tidemark.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.HealthCheck.Probe;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.UnreadableRecord;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import io.tidemark.serve.web.Health.HealthStatus;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuarantineHealthCheckTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  Instant now = NOON;
  final Quarantine quarantine =
      new Quarantine("main", ReaderRole.STREAM, List.of(TOPICS.control()), () -> now);
  final HealthCheck check = HealthCheck.quarantine(quarantine, () -> now);

  @Test
  void skippedRecord_degradesForAQuarterOfAnHour() {
    assertThat(check.report(Probe.READY).status()).isEqualTo(HealthStatus.UP);
    assertThat(check.report(Probe.READY).name()).isEqualTo("records read by the stream of main");

    quarantine.add(new UnreadableRecord(TOPICS.control().name(), 2, 3, 0, null, "x".getBytes(UTF_8),
        UnreadableReason.NO_SCHEMA_ID, "another program wrote it"));
    now = NOON.plus(HealthCheck.QUARANTINE_SHOWN);

    assertThat(check.report(Probe.READY).status()).isEqualTo(HealthStatus.DEGRADED);
    assertThat(check.report(Probe.READY).message())
        .isEqualTo("skipped 1 record(s) that could not be used; the newest was skipped at 2026-11-21T12:00:00Z"
            + ": topic t.control, partition 2, offset 3, no key: another program wrote it");
    assertThat(check.report(Probe.LIVE).status()).as("a restart does not help").isEqualTo(HealthStatus.UP);

    now = now.plusSeconds(1);
    assertThat(check.report(Probe.READY).status()).isEqualTo(HealthStatus.UP);
  }
}
