package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.SourceState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** What the ledger before left behind of the source itself: its newest {@code source.state}. */
final class Predecessor {

  private final LedgerSettings settings;
  private final String registry;
  private byte @Nullable [] newest;

  Predecessor(LedgerSettings settings, String registry) {
    this.settings = settings;
    this.registry = registry;
  }

  /**
   * Reads on; the newest counts.
   *
   * @throws LedgerFailure.Refused if it is of another source or another registry
   */
  void read(ConsumerRecord<byte[], byte[]> record) {
    refuseOtherSource(new String(record.key(), UTF_8));
    var header = record.headers().lastHeader(Records.REGISTRY);
    refuseOtherRegistry(header == null ? registry : new String(header.value(), UTF_8));
    newest = record.value();
  }

  /** Null where there was none. */
  @Nullable SourceState state(Records records) {
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
    if (!other.equals(registry)) {
      throw new LedgerFailure.Refused(
          ("source %s: its topics were written with the registry '%s', the configuration says '%s'. Set registry.url "
                  + "to that of then (leave it out for the built-in one), or choose another prefix for a fresh start")
              .formatted(settings.source(), other, registry));
    }
  }
}
