package io.tidemark.audit;

import io.tidemark.event.TargetState;
import io.tidemark.kafka.CommittedRecord.RecordPosition;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * An audit of a source. It reads all topics of the source and checks every {@link ConsistencyLaw}. The source may go on
 * writing during the audit. Memory is bounded by the number of resources in one partition, because the audit holds
 * hashes of the resources' values, not the values.
 */
public final class Audit {

  /**
   * Age of an open transaction's newest record in a partition, above which the transaction is reported as a
   * violation. The ledger ends each transaction within a minute, and Kafka ends a transaction that the ledger did not
   * end.
   */
  private static final Duration TRANSACTION_LIMIT = Duration.ofMinutes(2);

  /** A callback that receives the progress of an audit after every record and at the end of every range. */
  @FunctionalInterface
  public interface AuditProgress {

    /**
     * Reports the number of offsets passed so far and the total number of offsets. Both include offsets without a
     * record, but not ranges that are read again. The total grows while the source goes on writing.
     */
    void update(long done, long total);
  }

  private final Topics topics;
  private final ClusterReader cluster;
  private final InstantSource clock;

  public Audit(Topics topics, ClusterReader cluster, InstantSource clock) {
    this.topics = topics;
    this.cluster = cluster;
    this.clock = clock;
  }

  /**
   * Runs the audit and adds its result to a report. Blocks until all topics are read.
   *
   * @throws IllegalStateException if a topic is missing, or if the topics have different partition counts, so that a
   *     key would be in different partitions of different topics
   */
  public void run(AuditReport report, AuditProgress progress) {
    checkPartitions();
    var reader = new CheckedReader(cluster, report, progress);
    topics.all().forEach(reader::expect);
    checkTransactions(report);
    new StateTopicsChecker(topics, reader, report).check();
    reader.ranges(topics.control()).forEach(range -> reader.readLedgerTopic(range, record -> {}));
    reader.ranges(topics.deadLetters()).forEach(reader::readSharedTopic);
    Stream.<Topic<?>>concat(Stream.of(topics.watch()), topics.derived().stream())
        .flatMap(reader::ranges)
        .forEach(range -> reader.read(range, record -> {}));
    checkSnapshots(reader, report);
    var members = new MembersChecker(topics, reader, report);
    topics.resources().forEach(each -> checkResource(each, reader, report, members));
    members.check();
    new ListingChecker(topics, reader, report).check();
  }

  private void checkPartitions() {
    var counts = new TreeMap<String, Integer>();
    topics.all().forEach(topic -> counts.put(topic.name(), cluster.partitions(topic.name())));
    counts.forEach((topic, count) -> {
      if (count == 0) {
        throw new IllegalStateException("topic " + topic + " does not exist; check the prefix, "
            + "or start the source, which creates missing topics");
      }
    });
    var problems = TopicSetup.partitionProblems(counts, counts.firstEntry().getValue());
    if (!problems.isEmpty()) {
      throw new IllegalStateException(problems.getFirst());
    }
  }

  private void checkTransactions(AuditReport report) {
    var late = clock.instant().minus(TRANSACTION_LIMIT);
    topics.all().stream()
        .flatMap(topic -> cluster.openTransactions(topic).stream())
        .filter(open -> open.newest().isBefore(late))
        .forEach(open -> report.add(ConsistencyLaw.TRANSACTIONS,
            new RecordPosition(open.topic(), open.partition(), open.offset(), open.producer()), "transaction",
            "a transaction that ends within " + TRANSACTION_LIMIT.toSeconds() + " s",
            "a transaction open since " + open.newest() + " or earlier"));
  }

  private void checkSnapshots(CheckedReader reader, AuditReport report) {
    reader.ranges(topics.targetState()).forEach(range -> {
      var numbers = new HashMap<String, Long>();
      reader.readLedgerTopic(range, record -> {
        if (record.value() instanceof TargetState state) {
          var before = numbers.put(record.keyText(), state.getSnapshot());
          if (before != null && state.getSnapshot() <= before) {
            report.add(ConsistencyLaw.SNAPSHOTS, record.position(), "snapshot", "more than " + before,
                state.getSnapshot());
          }
        } else {
          numbers.remove(record.keyText()); // after a tombstone, the snapshot numbers begin again
        }
      });
    });
  }

  private static void checkResource(
      ResourceTopics<?, ?> topics, CheckedReader reader, AuditReport report, MembersChecker members) {
    reader.partitions(topics.changes()).forEach(partition -> {
      var checker = new ResourceChecker(topics, partition, reader, report);
      if (topics.resource().equals("ranking")) {
        checker.forEachFold(members::note);
      }
    });
  }
}
