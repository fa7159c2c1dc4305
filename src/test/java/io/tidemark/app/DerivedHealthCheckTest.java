package io.tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.HealthCheck.Probe;
import io.tidemark.serve.web.Health.HealthPart;
import io.tidemark.serve.web.Health.HealthStatus;
import org.apache.kafka.streams.KafkaStreams.State;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DerivedHealthCheckTest {

  @ParameterizedTest
  @CsvSource(nullValues = "none", value = {
    "RUNNING, UP, UP, UP, running",
    "REBALANCING, UP, DOWN, DEGRADED, rebalancing",
    "ERROR, DOWN, DOWN, DEGRADED, error",
    "none, DOWN, DOWN, DEGRADED, restarting after a failure: the disk is full"
  })
  void streamsAlone_canBeDown_besidePollingAtWorstDegraded(
      @Nullable State state, HealthStatus live, HealthStatus ready, HealthStatus readyBesidePolling, String message) {
    var streams = HealthCheck.streams("main", () -> state, () -> "the disk is full");
    var besidePolling = HealthCheck.besidePolling(streams);

    assertThat(streams.report(Probe.LIVE).status()).isEqualTo(live);
    assertThat(streams.report(Probe.READY).status()).isEqualTo(ready);
    assertThat(besidePolling.report(Probe.LIVE)).isEqualTo(new HealthPart("streams of main", HealthStatus.UP, message));
    assertThat(besidePolling.report(Probe.READY))
        .isEqualTo(new HealthPart("streams of main", readyBesidePolling, message));
  }

  @Test
  void webServerBesidePolling_isNotReadyForReaders_butNoReasonForARestart() {
    var web = HealthCheck.liveBesidePolling(HealthCheck.web(() -> null, () -> "port 8080 is taken"));

    assertThat(web.report(Probe.READY))
        .isEqualTo(new HealthPart("web", HealthStatus.DOWN, "restarting after a failure: port 8080 is taken"));
    assertThat(web.report(Probe.LIVE).status()).isEqualTo(HealthStatus.UP);
  }
}
