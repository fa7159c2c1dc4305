package io.tidemark.cli.wiring;

import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a receiver of a source's alerts is served in this process.
 *
 * @param problem why it is not; null where it is
 */
record ReceiverHealthCheck(String source, String receiver, Supplier<@Nullable String> problem) {

  /** It begins again by itself: starting the program anew does no more. */
  HealthPart live() {
    return part(HealthStatus.UP, problem.get());
  }

  HealthPart ready() {
    var why = problem.get();
    return part(why == null ? HealthStatus.UP : HealthStatus.DEGRADED, why);
  }

  private HealthPart part(HealthStatus condition, @Nullable String why) {
    return new HealthPart("receiver " + receiver + " of " + source, condition,
        why == null ? "at work" : "begins again: " + why);
  }
}
