package io.tidemark.capture.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.TestSource.Heard;
import io.tidemark.event.PoolChange;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.embedded.FaultyBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka answers and refuses a commit: that session ends, its transaction is void, the next goes on from Kafka. */
class CommitFailureIT {

  static final Duration WAIT = Duration.ofMinutes(4);
  /** How long the coordinator may take to end its transactions once all partitions are there again. */
  static final Duration UNTIL_MARKED = Duration.ofSeconds(20);
  static final String LARGEST = "max.message.bytes";
  /** Together they are in all partitions, so on both disks. */
  static final List<String> POOLS = Stream.of("a", "b", "c", "d", "e", "f").map("eth_0x"::concat).toList();

  @TempDir
  static Path folder;
  static FaultyBroker broker;

  final TestSource source = new TestSource(Map.of(
      "bootstrap.servers", broker.bootstrapServers(),
      "request.timeout.ms", 3_000, "delivery.timeout.ms", 6_000, "max.block.ms", 6_000,
      "default.api.timeout.ms", 6_000));
  long acknowledged;
  boolean isAbortedByHand;

  interface ClusterFault {
    void begin(Admin admin) throws Exception;
  }

  @BeforeAll
  static void open() throws Exception {
    broker = new FaultyBroker(folder);
  }

  @AfterAll
  static void close() {
    broker.close();
  }

  @Test
  void rightIsRevoked_eachSessionEndsAtItsCommit() {
    assertSessionsEndUntilItIsOver(
        admin -> admin.createAcls(FaultyBroker.readOnly(changesTopic())).all().get(),
        LedgerFailure.Unexpected.class, "Kafka does not allow it; ",
        admin -> admin.deleteAcls(FaultyBroker.filters(changesTopic())).all().get());
  }

  @Test
  void topicTakesSmallRecordsOnly_eachSessionEndsAtItsCommit() {
    assertSessionsEndUntilItIsOver(
        admin -> admin.incrementalAlterConfigs(largest("150")).all().get(),
        LedgerFailure.Unexpected.class, "Kafka refuses a record because it is too large; ",
        admin -> admin.incrementalAlterConfigs(largest("8388608")).all().get());
  }

  @Test
  void diskBreaks_eachSessionEndsAndTheNextGoesOnWhenItIsWhole() {
    assertSessionsEndUntilItIsOver(
        admin -> broker.breakDisk(),
        LedgerFailure.TimedOut.class, "Kafka does not answer; is the cluster up, are its disks healthy? ",
        admin -> {
          broker.repairDisk();
          abortForgottenTransactions(admin);
        });
  }

  @Test
  void topicIsDeleted_theNextSessionSaysSo() {
    try (var first = source.start()) {
      commit(first);
      apply(admin -> admin.deleteTopics(List.of(changesTopic())).all().get());
      assertThat(commitUntilItFails(first)).isInstanceOf(LedgerFailure.TimedOut.class);
    }
    assertThatThrownBy(this::nextSession).isInstanceOf(LedgerFailure.TimedOut.class)
        .hasMessageContainingAll("a topic is missing; was it deleted?", changesTopic());
  }

  private void assertSessionsEndUntilItIsOver(
      ClusterFault fault, Class<? extends LedgerFailure> type, String message, ClusterFault relief) {
    try (var first = source.start()) {
      commit(first);
      apply(fault);
      var failure = commitUntilItFails(first);
      assertThat(failure).isInstanceOf(type).hasMessageContaining(message);
      assertThatThrownBy(first::tick).as("every later call throws it").isSameAs(failure);
    }
    assertThatThrownBy(this::nextSession).as("the next session").isInstanceOf(type).hasMessageContaining(message);

    apply(relief);

    await().atMost(WAIT).pollInSameThread().ignoreExceptionsInstanceOf(LedgerFailure.class)
        .untilAsserted(this::nextSession);
    var byPool = changes().stream().collect(Collectors.groupingBy(PoolChange::getId));
    assertThat(byPool).containsOnlyKeys(POOLS);
    if (isAbortedByHand) {
      assertThat(byPool.values()).allSatisfy(CommitFailureIT::assertOneRepeatedAtMost);
      return;
    }
    assertThat(byPool.values()).allSatisfy(CommitFailureIT::assertChained);
    var commits = (long) byPool.get(POOLS.getFirst()).size();
    assertThat(byPool.values()).as("whole transactions")
        .allSatisfy(changes -> assertThat(changes).hasSize((int) commits));
    assertThat(commits).as("commits, one of which may have been answered too late")
        .isBetween(acknowledged, type == LedgerFailure.TimedOut.class ? acknowledged + 1 : acknowledged);
  }

