package io.tidemark.capture.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.capture.ledger.LedgerFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class KafkaOutageTest {

  final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  final KafkaOutage outage =
      new KafkaOutage("main", () -> Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS)), timer);

  @Test
  void quickAnswer_isNoOutage() {
    outage.run(() -> pass(4));

    assertThat(outage.since()).isNull();
    pass(60);
    assertThat(outage.since()).as("the alarm is off").isNull();
  }

  @Test
  void slowAnswer_isAnOutageUntilItComes() {
    pass(10);

    outage.run(() -> {
      pass(6);
      assertThat(outage.since()).isEqualTo(Instant.EPOCH.plusSeconds(10));
    });

    assertThat(outage.since()).isNull();
  }

  @Test
  void answerThatNeverCame_isAnOutageUntilThereIsAnother() {
    var timedOut = new LedgerFailure.TimedOut("nobody there", null);
    assertThatThrownBy(() -> outage.run(() -> {
      throw timedOut;
    })).isSameAs(timedOut);
    pass(600);
    assertThat(outage.since()).isEqualTo(Instant.EPOCH);

    outage.ended();

    assertThat(outage.since()).isNull();
  }

  @Test
  void missingTopic_isNamed_asKafkaAnswers() {
    var failure = LedgerFailure.of("main", "commit", new UnknownTopicOrPartitionException("t.pool.changes"));
    assertThatThrownBy(() -> outage.run(() -> {
      pass(6);
      throw failure;
    })).isSameAs(failure);

    assertThat(outage.message()).isEqualTo(failure.getMessage()).contains("a topic is missing", "t.pool.changes");
  }

  @Test
  void otherFailure_isAnAnswer() {
    assertThatThrownBy(() -> outage.run(() -> {
      throw new IllegalStateException("fenced");
    })).hasMessage("fenced");

    pass(60);
    assertThat(outage.since()).isNull();
  }

  private void pass(int seconds) {
    timer.advanceTimeBy(Duration.ofSeconds(seconds));
  }
}
