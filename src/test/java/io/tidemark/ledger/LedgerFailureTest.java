package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class LedgerFailureTest {

  @Test
  void fencingFoundLate_isFencing() {
    var state = new KafkaException("in an error state", new InvalidProducerEpochException(""));

    var failure = LedgerFailure.of("main", "commit", state);

    assertThat(failure).isInstanceOf(LedgerFailure.Fenced.class);
  }

  @Test
  void silence_isTimingOut() {
    var failure = LedgerFailure.of("main", "tick", new TimeoutException("60000 ms"));

    assertThat(failure)
        .isInstanceOf(LedgerFailure.TimedOut.class)
        .hasMessage("source main: cannot tick: Kafka does not answer; is the cluster up? (60000 ms)");
  }

  @Test
  void knownFailure_staysWhatItIs() {
    var refused = new LedgerFailure.Refused("no");

    assertThat(LedgerFailure.of("main", "start", refused)).isSameAs(refused);
  }
}
