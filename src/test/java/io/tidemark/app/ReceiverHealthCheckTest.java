package io.tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.HealthCheck.Probe;
import io.tidemark.serve.web.Health.HealthPart;
import io.tidemark.serve.web.Health.HealthStatus;
import org.junit.jupiter.api.Test;

class ReceiverHealthCheckTest {

  @Test
  void deliveringReceiver_isUp() {
    assertThat(HealthCheck.receiver("main", "tg", () -> null).report(Probe.READY))
        .isEqualTo(new HealthPart("receiver tg of main", HealthStatus.UP, "delivering"));
  }

  @Test
  void retryingReceiver_isDegradedButLive() {
    HealthCheck check = HealthCheck.receiver("main", "tg", () -> "no answer");

    assertThat(check.report(Probe.READY))
        .isEqualTo(new HealthPart("receiver tg of main", HealthStatus.DEGRADED, "retrying: no answer"));
    assertThat(check.report(Probe.LIVE).status()).isEqualTo(HealthStatus.UP);
  }
}
