package io.tidemark.cli.wiring;

import io.tidemark.ledger.SourceHealth;
import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/** The health of a source on this instance. */
final class SourceHealthCheck implements HealthChecks.HealthCheck {

  /** A session that waits for Kafka reports itself more often than this. */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(5);

  private final Supplier<SourceHealth> health;
  private final InstantSource clock;

  SourceHealthCheck(Supplier<SourceHealth> health, InstantSource clock) {
    this.health = health;
    this.clock = clock;
  }

  /** Down only where a restart may help: this instance owns the source and its session reports nothing. */
  @Override
  public HealthPart live() {
    var now = health.get();
    var silent = Duration.between(now.at(), clock.instant());
    return now.isOwner() && silent.compareTo(LONGEST_SILENCE) > 0
        ? part(now, HealthStatus.DOWN, "no report for %d s while %s".formatted(silent.toSeconds(), now.status()))
        : part(now, HealthStatus.UP, now.status());
  }

  /** Only degraded when the service rejects requests: what is known is still served. */
  @Override
  public HealthPart ready() {
    var now = health.get();
    return switch (now.status()) {
      case SourceHealth.POLLING, SourceHealth.STANDBY -> part(now, HealthStatus.UP, now.status());
      case SourceHealth.DEGRADED, SourceHealth.STOPPED, SourceHealth.GIVEN_UP ->
          part(now, HealthStatus.DEGRADED, describe(now));
      default -> part(now, HealthStatus.DOWN, describe(now));
    };
  }

  private static String describe(SourceHealth now) {
    return now.message() == null ? now.status() : now.status() + ": " + now.message();
  }

  private static HealthPart part(SourceHealth now, HealthStatus status, String message) {
    return new HealthPart("source " + now.source(), status, message);
  }
}
