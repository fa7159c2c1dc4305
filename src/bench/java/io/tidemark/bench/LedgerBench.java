package io.tidemark.bench;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.kafka.Topics;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The bench part that measures how many pools per second a ledger commits exactly once, with their changes, their
 * states and the records of the polls. The change sets are detected beforehand.
 */
final class LedgerBench implements BenchPart {
  /** Number of snapshots per transaction. */
  static final int SNAPSHOTS = 8;

  @Override
  public String name() {
    return "ledger";
  }

  @Override
  public String description() {
    return "pools committed with their changes and states at 8 snapshots a transaction, by processor time";
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    try (var source = BenchSource.create(kafka); var ledger = source.ledger(ProducerFactory.KAFKA)) {
      var transaction = changeSets(SNAPSHOTS, ledger);
      return List.of(new Throughput("ledger, %d a transaction".formatted(SNAPSHOTS), "pools/s", 0,
          Throughput.Clock.PROCESSOR, () -> {
            ledger.commit(transaction);
            return (long) SNAPSHOTS * SimulatedPages.POOLS;
          }, null).measure(settings, progress).ofPlan(BenchResult.PLAN_POOLS));
    }
  }

  /**
   * Returns the change sets of the second versions of the given number of pages, after committing their first versions.
   */
  static List<ChangeSet> changeSets(int snapshots, Ledger ledger) {
    var pages = new SimulatedPages(Instant.now());
    var detector = pages.detector();
    var firsts = SimulatedPages.numbers(snapshots)
        .mapToObj(number -> detector.detect(pages.snapshot(number, 0, pages.at(0)), ledger.states())).toList();
    ledger.commit(firsts);
    return SimulatedPages.numbers(snapshots)
        .mapToObj(number -> detector.detect(pages.snapshot(number, 1, pages.at(1)), ledger.states())).toList();
  }

  static long changes(ChangeSet set) {
    return set.updates().stream().filter(update -> update.change() != null).count();
  }

  /** Returns the same records for the topics of another source. */
  static List<ProducerRecord<byte[], byte[]>> moved(
      List<ProducerRecord<byte[], byte[]>> records, Topics from, Topics to) {
    return records.stream()
        .map(record -> new ProducerRecord<>(to.prefix() + record.topic().substring(from.prefix().length()),
            record.partition(), record.timestamp(), record.key(), record.value(), record.headers()))
        .toList();
  }

  static void write(Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records) {
    producer.beginTransaction();
    records.forEach(record -> send(producer, record));
    producer.commitTransaction();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the commit fails if a record failed
  private static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    producer.send(record);
  }
}
