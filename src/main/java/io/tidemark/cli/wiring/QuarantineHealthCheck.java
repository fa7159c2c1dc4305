package io.tidemark.cli.wiring;

import io.tidemark.topic.Quarantine;
import io.tidemark.topic.Quarantine.NewestRecord;
import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Whether a role of a source could use all records that it read lately. */
record QuarantineHealthCheck(Quarantine quarantine, InstantSource clock) implements HealthChecks.HealthCheck {

  /** Whoever handles the alert still finds the message. */
  static final Duration SHOWN = Duration.ofMinutes(15);

  /** Always up: a restart would read the same record again. */
  @Override
  public HealthPart live() {
    return new HealthPart(name(), HealthStatus.UP, message());
  }

  @Override
  public HealthPart ready() {
    return new HealthPart(name(), recent() == null ? HealthStatus.UP : HealthStatus.DEGRADED, message());
  }

  private String name() {
    return "records read by the %s of %s".formatted(quarantine.role().label(), quarantine.source());
  }

  private String message() {
    var recent = recent();
    return recent == null
        ? "readable"
        : "skipped %d that could not be used, the newest at %s: %s"
            .formatted(recent.total(), recent.at(), recent.record().describe());
  }

  private @Nullable NewestRecord recent() {
    var newest = quarantine.newest();
    return newest == null || newest.at().plus(SHOWN).isBefore(clock.instant()) ? null : newest;
  }
}
