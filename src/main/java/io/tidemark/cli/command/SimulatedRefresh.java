package io.tidemark.cli.command;

import io.tidemark.market.Operation;
import io.tidemark.market.RefreshRate;
import java.time.Duration;
import java.util.function.Function;

/** How often a simulated service refreshes what an operation shows. */
@FunctionalInterface
public interface SimulatedRefresh extends Function<Operation, Duration> {

  Duration SHORTEST = Duration.ofSeconds(1);

  /** The document's public column, shorter by a speed; a second at least. */
  static SimulatedRefresh at(double speed) {
    return operation -> {
      var millis = (long) (RefreshRate.PUBLIC.period(operation).toMillis() / Math.max(1, speed));
      return millis < SHORTEST.toMillis() ? SHORTEST : Duration.ofMillis(millis);
    };
  }
}
