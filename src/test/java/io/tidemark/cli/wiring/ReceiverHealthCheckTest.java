package io.tidemark.cli.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import org.junit.jupiter.api.Test;

class ReceiverHealthCheckTest {

  @Test
  void receiverThatIsServed_isUp() {
    assertThat(new ReceiverHealthCheck("main", "tg", () -> null).ready())
        .isEqualTo(new HealthPart("receiver tg of main", HealthStatus.UP, "at work"));
  }

  @Test
  void receiverThatBeginsAgain_isDegradedWithTheReason_andNothingToRestartFor() {
    ReceiverHealthCheck pulse = new ReceiverHealthCheck("main", "tg", () -> "no answer");

    assertThat(pulse.ready())
        .isEqualTo(new HealthPart("receiver tg of main", HealthStatus.DEGRADED, "begins again: no answer"));
    assertThat(pulse.live().status()).isEqualTo(HealthStatus.UP);
  }
}
