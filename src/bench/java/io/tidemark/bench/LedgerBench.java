package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import io.tidemark.change.ChangeSet;
import io.tidemark.ledger.Ledger;
import io.tidemark.topic.Topics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Changes committed exactly once, with states and the records of the polls, from change sets that are detected before.
 * The limit is a bare producer that writes the same records in transactions of the same size to other topics.
 */
final class LedgerBench implements BenchPart {
  private static final List<Integer> SNAPSHOTS = List.of(8);

  @Override
  public String name() {
    return "ledger";
  }

  @Override
  public String description() {
    return "pools committed with their changes and states at 8 snapshots a transaction, by processor time; limit: a bare"
        + " transactional producer of the same records";
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var producer = new AtomicReference<RecordedProducer>();
    try (var source = BenchSource.create(kafka);
        var other = BenchSource.create(kafka);
        var ledger = source.ledger(config -> {
          producer.set(new RecordedProducer(config));
          return producer.get();
        });
        var bare = requireNonNull(producer.get()).bare()) {
      var sets = changeSets(SNAPSHOTS.getLast(), ledger);
      var results = new ArrayList<BenchResult>();
      for (var snapshots : SNAPSHOTS) {
        var transaction = sets.subList(0, snapshots);
        var pools = (long) snapshots * SimulatedPages.POOLS;
        var records = moved(
            requireNonNull(producer.get()).recorded(() -> ledger.commit(transaction)), source.topics(), other.topics());
        results.add(new Throughput(
            String.format(Locale.ROOT, "ledger, %d a transaction", snapshots), "pools/s", 0,
            Throughput.Clock.PROCESSOR,
            () -> {
              ledger.commit(transaction);
              return pools;
            },
            () -> {
              write(bare, records);
              return pools;
            }).measure(settings, (done, total) -> progress.update(
                results.size() * total + done, SNAPSHOTS.size() * total))
            .ofPlan(BenchResult.PLAN_POOLS));
      }
      return results;
    }
  }

  /** What so many second pages change, the first of which are committed before. */
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

  /** The same records for the topics of another source. */
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

  @SuppressWarnings("FutureReturnValueIgnored") // the commit fails where a record did
  private static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    producer.send(record);
  }
}
