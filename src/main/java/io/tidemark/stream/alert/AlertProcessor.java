package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Control;
import io.tidemark.stream.alert.AlertTopology.AlertedTopic;
import io.tidemark.topic.SchemaRegistry;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Runs the rules on one topic over one partition of it, merged with control. */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class AlertProcessor implements Processor<String, SpecificRecord, String, Alert> {

  private final AlertedTopic alerted;
  private final RuleSetCache ruleSets;
  private final SchemaRegistry registry;
  private AlertPublisher publisher;
  private RuleEngine engine;
  private boolean watchesOwner;

  AlertProcessor(AlertedTopic alerted, RuleSetCache ruleSets, SchemaRegistry registry) {
    this.alerted = alerted;
    this.ruleSets = ruleSets;
    this.registry = registry;
  }

  @Override
  public void init(ProcessorContext<String, Alert> context) {
    KeyValueStore<String, byte[]> store = context.getStateStore(alerted.store());
    var name = alerted.name();
    var rules = new ActiveRules(store, name, ruleSets, registry);
    var instances = new AlertInstances(store, name, registry);
    var resources = new FoldedResources(store, name, alerted.topic().value(), registry);
    publisher = new AlertPublisher(context, name);
    // every partition reads the ticks: one of them publishes the gaps
    watchesOwner = name.equals("source.state") && context.taskId().partition() == 0;
    var evaluator = new AlertEvaluator(
        resources.vocabulary(), instances, new AlertWriter(alerted.topic().name()), rules, publisher);
    engine =
        new RuleEngine(resources, new GapFreeClock(store, name, registry), rules, instances, evaluator, watchesOwner);
  }

  @Override
  public void process(Record<String, SpecificRecord> record) {
    publisher.timestamp(record.timestamp());
    var timestamp = Instant.ofEpochMilli(record.timestamp());
    switch (record.value()) {
      case Control control -> control(control);
      case null -> engine.removed(record.key(), timestamp);
      case SpecificRecord value -> engine.record(record.key(), value, timestamp);
    }
  }

  private void control(Control control) {
    if (watchesOwner && control.getKind().equals("tick")) {
      var controlTopic = alerted.topic().name().replace(alerted.name(), "control");
      var alert = SourceUnownedAlert.between(engine.newestTick(), control.getAt(), controlTopic);
      if (alert != null) {
        publisher.publish(alert);
      }
    }
    engine.control(control);
  }
}
