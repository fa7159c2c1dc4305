package io.tidemark.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.ledger.Deadlines;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.capture.ledger.StateTopics;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader;
import java.time.Instant;
import java.util.List;

/** The bench part that measures how many resources per second a ledger restores before polling may begin. */
final class RestoreBench implements BenchPart {
  /** Number of pools and tokens of a page. */
  static final int RESOURCES_OF_PAGE = 2 * SimulatedPages.POOLS;

  private static final int MILLION = 1_000_000;
  private static final int MORE = 10;
  private static final int MOST_ROUNDS = 2;
  private static final double AIM = 100_000;

  @Override
  public String name() {
    return "restore";
  }

  @Override
  public String description() {
    return "resources restored until polling may begin, ten times --resources, a million at most";
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var filled = kafka.filled(restored(settings), progress);
    var detector = new SimulatedPages(Instant.now()).detector();
    var restores = settings.atMost(MOST_ROUNDS);
    return List.of(
        new Throughput("restore", "resources/s", AIM, Throughput.Clock.ELAPSED,
            () -> {
              restore(filled.source(), detector);
              return filled.resources();
            }, null).measure(restores, progress));
  }

  /** Returns the number of resources to restore. With few resources, starting takes longer than restoring. */
  static int restored(BenchSettings settings) {
    return Math.max(settings.resources(), Math.min(MILLION, MORE * settings.resources()));
  }

  /** Restores a source, until polling may begin. */
  static void restore(BenchSource source, ChangeDetector detector) {
    try (var ledger = source.ledger(ProducerFactory.KAFKA)) {
      var resources = source.topics().resources().stream().map(ResourceTopics::resource).toList();
      var unused = new Deadlines(detector, ledger.states(), resources, (target, now) -> true);
    }
  }

  /** The number of states of pools and tokens, and the bytes of their encoding. */
  record ReadStates(long count, long bytes) {}

  /** Reads and decodes all topics that a ledger restores. */
  static ReadStates states(BenchSource source) {
    return states(source, StateTopics.of(source.topics()));
  }

  /**
   * Reads and decodes topics, which include the states of pools and tokens. Waits for the transactions that the ledger
   * has just committed: their records are readable a little later.
   */
  static ReadStates states(BenchSource source, List<? extends Topic<?>> topics) {
    var resources = List.of(source.topics().pool().state().name(), source.topics().token().state().name());
    var read = new Object() {
      long count;
      long bytes;
    };
    try (var reader = new TopicReader(source.client(), topics, source.registry())) {
      var offsets = reader.offsets();
      for (var partition : offsets.partitions(topics.stream().<String>map(Topic::name).toList())) {
        reader.read(offsets.committed(partition.topic(), partition.partition()), record -> {
          if (record.value() != null && resources.contains(record.topic())) {
            read.count++;
            read.bytes += record.size() - record.keyText().getBytes(UTF_8).length;
          }
        });
      }
    }
    return new ReadStates(read.count, read.bytes);
  }
}
