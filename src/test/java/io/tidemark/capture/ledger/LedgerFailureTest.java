package io.tidemark.capture.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.capture.ledger.Ledger.TransactionalWriter;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class LedgerFailureTest {

  @Test
  void fencingFoundLate_isFencing() {
    var state = new KafkaException("in an error state", new InvalidProducerEpochException(""));

    var failure = LedgerFailure.of("main", "commit", state);

    assertThat(failure).isInstanceOf(LedgerFailure.Fenced.class);
  }

  @Test
  void noAnswer_isTimedOut() {
    var failure = LedgerFailure.of("main", "tick", new TimeoutException("60000 ms"));

    assertThat(failure)
        .isInstanceOf(LedgerFailure.TimedOut.class)
        .hasMessage(
            "source main: cannot tick: Kafka does not answer; is the cluster up, are its disks healthy? (60000 ms)");
  }

  /** The client throws a bare KafkaException for batches that expired before the broker answered. */
  @Test
  void missingAcknowledgment_isTimedOut() {
    var expired = new KafkaException("The client hasn't received acknowledgment for some previously sent messages and"
        + " can no longer retry them. It is safe to abort the transaction and continue.");

    assertThat(LedgerFailure.of("main", "commit", expired))
        .isInstanceOf(LedgerFailure.TimedOut.class)
        .hasMessageStartingWith("source main: cannot commit: Kafka does not answer; is the cluster up");
  }

  /** Kafka's own word for it does not say that the transaction is over, and that a new session goes on. */
  @Test
  void transactionThatKafkaEnded_isTimedOut() {
    var ended = new KafkaException("in an error state", new InvalidTxnStateException("an invalid state"));

    assertThat(LedgerFailure.of("main", "commit", ended))
        .isInstanceOf(LedgerFailure.TimedOut.class)
        .hasMessageStartingWith("source main: cannot commit: Kafka ended the transaction before the commit")
        .hasMessageEndingWith("(in an error state: an invalid state)");
  }

  static final List<RuntimeException> OF_A_MISSING_TOPIC = List.of(
      new UnknownTopicOrPartitionException("This server does not host this topic-partition."),
      new KafkaException(new TimeoutException("Topic t.pool.changes not present in metadata after 30000 ms.",
          new UnknownTopicOrPartitionException("This server does not host this topic-partition."))),
      new KafkaException("send",
          new TimeoutException("Partition 1 of topic t.x with partition count 1 is not present in"
              + " metadata after 30000 ms.")),
      new KafkaException("send", new UnknownTopicIdException("gone")));

  @ParameterizedTest
  @FieldSource("OF_A_MISSING_TOPIC")
  void topicThatWasDeleted_isNotBlamedOnTheCluster(RuntimeException cause) {
    assertThat(LedgerFailure.of("main", "commit", cause))
        .isInstanceOf(LedgerFailure.TimedOut.class)
        .hasMessageStartingWith("source main: cannot commit: a topic is missing; was it deleted?")
        .hasMessageNotContaining("does not answer");
  }

  /** The client waited in vain for the metadata of a topic that it had not used before. */
  @Test
  void topicOfAClusterThatDoesNotAnswer_isNotCalledMissing() {
    var away = new KafkaException(new TimeoutException("Topic t.pool.changes not present in metadata after 30000 ms."));

    assertThat(LedgerFailure.of("main", "commit", away))
        .isInstanceOf(LedgerFailure.TimedOut.class)
        .isNotInstanceOf(LedgerFailure.TopicMissing.class)
        .hasMessageStartingWith("source main: cannot commit: Kafka does not answer");
  }

  @Test
  void missingRight_isNamedWithKafkasMessage() {
    var denied = new KafkaException("in an error state", new TopicAuthorizationException(Set.of("t.pool.changes")));

    assertThat(LedgerFailure.of("main", "commit", denied))
        .isInstanceOf(LedgerFailure.Unexpected.class)
        .hasMessage(
            "source main: cannot commit: Kafka does not allow it; has the user lost a right that docs/running/security.md "
                + "names? (Not authorized to access topics: [t.pool.changes])");
  }

  @Test
  void otherFailure_isNamedByItsCause() {
    var failure = new KafkaException("in an error state", new KafkaException("the coordinator is confused"));

    assertThat(LedgerFailure.of("main", "commit", failure))
        .isInstanceOf(LedgerFailure.Unexpected.class)
        .hasMessageEndingWith("cannot commit: org.apache.kafka.common.KafkaException: the coordinator is confused");
  }

  @Test
  void registryThatIsAway_isTimingOut() {
    var failure =
        LedgerFailure.of("main", "start",
            new SchemaRegistryFailure.RegistryUnreachable("registry x does not answer", null));

    assertThat(failure)
        .isInstanceOf(LedgerFailure.TimedOut.class)
        .hasMessage("source main: cannot start: registry x does not answer");
  }

  @Test
  void registryThatRefuses_isNoTimingOut() {
    var failure = LedgerFailure.of("main", "start", new SchemaRegistryFailure.RejectedByRegistry("409"));

    assertThat(failure).isInstanceOf(LedgerFailure.Unexpected.class);
  }

  @Test
  void knownFailure_staysWhatItIs() {
    var refused = new LedgerFailure.Refused("no");

    assertThat(LedgerFailure.of("main", "start", refused)).isSameAs(refused);
  }

  @Test
  void addressThatIsNoneNow_isTimingOut() {
    var topics = new Topics("t.", Retention.DEFAULT);
    Map<String, Object> nowhere = Map.of("bootstrap.servers", "kafka.invalid:9092");
    var settings = new LedgerSettings("main", "instance-1", topics, new TopicLayout(2, (short) 1), nowhere,
        TestSource.OPEN_TRANSACTION_WAIT);

    assertThatThrownBy(() -> TransactionalWriter.open(settings, ProducerFactory.KAFKA, LedgerListener.NONE))
        .isInstanceOf(LedgerFailure.TimedOut.class)
        .hasMessageContaining("source main: cannot reach Kafka");
  }

  @Test
  void settingThatIsWrong_isNoTimingOut() {
    var topics = new Topics("t.", Retention.DEFAULT);
    Map<String, Object> wrong = Map.of("bootstrap.servers", "127.0.0.1:9092", "security.protocol", "NONE");
    var settings =
        new LedgerSettings("main", "instance-1", topics, new TopicLayout(2, (short) 1), wrong,
            TestSource.OPEN_TRANSACTION_WAIT);

    assertThatThrownBy(() -> TransactionalWriter.open(settings, ProducerFactory.KAFKA, LedgerListener.NONE))
        .isInstanceOf(LedgerFailure.Unexpected.class);
  }
}
