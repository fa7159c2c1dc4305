package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.kafka.Topic;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.rule.file.ShippedRules;
import io.tidemark.stream.StreamApplication;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The input of a stream application: changes of a simulated market with the shipped rules in force, committed by a
 * ledger in virtual time with a tick each second.
 */
final class StreamLoad implements AutoCloseable {
  private static final int SECONDS = 60;

  /** Maximum number of pages that are polled for the first time in a second of virtual time. */
  private static final int NEW_PAGES = 50;

  /** How long before now virtual time begins. It begins in the past because Kafka rejects records from the future. */
  private static final Duration AGO = Duration.ofDays(4);

  private final BenchSource source;
  private final RecordedProducer producer;
  private final Ledger ledger;
  private final SimulatedPages pages;
  private final ChangeDetector detector;
  private final Map<Integer, Integer> steps = new HashMap<>();
  private Instant now = Instant.now().minus(AGO).truncatedTo(ChronoUnit.MINUTES);

  private StreamLoad(BenchSource source) {
    this.source = source;
    this.pages = new SimulatedPages(now);
    this.detector = pages.detector();
    var producers = new AtomicReference<RecordedProducer>();
    this.ledger = source.ledger(config -> {
      producers.set(new RecordedProducer(config));
      return producers.get();
    }, () -> now);
    this.producer = requireNonNull(producers.get());
  }

  /** Creates the load of a new source with all its topics. */
  static StreamLoad create(BenchKafka kafka, int partitions) {
    var load = new StreamLoad(BenchSource.createWithStreams(kafka, partitions));
    announceRules(load.ledger, load.source, List.of());
    return load;
  }

  /** Puts the shipped rules and the given rules in force. */
  static void announceRules(Ledger ledger, BenchSource source, List<RuleDocument> more) {
    var documents = Stream.concat(Stream.of(ShippedRules.document()), more.stream()).toList();
    var rules = RuleSetReader.read(documents, source.topics().ruleSchemas(), List.of()).versionedAfter(RuleSet.EMPTY);
    ledger.announce("rules", rules.version(), RuleFormat.write(rules));
  }

  BenchSource source() {
    return source;
  }

  /** Polls new pages until the ledger knows the given number of pages. Returns the number of changes. */
  long fill(int count) {
    var changes = 0L;
    while (steps.size() < count) {
      changes += second(IntStream.range(steps.size(), Math.min(count, steps.size() + NEW_PAGES)));
    }
    return changes;
  }

  /**
   * Polls the first {@code count} pages, all of whose pools moved, over a minute of virtual time. Returns the number of
   * changes.
   */
  long minute(int count) {
    return IntStream.range(0, SECONDS)
        .mapToLong(second -> second(IntStream.range(count * second / SECONDS, count * (second + 1) / SECONDS)))
        .sum();
  }

  /** Lets virtual time pass in the given number of ticks, without polls. */
  void passIdle(Duration time, int ticks) {
    for (var tick = 0; tick < ticks; tick++) {
      pass(time.dividedBy(ticks), IntStream.empty());
    }
  }

  /**
   * Polls the first {@code count} pages, all of whose pools moved, in one second of virtual time. Returns the number of
   * changes.
   */
  long pollInOneSecond(int count) {
    return second(IntStream.range(0, count));
  }

  private long second(IntStream numbers) {
    return pass(Duration.ofSeconds(1), numbers);
  }

  private long pass(Duration time, IntStream numbers) {
    now = now.plus(time);
    var sets = numbers.mapToObj(this::poll).toList();
    ledger.commit();
    ledger.tick();
    return sets.stream().mapToLong(LedgerBench::changes).sum();
  }

  private ChangeSet poll(int page) {
    var step = steps.merge(page, 1, Integer::sum) - 1;
    return ledger.append(detector.detect(pages.snapshot(page, step, now), ledger.states()));
  }

  /**
   * Runs the given task. Returns the records that were committed meanwhile and that the application reads, moved to the
   * same topics of another source.
   */
  List<ProducerRecord<byte[], byte[]>> recorded(Runnable meanwhile, BenchSource other) {
    var inputs = StreamApplication.inputs(source.topics()).stream().map(Topic::name).collect(Collectors.toSet());
    var read = producer.recorded(meanwhile).stream().filter(record -> inputs.contains(record.topic())).toList();
    return LedgerBench.moved(read, source.topics(), other.topics());
  }

  /** Returns the producer of the ledger. */
  RecordedProducer producer() {
    return producer;
  }

  @Override
  public void close() {
    ledger.close();
    source.close();
  }
}
