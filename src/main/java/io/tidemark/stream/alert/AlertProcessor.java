package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Control;
import io.tidemark.topic.SchemaRegistry;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Shows the engine of one topic its part of the tape, and passes on what it tells. */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class AlertProcessor implements Processor<String, SpecificRecord, String, Alert>, Desk.Told {

  private final AlertTopology.AlertedTopic on;
  private final RuleSetCache texts;
  private final SchemaRegistry registry;
  private ProcessorContext<String, Alert> context;
  private RuleEngine engine;
  private AlertPublisher count;
  private long stamp;

  AlertProcessor(AlertTopology.AlertedTopic on, RuleSetCache texts, SchemaRegistry registry) {
    this.on = on;
    this.texts = texts;
    this.registry = registry;
  }

  @Override
  public void init(ProcessorContext<String, Alert> context) {
    this.context = context;
    this.count = new AlertPublisher(context, on.name());
    KeyValueStore<String, byte[]> store = context.getStateStore(on.store());
    var inForce = new ActiveRules(store, on.name(), texts, registry);
    var troubles = new AlertInstances(store, on.name(), registry);
    var desk = new Desk(troubles, new AlertWriter(on.topic().name()), inForce, this);
    var memory = new FoldedResources(store, on.name(), on.topic().value(), registry);
    this.engine = new RuleEngine(memory, inForce, troubles, desk, watchesOwner());
  }

  @Override
  public void process(Record<String, SpecificRecord> record) {
    stamp = record.timestamp();
    switch (record.value()) {
      case Control word -> control(word);
      case null -> engine.removed(record.key(), Instant.ofEpochMilli(stamp));
      case SpecificRecord change -> engine.record(record.key(), change, Instant.ofEpochMilli(stamp));
    }
  }

  private void control(Control word) {
    if (word.getKind().equals("tick") && watchesOwner()) {
      var topic = on.topic().name().replace(on.name(), "control");
      var alert = SourceUnownedAlert.between(engine.ticked(), word.getAt(), topic);
      if (alert != null) {
        alert(alert);
      }
    }
    engine.control(word);
  }

  /** Every partition hears of a gap: one tells of it. */
  private boolean watchesOwner() {
    return on.name().equals("source.state") && context.taskId().partition() == 0;
  }

  @Override
  public void alert(Alert alert) {
    count.told(alert);
    context.forward(new Record<>(alert.getSubject(), alert, stamp));
  }

  @Override
  public void over(String fingerprint) {
    context.forward(new Record<>(fingerprint, null, stamp));
  }
}
