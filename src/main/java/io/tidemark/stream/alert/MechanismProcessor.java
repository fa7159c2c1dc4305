package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Control;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.state.KeyValueStore;

/** Shows a mechanism its records, passes on what it finds, and now and then throws away what is stale. */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class MechanismProcessor<R extends SpecificRecord, M extends SpecificRecord>
    implements FixedKeyProcessor<String, SpecificRecord, Alert> {

  private static final Duration CLEANED_EVERY = Duration.ofMinutes(10);

  private final Mechanism<R, M> mechanism;
  private Instant cleaned = Instant.EPOCH;
  private KeyValueStore<String, M> memory;
  private FixedKeyProcessorContext<String, Alert> context;

  MechanismProcessor(Mechanism<R, M> mechanism) {
    this.mechanism = mechanism;
  }

  @Override
  public void init(FixedKeyProcessorContext<String, Alert> context) {
    this.context = context;
    this.memory = context.getStateStore(mechanism.rule());
  }

  @Override
  public void process(FixedKeyRecord<String, SpecificRecord> record) {
    if (record.value() instanceof Control control) {
      clean(control.getAt());
    } else {
      var finding = mechanism.look(mechanism.records().cast(record.value()), memory);
      if (finding != null) {
        context.forward(record.withValue(finding.alert()));
      }
    }
  }

  private void clean(Instant now) {
    if (Duration.between(cleaned, now).compareTo(CLEANED_EVERY) >= 0) {
      var stale = new ArrayList<String>();
      try (var all = memory.all()) {
        all.forEachRemaining(entry -> {
          if (mechanism.isStale(entry.value, now)) {
            stale.add(entry.key);
          }
        });
      }
      stale.forEach(memory::delete);
      cleaned = now;
    }
  }
}
