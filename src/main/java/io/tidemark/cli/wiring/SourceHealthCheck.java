package io.tidemark.cli.wiring;

import io.tidemark.ledger.SourceStatus;
import io.tidemark.source.GroupMembership;
import io.tidemark.source.GroupSettings;
import io.tidemark.source.OwnerState;
import io.tidemark.source.Sources;
import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/** The health of a source on this instance. */
record SourceHealthCheck(String source, Supplier<OwnerState> state, InstantSource clock)
    implements HealthChecks.HealthCheck {

  /** A session that waits for Kafka reports itself more often than this. */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(5);

  /** Whether Kafka answers this instance, also where other instances own all sources. */
  static HealthPart group(Sources sources) {
    var silence = sources.sinceHeartbeat();
    return silence.compareTo(GroupSettings.SESSION_TIMEOUT) < 0
        ? new HealthPart(GroupMembership.GROUP, HealthStatus.UP, "answers")
        : new HealthPart(GroupMembership.GROUP, HealthStatus.DEGRADED,
            "Kafka has not answered for %d s".formatted(silence.toSeconds()));
  }

  /** Down only where a restart may help: this instance owns the source and its session reports nothing. */
  @Override
  public HealthPart live() {
    var now = state.get();
    var silent = Duration.between(now.at(), clock.instant());
    return now.isOwner() && silent.compareTo(LONGEST_SILENCE) > 0
        ? part(HealthStatus.DOWN, "no report for %d s while %s".formatted(silent.toSeconds(), now.status().wire()))
        : part(HealthStatus.UP, now.status().wire());
  }

  /** Only degraded when the service rejects requests: what is known is still served. */
  @Override
  public HealthPart ready() {
    var now = state.get();
    var status = now.status().wire();
    return part(ready(now.status()), now.message() == null ? status : status + ": " + now.message());
  }

  private static HealthStatus ready(SourceStatus status) {
    return switch (status) {
      case POLLING, STANDBY -> HealthStatus.UP;
      case DEGRADED, STOPPED, GIVEN_UP -> HealthStatus.DEGRADED;
      case STARTING, RESTORING -> HealthStatus.DOWN;
    };
  }

  private HealthPart part(HealthStatus status, String message) {
    return new HealthPart("source " + source, status, message);
  }
}
