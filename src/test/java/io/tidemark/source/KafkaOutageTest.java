package io.tidemark.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.LedgerFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class KafkaOutageTest {

  final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  final KafkaOutage silence =
      new KafkaOutage("main", () -> Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS)), timer);

  @Test
  void quickAnswer_isNoSilence() {
    silence.run(() -> pass(4));

    assertThat(silence.since()).isNull();
    pass(60);
    assertThat(silence.since()).as("the alarm is off").isNull();
  }

  @Test
  void slowAnswer_isSilenceUntilItComes() {
    pass(10);

    silence.run(() -> {
      pass(6);
      assertThat(silence.since()).isEqualTo(Instant.EPOCH.plusSeconds(10));
    });

    assertThat(silence.since()).isNull();
  }

  @Test
  void answerThatNeverCame_isSilenceUntilThereIsAnother() {
    var timedOut = new LedgerFailure.TimedOut("nobody there", null);
    assertThatThrownBy(() -> silence.run(() -> {
      throw timedOut;
    })).isSameAs(timedOut);
    pass(600);
    assertThat(silence.since()).isEqualTo(Instant.EPOCH);

    silence.ended();

    assertThat(silence.since()).isNull();
  }

  @Test
  void otherFailure_isAnAnswer() {
    assertThatThrownBy(() -> silence.run(() -> {
      throw new IllegalStateException("fenced");
    })).hasMessage("fenced");

    pass(60);
    assertThat(silence.since()).isNull();
  }

  private void pass(int seconds) {
    timer.advanceTimeBy(Duration.ofSeconds(seconds));
  }
}
