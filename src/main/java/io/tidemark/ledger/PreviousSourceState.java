package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.SourceState;
import io.tidemark.topic.RegistryFailure;
import io.tidemark.topic.SchemaRegistry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** What the ledger before left behind of the source itself: its newest {@code source.state}. */
final class PreviousSourceState {

  private final LedgerSettings settings;
  private final SchemaRegistry registry;
  private final TopicCodec<SourceState> states;
  private byte @Nullable [] newest;

  PreviousSourceState(LedgerSettings settings, SchemaRegistry registry) {
    this.settings = settings;
    this.registry = registry;
    this.states = new TopicCodec<>(settings.topics().sourceState(), registry);
  }

  /**
   * Reads on; the newest counts.
   *
   * @throws LedgerFailure.Refused if it is of another source or another registry
   */
  void read(ConsumerRecord<byte[], byte[]> record) {
    refuseOtherSource(new String(record.key(), UTF_8));
    var header = record.headers().lastHeader(LedgerRecords.REGISTRY);
    refuseOtherRegistry(header == null ? registry.identity() : new String(header.value(), UTF_8));
    refuseOtherSchemas(record.value());
    newest = record.value();
  }

  /** Null where there was none. */
  @Nullable
  SourceState state(LedgerRecords records) {
    return newest == null ? null : records.source(newest);
  }

  private void refuseOtherSource(String other) {
    if (!other.equals(settings.source())) {
      throw new LedgerFailure.Refused(
          "source %s: the prefix %s belongs to the source %s. Give it another prefix, or its old name back"
              .formatted(settings.source(), settings.topics().prefix(), other));
    }
  }

  private void refuseOtherRegistry(String other) {
    if (!other.equals(registry.identity())) {
      throw new LedgerFailure.Refused(
          ("source %s: its topics were written with the registry '%s', the configuration says '%s'. Set registry.url "
              + "to that of then (leave it out for the built-in one), or choose another prefix for a fresh start")
              .formatted(settings.source(), other, registry.identity()));
    }
  }

  /** Two external registries have one name here; what an id stands for tells them apart. */
  private void refuseOtherSchemas(byte[] state) {
    try {
      states.decode(state);
    } catch (RegistryFailure.UnknownSchema e) {
      throw new LedgerFailure.Refused(
          ("source %s: its topics were written with another registry than the one of registry.url (%s). Set registry.url "
              + "to that of then, or bring its schemas over with their ids, or choose another prefix for a fresh start")
              .formatted(settings.source(), e.getMessage()));
    }
  }
}
