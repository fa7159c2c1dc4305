package io.tidemark.cli;

import io.tidemark.ledger.SourceHealth;
import io.tidemark.web.Health.Condition;
import io.tidemark.web.Health.Part;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/** How a source fares on this instance, for who asks after its health. */
final class SourcePulse {

  /** A start that waits for a Kafka that does not answer is a sign of life, too, and comes more often. */
  private static final Duration LIFELESS = Duration.ofMinutes(5);

  private final Supplier<SourceHealth> health;
  private final InstantSource clock;

  SourcePulse(Supplier<SourceHealth> health, InstantSource clock) {
    this.health = health;
    this.clock = clock;
  }

  /** Down only where starting anew may help: where it is ours and its thread gives no sign. */
  Part live() {
    var now = health.get();
    var silent = Duration.between(now.at(), clock.instant());
    return now.owned() && silent.compareTo(LIFELESS) > 0
        ? part(now, Condition.DOWN, "no sign of life for %d s while %s".formatted(silent.toSeconds(), now.status()))
        : part(now, Condition.UP, now.status());
  }

  /** What the service refuses is no reason to be taken out of service: what is known is still served. */
  Part ready() {
    var now = health.get();
    return switch (now.status()) {
      case SourceHealth.POLLING, SourceHealth.STANDBY -> part(now, Condition.UP, now.status());
      case SourceHealth.DEGRADED, SourceHealth.STOPPED, SourceHealth.GIVEN_UP ->
          part(now, Condition.DEGRADED, said(now));
      default -> part(now, Condition.DOWN, said(now));
    };
  }

  private static String said(SourceHealth now) {
    return now.word() == null ? now.status() : now.status() + ": " + now.word();
  }

  private static Part part(SourceHealth now, Condition condition, String word) {
    return new Part("source " + now.source(), condition, word);
  }
}
