package io.tidemark.audit;

import io.tidemark.event.TargetState;
import io.tidemark.topic.CommittedRecord.RecordPosition;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads all topics of a source and holds them against the laws. It may be writing meanwhile. Memory is
 * bounded by the resources of one partition: of each, fingerprints are remembered, not values.
 */
public final class Audit {

  /** A ledger's transactions end within a minute, by themselves or by Kafka. */
  private static final Duration TRANSACTION_LIMIT = Duration.ofMinutes(2);

  private final Topics topics;
  private final ClusterReader log;
  private final InstantSource clock;

  public Audit(Topics topics, ClusterReader log, InstantSource clock) {
    this.topics = topics;
    this.log = log;
    this.clock = clock;
  }

  /** Adds to a report what is found. Blocks. */
  public void run(AuditReport report, AuditProgress progress) {
    var reading = new CheckedReader(log, report, progress);
    topics.all().forEach(reading::expect);
    transactions(report);
    ledgers().forEach(topic -> reading.ranges(topic).forEach(range -> reading.readLedgerTopic(range, row -> {})));
    others().forEach(topic -> reading.ranges(topic).forEach(range -> reading.read(range, row -> {})));
    snapshots(reading, report);
    var members = new MembersChecker(topics, reading, report);
    topics.resources().forEach(each -> resource(each, reading, report, members));
    members.check();
    new ListingChecker(topics, reading, report).check();
  }

  /** Topics that a ledger writes alone, and of which nothing more is known here. */
  private List<Topic<?>> ledgers() {
    return List.of(topics.sourceState(), topics.control(), topics.deadLetters());
  }

  /** Topics that are written by others, too. */
  private List<Topic<?>> others() {
    return Stream.<Topic<?>>concat(Stream.of(topics.watch()), topics.derived().stream()).toList();
  }

  private void transactions(AuditReport report) {
    var late = clock.instant().minus(TRANSACTION_LIMIT);
    topics.all().stream()
        .flatMap(topic -> log.open(topic).stream())
        .filter(open -> open.newest().isBefore(late))
        .forEach(open -> report.add(Law.TRANSACTIONS,
            new RecordPosition(open.topic(), open.partition(), open.offset(), open.producer()), "transaction",
            "one that ends within " + TRANSACTION_LIMIT.toSeconds() + " s",
            "open since " + open.newest() + " or before"));
  }

  private void snapshots(CheckedReader reading, AuditReport report) {
    reading.ranges(topics.targetState()).forEach(range -> {
      var snapshotNumbers = new HashMap<String, Long>();
      reading.readLedgerTopic(range, row -> {
        var before = snapshotNumbers.getOrDefault(row.keyText(), 0L);
        if (row.value() instanceof TargetState look && snapshotNumbers.put(row.keyText(), look.getSnapshot()) != null
            && look.getSnapshot() <= before) {
          report.add(Law.SNAPSHOTS, row.position(), "snapshot", "more than " + before, look.getSnapshot());
        }
      });
    });
  }

  private static void resource(ResourceTopics<?, ?> topics, CheckedReader reading, AuditReport report,
      MembersChecker members) {
    reading.partitions(topics.changes()).forEach(partition -> {
      var laws = new ResourceChecker(topics, partition, reading, report);
      if (topics.resource().equals("ranking")) {
        laws.forEach(members::note);
      }
    });
  }
}
