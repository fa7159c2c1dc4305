package io.tidemark.cli.wiring;

import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/** The health of a source's stream application in this process. */
final class StreamHealthCheck implements HealthChecks.HealthCheck {

  private final String name;
  private final Supplier<KafkaStreams.@Nullable State> state;
  private final Supplier<@Nullable String> problem;
  private volatile boolean ran;

  /**
   * @param state null while the application waits for its restart
   * @param problem why it waits
   */
  StreamHealthCheck(
      String source, Supplier<KafkaStreams.@Nullable State> state, Supplier<@Nullable String> problem) {
    this.name = "streams of " + source;
    this.state = state;
    this.problem = problem;
  }

  /** Down when it has ended. */
  @Override
  public HealthPart live() {
    return switch (state.get()) {
      case ERROR, PENDING_ERROR, NOT_RUNNING -> part(HealthStatus.DOWN);
      case null -> part(HealthStatus.DOWN);
      default -> part(HealthStatus.UP);
    };
  }

  /** A rebalance after the first start only degrades: it happens with every instance that joins or leaves. */
  @Override
  public HealthPart ready() {
    return switch (state.get()) {
      case RUNNING -> {
        ran = true;
        yield part(HealthStatus.UP);
      }
      case CREATED, REBALANCING -> part(ran ? HealthStatus.DEGRADED : HealthStatus.DOWN);
      case null, default -> part(HealthStatus.DOWN);
    };
  }

  private HealthPart part(HealthStatus status) {
    var now = state.get();
    return new HealthPart(name, status,
        now == null ? "restarts: " + problem.get() : now.name().toLowerCase(Locale.ROOT).replace('_', ' '));
  }
}
