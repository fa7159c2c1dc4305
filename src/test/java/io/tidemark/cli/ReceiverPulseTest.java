package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.web.Health.Condition;
import io.tidemark.web.Health.Part;
import org.junit.jupiter.api.Test;

class ReceiverPulseTest {

  @Test
  void receiverThatIsServed_isUp() {
    assertThat(new ReceiverPulse("main", "tg", () -> null).ready())
        .isEqualTo(new Part("receiver tg of main", Condition.UP, "at work"));
  }

  @Test
  void receiverThatBeginsAgain_isDegradedWithTheReason_andNothingToRestartFor() {
    ReceiverPulse pulse = new ReceiverPulse("main", "tg", () -> "no answer");

    assertThat(pulse.ready())
        .isEqualTo(new Part("receiver tg of main", Condition.DEGRADED, "begins again: no answer"));
    assertThat(pulse.live().condition()).isEqualTo(Condition.UP);
  }
}
