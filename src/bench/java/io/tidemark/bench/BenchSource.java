package io.tidemark.bench;

import io.tidemark.bench.BenchPart.BenchProgress;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.LedgerListener;
import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.capture.ledger.StateTopics;
import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;

/**
 * A source in the cluster of the bench, with separate topics. Closing it deletes the topics, except in the embedded
 * broker, whose data is deleted at the end.
 */
final class BenchSource implements AutoCloseable {
  /** One minute more than brokers let a transaction be open by default ({@code transaction.max.timeout.ms}). */
  static final Duration OPEN_TRANSACTION_WAIT = Duration.ofMinutes(16);

  /** Number of snapshots per transaction in {@code fill}, whose time is not measured. */
  private static final int BATCH = 32;

  private final Topics topics = new Topics("bench-%s.".formatted(UUID.randomUUID()), Retention.DEFAULT);
  private final BuiltInRegistry registry = new BuiltInRegistry(topics.all());
  private final BenchKafka kafka;
  private final TopicLayout layout;

  private BenchSource(BenchKafka kafka, TopicLayout layout) {
    this.kafka = kafka;
    this.layout = layout;
  }

  /** Creates a source with the topics that a ledger writes. */
  static BenchSource create(BenchKafka kafka) {
    var source = new BenchSource(kafka, TopicLayout.DEFAULT);
    source.create(source.written());
    return source;
  }

  /** Creates a source with all topics, including those of a stream application. */
  static BenchSource createWithStreams(BenchKafka kafka, int partitions) {
    var source = new BenchSource(kafka, new TopicLayout(partitions, (short) 1));
    source.create(source.topics.all());
    return source;
  }

  /** Creates a source without topics. The measured program creates the topics. */
  static BenchSource withoutTopics(BenchKafka kafka) {
    return new BenchSource(kafka, TopicLayout.DEFAULT);
  }

  private void create(List<Topic<?>> created) {
    try (var admin = Admin.create(client())) {
      new TopicSetup(admin, layout).ensure(created);
    }
  }

  Topics topics() {
    return topics;
  }

  BuiltInRegistry registry() {
    return registry;
  }

  /** Returns the configuration that any client of the cluster needs. */
  Map<String, Object> client() {
    return kafka.client();
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  LedgerSettings settings() {
    return new LedgerSettings("main", "bench", topics, layout, client(), OPEN_TRANSACTION_WAIT);
  }

  Ledger ledger(ProducerFactory producers) {
    return ledger(producers, InstantSource.system());
  }

  /** Starts a ledger that stamps its records with the time of the given clock. */
  Ledger ledger(ProducerFactory producers, InstantSource clock) {
    return Ledger.start(settings(), registry, producers, clock, LedgerListener.NONE);
  }

  /** Commits the first versions of the given number of pages. */
  void fill(Ledger ledger, SimulatedPages pages, int count, BenchProgress progress) {
    var detector = pages.detector();
    for (var number = 0; number < count; number++) {
      ledger.append(detector.detect(pages.snapshot(number, 0, pages.at(0)), ledger.states()));
      if ((number + 1) % BATCH == 0 || number + 1 == count) {
        ledger.commit();
        progress.update(number + 1L, count);
      }
    }
  }

  /** Returns the topics that a ledger restores and the topics to which the pages are written. */
  private List<Topic<?>> written() {
    var others = Stream.<Topic<?>>of(topics.pool().changes(), topics.token().changes(), topics.ranking().changes(),
        topics.poolListing(), topics.deadLetters(), topics.control());
    return Stream.concat(StateTopics.of(topics).stream(), others).toList();
  }

  @Override
  public void close() {
    if (kafka.isForeign()) {
      try (var admin = Admin.create(client())) {
        var ours = AdminCalls.await(admin.listTopics().names()).stream()
            .filter(name -> name.startsWith(topics.prefix())).toList();
        AdminCalls.await(admin.deleteTopics(ours).all());
      }
    }
  }
}
