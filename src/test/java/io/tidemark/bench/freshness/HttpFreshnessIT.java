package io.tidemark.bench.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.freshness.HttpFreshness.HttpFreshnessResult;
import io.tidemark.simulator.server.EdgeCache.CacheRefresh;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** That the measurement measures. What it measures depends on the machine, so no figure is compared with a goal. */
class HttpFreshnessIT {

  private static final Duration PERIOD = Duration.ofSeconds(2);

  @Test
  void bothKindsOfCache_changesReachTheConsumer_afterTheRefresh() {
    var results = new HttpFreshness(PERIOD, PERIOD.multipliedBy(3), PERIOD.multipliedBy(3)).run();

    assertThat(results).extracting(HttpFreshnessResult::cache).containsExactly(CacheRefresh.values());
    assertThat(results).allSatisfy(result -> {
      assertThat(result.targets()).isBetween(1, 20);
      assertThat(result.polls()).isPositive();
      assertThat(result.changed()).isPositive().isLessThanOrEqualTo(result.polls());
      assertThat(result.median()).isPositive().isLessThanOrEqualTo(result.p99());
      assertThat(result.early()).isBetween(0.0, 1.0);
    });
  }
}
