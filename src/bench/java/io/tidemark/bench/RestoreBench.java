package io.tidemark.bench;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.ledger.Deadlines;
import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.capture.ledger.StateTopics;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;

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
    return states(source.settings(), source.registry(), StateTopics.of(source.topics()));
  }

  /** Reads and decodes topics, which include the states of pools and tokens. */
  static ReadStates states(LedgerSettings settings, SchemaRegistry registry, List<? extends Topic<?>> topics) {
    var serdes = new HashMap<String, AvroSerde<?>>();
    var partitions = new ArrayList<TopicPartition>();
    for (Topic<?> topic : topics) {
      serdes.put(topic.name(), topic.serde(registry));
      for (var number = 0; number < TopicLayout.DEFAULT.partitions(); number++) {
        partitions.add(new TopicPartition(topic.name(), number));
      }
    }
    var resources = List.of(settings.topics().pool().state().name(), settings.topics().token().state().name());
    var read = 0L;
    var bytes = 0L;
    try (var consumer = settings.consumer()) {
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (var record : consumer.poll(Duration.ofSeconds(1))) {
          var serde = Objects.requireNonNull(serdes.get(record.topic()), record.topic());
          var decoded = record.value() == null ? null : serde.decode(record.topic(), record.value());
          if (decoded != null && resources.contains(record.topic())) {
            read++;
            bytes += record.value().length;
          }
        }
      }
    }
    return new ReadStates(read, bytes);
  }
}