  /**
   * A disk that broke may leave a transaction open that the coordinator has ended. Nobody but an administrator aborts it
   * then, as the error of the next session says.
   */
  private void abortForgottenTransactions(Admin admin) throws Exception {
    try {
      await().atMost(UNTIL_MARKED).pollInSameThread().ignoreExceptions()
          .until(() -> forgottenTransactions(admin).isEmpty());
    } catch (ConditionTimeoutException e) {
      for (var forgotten : forgottenTransactions(admin)) {
        isAbortedByHand = true;
        admin.abortTransaction(forgotten).all().get();
      }
    }
  }

  /** What aborts the open transactions of partitions that are in none which the coordinator knows. */
  private List<AbortTransactionSpec> forgottenTransactions(Admin admin) throws Exception {
    var ids = admin.listTransactions().all().get().stream().map(TransactionListing::transactionalId).toList();
    var known = admin.describeTransactions(ids).all().get().values().stream()
        .flatMap(transaction -> transaction.topicPartitions().stream()).collect(Collectors.toSet());
    var names = source.topics.all().stream().<String>map(Topic::name).toList();
    var partitions = admin.describeTopics(names).allTopicNames().get().values().stream()
        .flatMap(topic -> topic.partitions().stream().map(each -> new TopicPartition(topic.name(), each.partition())))
        .filter(partition -> !known.contains(partition))
        .toList();
    return admin.describeProducers(partitions).all().get().entrySet().stream()
        .flatMap(producers -> producers.getValue().activeProducers().stream()
            .filter(producer -> producer.currentTransactionStartOffset().isPresent())
            .map(producer -> new AbortTransactionSpec(producers.getKey(), producer.producerId(),
                (short) producer.producerEpoch(), producer.coordinatorEpoch().orElse(0))))
        .toList();
  }

  private void nextSession() {
    try (var next = source.start()) {
      commit(next);
    }
  }

  /** What is set takes a moment until it holds. */
  private LedgerFailure commitUntilItFails(Ledger ledger) {
    return await().atMost(WAIT).pollInSameThread()
        .until(() -> catchThrowableOfType(LedgerFailure.class, () -> commit(ledger)), Objects::nonNull);
  }

  private void commit(Ledger ledger) {
    var price = Long.toString(acknowledged);
    ledger.commit(List.of(
        PoolOutcomes.outcome(POOLS.stream().map(pool -> PoolOutcomes.priced(ledger.states(), pool, price))
            .toArray(ResourceUpdate[]::new))));
    acknowledged++;
  }

  private void apply(ClusterFault fault) {
    try (var admin = Admin.create(Map.<String, Object>of("bootstrap.servers", broker.bootstrapServers()))) {
      fault.begin(admin);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private List<PoolChange> changes() {
    return source.committed(source.topics.pool().changes()).stream().map(Heard::value).toList();
  }

  /** A transaction that is aborted on one disk may be committed on the other: then its changes come once more. */
  private static void assertOneRepeatedAtMost(List<PoolChange> changes) {
    var revisions = changes.stream().map(PoolChange::getRevision).distinct().toList();
    assertThat(revisions).isEqualTo(LongStream.rangeClosed(1, revisions.size()).boxed().toList());
    assertThat(changes).hasSizeBetween(revisions.size(), revisions.size() + 1);
  }

  private static void assertChained(List<PoolChange> changes) {
    assertThat(changes).extracting(PoolChange::getRevision)
        .isEqualTo(LongStream.rangeClosed(1, changes.size()).boxed().toList());
    for (int i = 1; i < changes.size(); i++) {
      assertThat(changes.get(i).getPrice().getBefore()).isEqualTo(changes.get(i - 1).getPrice().getAfter());
    }
  }

  private String changesTopic() {
    return source.topics.pool().changes().name();
  }

  private Map<ConfigResource, Collection<AlterConfigOp>> largest(String bytes) {
    var topic = new ConfigResource(ConfigResource.Type.TOPIC, changesTopic());
    return Map.of(topic, List.of(new AlterConfigOp(new ConfigEntry(LARGEST, bytes), AlterConfigOp.OpType.SET)));
  }
}
