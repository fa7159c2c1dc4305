package io.tidemark.cli.wiring;

import io.tidemark.ledger.SourceHealth;
import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/** How a source fares on this instance, for who asks after its health. */
final class SourceHealthCheck {

  /** A start that waits for a Kafka that does not answer is a sign of life, too, and comes more often. */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(5);

  private final Supplier<SourceHealth> health;
  private final InstantSource clock;

  SourceHealthCheck(Supplier<SourceHealth> health, InstantSource clock) {
    this.health = health;
    this.clock = clock;
  }

  /** Down only where starting anew may help: where it is ours and its thread gives no sign. */
  HealthPart live() {
    var now = health.get();
    var silent = Duration.between(now.at(), clock.instant());
    return now.isOwner() && silent.compareTo(LONGEST_SILENCE) > 0
        ? part(now, HealthStatus.DOWN, "no sign of life for %d s while %s".formatted(silent.toSeconds(), now.status()))
        : part(now, HealthStatus.UP, now.status());
  }

  /** What the service refuses is no reason to be taken out of service: what is known is still served. */
  HealthPart ready() {
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

  private static HealthPart part(SourceHealth now, HealthStatus condition, String word) {
    return new HealthPart("source " + now.source(), condition, word);
  }
}
