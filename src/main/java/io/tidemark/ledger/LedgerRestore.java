package io.tidemark.ledger;

import io.tidemark.event.SourceState;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;

/** How a ledger learns what those before it committed. */
final class LedgerRestore {

  private final LedgerSettings settings;
  private final LedgerClock clock;
  private final ResourceStateStore store;
  private final PreviousSourceState previous;

  LedgerRestore(LedgerSettings settings, SchemaRegistry registry, LedgerClock clock, ResourceStateStore store) {
    this.settings = settings;
    this.clock = clock;
    this.store = store;
    this.previous = new PreviousSourceState(settings, registry);
  }

  /**
   * What is said of the source: before anyone is fenced, as a wrong configuration must not stop a healthy instance, and
   * after it, as the healthy one went on until then.
   */
  void checkSourceState() {
    try (var consumer = LedgerClients.consumer(settings)) {
      new TopicRestore(consumer, List.of(settings.topics().sourceState()), settings.layout().partitions())
          .readEach(this::readSource, (read, total) -> {});
    }
  }

  /** All that was committed, after everyone else is fenced. */
  void restore(RestoreProgress progress) {
    try (var consumer = LedgerClients.consumer(settings)) {
      new TopicRestore(consumer, topics(settings.topics()), settings.layout().partitions()).readBatches(this::read,
          progress);
    }
    store.loaded();
  }

  /** What was said of the source last; null where this is its first start ever. */
  @Nullable
  SourceState previousSourceState(LedgerRecords records) {
    return previous.state(records);
  }

  /** Every record has the ledger's time: the newest of any topic is where the clock goes on. */
  private void read(ConsumerRecords<byte[], byte[]> records) {
    records.forEach(this::advanceClock);
    store.putAllEncoded(records);
  }

  private void readSource(ConsumerRecord<byte[], byte[]> record) {
    advanceClock(record);
    previous.read(record);
  }

  private void advanceClock(ConsumerRecord<byte[], byte[]> record) {
    clock.advancePast(Instant.ofEpochMilli(record.timestamp()));
  }

  private static List<Topic<?>> topics(Topics topics) {
    var states = topics.resources().stream().<Topic<?>>map(ResourceTopics::state);
    var own = Stream.<Topic<?>>of(topics.targetState(), topics.targetMembers(), topics.sourceState());
    return Stream.concat(states, own).toList();
  }
}
