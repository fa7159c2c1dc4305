package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.Registry;
import java.time.Instant;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * How a shipped rule looks at records of one kind, one after another, and what it must remember between them.
 *
 * <p>Its answers follow from the records alone: time is that of the records, and what is stale is never trusted,
 * whether it has been thrown away yet or not.
 */
interface Mechanism<R extends SpecificRecord, M extends SpecificRecord> {

  /** Name of the rule, of its processor and of its memory. */
  String rule();

  Class<R> records();

  Class<M> memories();

  /** What it finds in a record; null where that is nothing. */
  @Nullable Finding look(R record, KeyValueStore<String, M> memory);

  /** Whether what is remembered can have no influence any more. */
  boolean isStale(M remembered, Instant now);

  /** Its alerts, by pool, from records and ticks. */
  default KStream<String, Alert> alerts(KStream<String, SpecificRecord> tape, Registry registry) {
    return tape.processValues(new Supplier<>(this, registry), Named.as(rule()));
  }

  /** Gives each task its processor, and that its store. */
  record Supplier<R extends SpecificRecord, M extends SpecificRecord>(Mechanism<R, M> mechanism, Registry registry)
      implements FixedKeyProcessorSupplier<String, SpecificRecord, Alert> {

    @Override
    public FixedKeyProcessor<String, SpecificRecord, Alert> get() {
      return new MechanismProcessor<>(mechanism);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return Set.of(Stores.keyValueStoreBuilder(
          Stores.persistentKeyValueStore(mechanism.rule()),
          Serdes.String(),
          new AvroSerde<>(mechanism.memories(), registry)));
    }
  }
}
