package io.tidemark.ledger;

import io.tidemark.event.SourceState;
import io.tidemark.topic.Registry;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;

/** How a ledger learns what those before it committed. */
final class Takeover {

  private final LedgerSettings settings;
  private final LedgerClock clock;
  private final Store store;
  private final Predecessor predecessor;

  Takeover(LedgerSettings settings, Registry registry, LedgerClock clock, Store store) {
    this.settings = settings;
    this.clock = clock;
    this.store = store;
    this.predecessor = new Predecessor(settings, registry);
  }

  /**
   * What is said of the source: before anyone is fenced, as a wrong configuration must not stop a healthy instance, and
   * after it, as the healthy one went on until then.
   */
  void check() {
    try (var consumer = Clients.consumer(settings)) {
      new Restore(consumer, List.of(settings.topics().sourceState()), settings.layout().partitions())
          .run(this::readSource, (read, total) -> {});
    }
  }

  /** All that was committed, after everyone else is fenced. */
  void restore(Progress progress) {
    try (var consumer = Clients.consumer(settings)) {
      new Restore(consumer, topics(settings.topics()), settings.layout().partitions()).runTogether(this::read,
          progress);
    }
    store.filled();
  }

  /** What was said of the source last; null where this is its first start ever. */
  @Nullable
  SourceState before(Records records) {
    return predecessor.state(records);
  }

  /** Every record has the ledger's time: the newest of any topic is where the clock goes on. */
  private void read(ConsumerRecords<byte[], byte[]> records) {
    records.forEach(this::carryOn);
    store.fill(records);
  }

  private void readSource(ConsumerRecord<byte[], byte[]> record) {
    carryOn(record);
    predecessor.read(record);
  }

  private void carryOn(ConsumerRecord<byte[], byte[]> record) {
    clock.carryOn(Instant.ofEpochMilli(record.timestamp()));
  }

  private static List<Topic<?>> topics(Topics topics) {
    var states = topics.resources().stream().<Topic<?>>map(ResourceTopics::state);
    var own = Stream.<Topic<?>>of(topics.targetState(), topics.targetMembers(), topics.sourceState());
    return Stream.concat(states, own).toList();
  }
}
