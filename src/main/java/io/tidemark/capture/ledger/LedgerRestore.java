package io.tidemark.capture.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.FormatMethod;
import io.tidemark.capture.ledger.StateTopics.LostTopic;
import io.tidemark.capture.ledger.TransactionBuffer.LedgerRecords;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.RecordCodec;
import io.tidemark.event.ResourceMemory;
import io.tidemark.event.ResourceMemoryCodec;
import io.tidemark.event.SourceState;
import io.tidemark.event.StateTopic;
import io.tidemark.kafka.RecordDecoder;
import io.tidemark.kafka.UnreadableRecord;
import io.tidemark.kafka.UnreadableRecordException;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import io.tidemark.kafka.UnreadableRecords;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.ConfluentRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.message.BadHeaderException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The restore of a source. It verifies that everything that earlier ledgers committed is still there, and loads the
 * states.
 */
final class LedgerRestore implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerRestore.class);
  /** Interval at which the log reports the progress of a restore. A shorter restore logs nothing. */
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(3);

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final LedgerSettings settings;
  private final SchemaRegistry registry;
  private final LedgerClock clock;
  private final ResourceStateStore store;
  private final RecordDecoder<SourceState> sourceStates;
  private final UnreadableRecords unreadable;
  /** Names of the topics whose states have a detection memory. */
  private final Set<String> resourceStates;
  /**
   * Codecs of detection memories by the fingerprint of the schema that they were written with, empty if that schema is
   * not known.
   */
  private final Map<Long, Optional<RecordCodec<ResourceMemory>>> memories = new HashMap<>();
  private boolean hasSkippedStates;
  private final Admin admin;
  private StateTopics input;
  /**
   * End offsets of the state topics, read by {@link #awaitInput}, before which everything is then committed or
   * aborted.
   */
  private Map<TopicPartition, Long> settled = Map.of();
  private @Nullable SourceState sourceState;

  LedgerRestore(LedgerSettings settings, SchemaRegistry registry, LedgerClock clock, ResourceStateStore store) {
    this.settings = settings;
    this.registry = registry;
    this.clock = clock;
    this.store = store;
    this.sourceStates = settings.topics().sourceState().decoder(registry);
    this.unreadable = new UnreadableRecords(settings.quarantine());
    this.resourceStates = settings.topics().resources().stream().map(each -> each.state().name())
        .collect(Collectors.toUnmodifiableSet());
    this.admin = Admin.create(settings.kafka());
    this.input = new StateTopics(settings.topics(), Map.of());
  }

  /**
   * Checks that {@code source.state} belongs to this source, and that the topics still hold everything that they held
   * when {@code source.state} recorded them. Call this method before other writers are fenced, since a wrong
   * configuration must not stop a healthy instance. Call this method again after other writers are fenced, since they
   * may have written between the first call and the fencing.
   *
   * @throws LedgerFailure.Refused if the state belongs to another source or another registry, or if a topic is
   *     missing, was created again, has another number of partitions or has lost records
   */
  void checkInput() {
    var before = StateTopics.read(admin, settings.topics());
    refuseLost(before.missing());
    // Look for other records before the state is read: an owner that starts for the first time may be writing.
    var lostSourceState = before.lostSourceState(admin);
    readSourceState();
    // Read the end offsets after the state: an owner may be writing, and an end offset that was read before the
    // state could be lower than the one in the state, as if records were lost.
    input = StateTopics.read(admin, settings.topics());
    refuseLost(input.missing());
    refuseLost(sourceState == null ? lostSourceState : input.lost(sourceState.getStateTopics()));
  }

  /**
   * Waits until everything that the state topics hold at the time of the call is committed or aborted. Call this
   * method after every other writer is fenced.
   *
   * @throws LedgerFailure.TimedOut if a transaction of another producer does not end
   */
  void awaitInput(LedgerListener listener) {
    settled = StateTopics.read(admin, settings.topics()).ends();
    new OpenTransactionWait(settings, admin, listener).await(settled);
  }

  /**
   * Returns the topics as the last {@link #checkInput} found them, in the form in which {@code source.state} records
   * them.
   */
  List<StateTopic> input() {
    return input.record(sourceState == null ? List.of() : sourceState.getStateTopics());
  }

  /**
   * Restores the committed states of resources and targets and the committed pages of members, up to the ends that
   * {@link #awaitInput} read. Call this method after {@link #awaitInput} and {@link #checkInput}.
   */
  void restore(LedgerListener listener) {
    var progress = new ProgressLog();
    try (var consumer = settings.consumer()) {
      var ends = new HashMap<>(settled);
      ends.keySet().removeIf(partition -> !ResourceStateStore.holds(settings.topics(), partition.topic()));
      var decoders = new HashMap<String, RecordDecoder<?>>();
      StateTopics.of(settings.topics()).forEach(topic -> decoders.put(topic.name(), topic.decoder(registry)));
      new TopicRestore(consumer, ends).readBatches(
          records -> store.putAllEncoded(readable(records, decoders)), (read, total) -> {
            progress.restored(read, total);
            listener.restored(read, total);
          });
    }
    store.loaded();
    if (hasSkippedStates) {
      store.forgetBodies();
    }
  }

  /**
   * Returns the records that can be used, in their order. Passes other records, which no ledger wrote, to
   * {@link #skip}. If one is skipped, the previous state of its resource stays. If compaction has removed the
   * previous state, the next snapshot observes the resource as new.
   */
  private List<ConsumerRecord<byte[], byte[]>> readable(
      ConsumerRecords<byte[], byte[]> records, Map<String, RecordDecoder<?>> decoders) {
    var readable = new ArrayList<ConsumerRecord<byte[], byte[]>>(records.count());
    for (var record : records) {
      try {
        readable.add(usable(record, requireNonNull(decoders.get(record.topic()))));
      } catch (UnreadableRecordException e) {
        skip(record, e);
        hasSkippedStates |= !record.topic().equals(settings.topics().sourceState().name());
      }
    }
    return readable;
  }

  /**
   * Skips a record that cannot be used. Throws instead if an external registry does not know the schema of the record,
   * or has a schema of another type under its id, since the registry may have lost the schemas of all states.
   */
  private void skip(ConsumerRecord<byte[], byte[]> record, UnreadableRecordException failure) {
    var isUnknown = failure.reason() == UnreadableReason.UNKNOWN_SCHEMA
        || failure.getCause() instanceof SchemaRegistryFailure.NotAvro;
    if (isUnknown && registry instanceof ConfluentRegistry) {
      throw new LedgerFailure.TimedOut(
          "source %s: cannot restore the record in topic %s, partition %d, offset %d (%s). The record is not"
              .formatted(settings.source(), record.topic(), record.partition(), record.offset(), failure.getMessage())
              + " skipped, since the registry may have lost all schemas. Restore the schema in the registry, under its"
              + " id",
          failure);
    }
    unreadable.add(UnreadableRecord.of(record, failure));
  }

  /**
   * Returns a record that can be used. If another version of the program wrote the detection memory in a state, returns
   * a record with the memory in the schema of this version.
   */
  private <V extends SpecificRecord> ConsumerRecord<byte[], byte[]> usable(
      ConsumerRecord<byte[], byte[]> record, RecordDecoder<V> decoder) {
    decoder.key(record.key());
    var value = decoder.value(record.value());
    if (value == null && record.headers().lastHeader(LedgerRecords.REASON) == null) {
      throw new UnreadableRecordException(UnreadableReason.MISSING_VALUE,
          "topic %s: a tombstone without the reason that the ledger gives".formatted(record.topic()), null);
    }
    if (value == null || !resourceStates.contains(record.topic())) {
      return record;
    }
    var memory = (ByteBuffer) requireNonNull(AvroRecords.at(value, "memory"));
    var ofThisVersion = memory(record.topic(), memory);
    if (ofThisVersion.equals(memory)) {
      return record;
    }
    AvroRecords.put(value, "memory", ofThisVersion);
    return new ConsumerRecord<>(record.topic(), record.partition(), record.offset(), record.key(),
        decoder.serde().encode(record.topic(), value));
  }

  private ByteBuffer memory(String topic, ByteBuffer bytes) {
    try {
      return ResourceMemoryCodec.toThisVersion(bytes,
          fingerprint -> memories.computeIfAbsent(fingerprint, this::memoryCodec).orElseThrow(
              () -> new BadHeaderException("no instance has published the schema that it was written with")));
    } catch (SchemaRegistryFailure e) {
      throw e;
    } catch (RuntimeException e) { // malformed bytes make Avro throw arbitrary exceptions
      throw new UnreadableRecordException(UnreadableReason.MALFORMED,
          "topic %s: a state whose detection memory cannot be read (%s)".formatted(topic, e.getMessage()), e);
    }
  }

  private Optional<RecordCodec<ResourceMemory>> memoryCodec(long fingerprint) {
    var codec = RecordCodec.of(ResourceMemory.class);
    return registry.builtIn().versionsOf(codec.schema().getFullName()).stream()
        .filter(schema -> SchemaNormalization.parsingFingerprint64(schema) == fingerprint)
        .findFirst()
        .map(codec::reading);
  }

  /** Returns the records that were skipped, so that the ledger can write their dead letters. */
  UnreadableRecords unreadable() {
    return unreadable;
  }

  /**
   * Returns the newest state of the source that the last {@link #checkInput} read; null if {@code source.state} holds
   * none, as before the first session.
   */
  @Nullable
  SourceState previousSourceState() {
    return sourceState;
  }

  @Override
  public void close() {
    admin.close(CLOSE_TIMEOUT);
  }

  private void readSourceState() {
    unreadable.clear();
    try (var consumer = settings.consumer()) {
      new TopicRestore(consumer, List.of(settings.topics().sourceState()), settings.layout().partitions())
          .readEach(this::readSourceState);
    }
  }

  /**
   * Reads a state of the source, and skips a record that no ledger wrote. The ledger's clock continues from the clock
   * in the state and not from the timestamp of the record, which anyone could have set.
   */
  private void readSourceState(ConsumerRecord<byte[], byte[]> record) {
    try {
      var key = sourceStates.key(record.key());
      var header = record.headers().lastHeader(LedgerRecords.REGISTRY);
      if (header == null || header.value() == null) {
        throw new UnreadableRecordException(UnreadableReason.MISSING_HEADER, "topic %s: a record without the header %s"
            .formatted(record.topic(), LedgerRecords.REGISTRY), null);
      }
      refuseOtherRegistry(new String(header.value(), UTF_8));
      var state = decode(record.value());
      refuseOtherSource(String.valueOf(key));
      clock.advancePast(state.getClock());
      sourceState = state;
    } catch (UnreadableRecordException e) {
      skip(record, e);
    }
  }

  private void refuseLost(List<LostTopic> lost) {
    if (!lost.isEmpty()) {
      throw refused(
          "it cannot continue from a partial state: %s. 'tidemark rebuild' restores lost states from the changes, see"
              + " \"When a state topic is lost\" in docs/running/operations.md. Until the"
              + " states are restored, nothing is written",
          lost.stream().map(LostTopic::toString).collect(Collectors.joining("; ")));
    }
  }

  private void refuseOtherSource(String other) {
    if (!other.equals(settings.source())) {
      throw refused("the prefix %s belongs to the source %s. Choose another prefix, or undo the renaming of the source",
          settings.topics().prefix(), other);
    }
  }

  private void refuseOtherRegistry(String other) {
    if (!other.equals(registry.identity())) {
      throw refused(
          "its topics were written with the registry '%s', but the configuration names '%s'. Set registry.url to"
              + " the registry of the topics (leave it out if that is 'built-in'), or choose another prefix for a fresh"
              + " start",
          other, registry.identity());
    }
  }

  /**
   * Decodes a state of the source. All external registries have the same identity in the record's header, so only the
   * schemas under their ids tell the registries apart.
   */
  private SourceState decode(byte @Nullable [] bytes) {
    try {
      var state = sourceStates.value(bytes);
      if (state == null) {
        throw new UnreadableRecordException(UnreadableReason.MISSING_VALUE,
            "topic %s: a tombstone, which no ledger writes".formatted(settings.topics().sourceState().name()), null);
      }
      return state;
    } catch (UnreadableRecordException e) {
      var isOfOtherRegistry = e.reason() == UnreadableReason.OTHER_SCHEMA
          || (e.reason() == UnreadableReason.UNKNOWN_SCHEMA && registry instanceof BuiltInRegistry);
      if (!isOfOtherRegistry) {
        throw e;
      }
      throw refused(
          "its topics were written with another registry than the one at registry.url (%s). Set registry.url to"
              + " the registry of the topics, or copy its schemas with their ids to the registry in use, or choose"
              + " another prefix for a fresh start",
          e.getMessage());
    }
  }

  @FormatMethod
  private LedgerFailure.Refused refused(String message, @Nullable Object... details) {
    return new LedgerFailure.Refused("source %s: ".formatted(settings.source()) + message.formatted(details));
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
