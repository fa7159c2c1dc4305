package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.FormatMethod;
import io.tidemark.event.SourceState;
import io.tidemark.ledger.TransactionBuffer.LedgerRecords;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.SchemaRegistryFailure;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Restores what earlier ledgers of a source committed. */
final class LedgerRestore {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerRestore.class);
  /** How often the log says how far a restore is. A shorter one logs nothing. */
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(3);

  private final LedgerSettings settings;
  private final SchemaRegistry registry;
  private final LedgerClock clock;
  private final ResourceStateStore store;
  private final AvroSerde<SourceState> sourceStates;
  private byte @Nullable [] sourceState;

  LedgerRestore(LedgerSettings settings, SchemaRegistry registry, LedgerClock clock, ResourceStateStore store) {
    this.settings = settings;
    this.registry = registry;
    this.clock = clock;
    this.store = store;
    this.sourceStates = settings.topics().sourceState().serde(registry);
  }

  /**
   * Reads the state of the source. To be called before other writers are fenced, as a wrong configuration must not stop a
   * healthy instance, and after it, as that instance wrote until then.
   *
   * @throws LedgerFailure.Refused if it is of another source or another registry
   */
  void checkSourceState() {
    try (var consumer = settings.consumer()) {
      new TopicRestore(consumer, List.of(settings.topics().sourceState()), settings.layout().partitions())
          .readEach(this::readSourceState);
    }
  }

  /** Restores all that was committed. To be called when every other writer is fenced. */
  void restore(LedgerListener listener) {
    var progress = new ProgressLog();
    try (var consumer = settings.consumer()) {
      new TopicRestore(consumer, topics(settings.topics()), settings.layout().partitions())
          .readBatches(this::read, (read, total) -> {
            progress.restored(read, total);
            listener.restored(read, total);
          });
    }
    store.loaded();
  }

  /** The newest state of the source; null at its first start ever. */
  @Nullable
  SourceState previousSourceState(LedgerRecords records) {
    return sourceState == null ? null : records.source(sourceState);
  }

  private void read(ConsumerRecords<byte[], byte[]> records) {
    records.forEach(this::advanceClock);
    store.putAllEncoded(records);
  }

  private void readSourceState(ConsumerRecord<byte[], byte[]> record) {
    advanceClock(record);
    refuseOtherSource(new String(record.key(), UTF_8));
    var header = record.headers().lastHeader(LedgerRecords.REGISTRY);
    refuseOtherRegistry(header == null ? registry.identity() : new String(header.value(), UTF_8));
    refuseOtherSchemas(record.value());
    sourceState = record.value();
  }

  /** Every record has the ledger's time: the clock goes on after the newest one of any topic. */
  private void advanceClock(ConsumerRecord<byte[], byte[]> record) {
    clock.advancePast(Instant.ofEpochMilli(record.timestamp()));
  }

  private void refuseOtherSource(String other) {
    if (!other.equals(settings.source())) {
      throw refused("the prefix %s belongs to the source %s. Give it another prefix, or its old name back",
          settings.topics().prefix(), other);
    }
  }

  private void refuseOtherRegistry(String other) {
    if (!other.equals(registry.identity())) {
      throw refused(
          "its topics were written with the registry '%s', the configuration says '%s'. Set registry.url to the"
              + " former (leave it out for the built-in one), or choose another prefix for a fresh start",
          other, registry.identity());
    }
  }

  /** Two external registries have one identity here; the schemas of their ids tell them apart. */
  private void refuseOtherSchemas(byte[] state) {
    try {
      sourceStates.decode(settings.topics().sourceState().name(), state);
    } catch (SchemaRegistryFailure.UnknownSchema e) {
      throw refused(
          "its topics were written with another registry than the one of registry.url (%s). Set registry.url to"
              + " the former, or bring its schemas over with their ids, or choose another prefix for a fresh start",
          e.getMessage());
    }
  }

  @FormatMethod
  private LedgerFailure.Refused refused(String message, @Nullable Object... details) {
    return new LedgerFailure.Refused("source %s: ".formatted(settings.source()) + message.formatted(details));
  }

  private static List<Topic<?>> topics(Topics topics) {
    var states = topics.resources().stream().<Topic<?>>map(ResourceTopics::state);
    var own = Stream.<Topic<?>>of(topics.targetState(), topics.targetMembers(), topics.sourceState());
    return Stream.concat(states, own).toList();
  }

  static String progress(long read, long total, Duration taken) {
    var perSecond = read / Math.max(0.001, taken.toMillis() / 1000.0);
    var part = total == 0 ? 100 : 100 * read / total;
    var remaining = perSecond < 1 ? "" : String.format(Locale.ROOT, ", %,.0f s to go", (total - read) / perSecond);
    return String.format(Locale.ROOT, "restoring from Kafka: %,d of about %,d records (%d %%), %,.0f a second%s",
        read, total, part, perSecond, remaining);
  }

  private final class ProgressLog {

    private final long start = System.nanoTime();
    private long next = start + LOG_INTERVAL.toNanos();

    private void restored(long read, long total) {
      var now = System.nanoTime();
      if (now - next >= 0) {
        next = now + LOG_INTERVAL.toNanos();
        LOG.info("source {}: {}", settings.source(), progress(read, total, Duration.ofNanos(now - start)));
      }
    }
  }
}
