package io.tidemark.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.market.Failure;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PollMetricsTest {

  /** Alerts of operators name these labels. */
  @Test
  void labelsOfFailures_stay() {
    assertThat(Stream.of(Failure.class.getPermittedSubclasses())
        .map(kind -> PollMetrics.label(kind.asSubclass(Failure.class)))).containsExactlyInAnyOrder(
            "unreachable", "rate_limited", "credits_exhausted", "bad_key", "not_in_plan", "not_found", "bad_request",
            "blocked", "server_error", "unreadable");
  }
}
