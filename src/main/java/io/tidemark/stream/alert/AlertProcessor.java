package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Control;
import io.tidemark.event.StoredAlertInstance;
import io.tidemark.stream.alert.AlertInstance.Active;
import io.tidemark.stream.alert.AlertTopology.AlertedTopic;
import io.tidemark.stream.alert.GapFreeClock.Reading;
import io.tidemark.topic.SchemaRegistry;
import java.time.Instant;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Runs the rules on one topic over one partition of it, merged with control, in the order of the event log.
 *
 * <p>Before a record, all happens that was due before its timestamp; on a tick, what was due by the tick before. So the
 * result does not depend on where between two ticks a record is read.
 */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class AlertProcessor implements Processor<String, SpecificRecord, String, Alert> {

  private final AlertedTopic alerted;
  private final RuleSetCache ruleSets;
  private final SchemaRegistry registry;
  private AlertPublisher publisher;
  private FoldedResources resources;
  private GapFreeClock clock;
  private ActiveRules rules;
  private AlertInstances instances;
  private AlertEvaluator evaluator;
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
    publisher = new AlertPublisher(context, name);
    resources = new FoldedResources(store, name, alerted.topic().value(), registry);
    clock = new GapFreeClock(store, name, registry);
    rules = new ActiveRules(store, name, ruleSets, registry);
    instances = new AlertInstances(store, name, registry);
    evaluator = new AlertEvaluator(
        resources.vocabulary(), instances, new AlertWriter(alerted.topic().name()), rules, publisher);
    // every partition reads the ticks: one of them publishes the gaps
    watchesOwner = name.equals("source.state") && context.taskId().partition() == 0;
  }

  @Override
  public void process(Record<String, SpecificRecord> record) {
    publisher.timestamp(record.timestamp());
    var timestamp = Instant.ofEpochMilli(record.timestamp());
    if (record.value() instanceof Control control) {
      control(control);
      return;
    }
    clock.onRecord(timestamp);
    advance(clock.millisAt(timestamp) - 1);
    if (record.value() == null) { // a tombstone: the group of an aggregate has no members any more
      remove(record.key(), AlertInstance.RESOURCE_REMOVED, clock.readingOf(timestamp));
    } else {
      evaluate(record.key(), record.value(), timestamp);
    }
    clock.save();
  }

  private void evaluate(String key, SpecificRecord record, Instant timestamp) {
    var input = resources.update(key, record, timestamp, rules.history());
    var now = clock.readingOf(input.observedAt());
    rules.rules().forEach(rule -> evaluator.evaluate(rule, input, now));
    var reason = input.removalReason();
    if (reason != null) {
      remove(key, reason, now);
    } else {
      resources.storeWhole(key, record, rules.hasConditions() && instances.hasActive(key));
    }
  }

  private void remove(String key, String reason, Reading now) {
    instances.forEachOf(key, instance -> evaluator.end(instance, reason, now));
    resources.remove(key);
  }

  private void control(Control control) {
    if (control.getKind().equals("tick")) {
      publishGap(control.getAt());
      advance(clock.tick(control.getAt()));
    } else {
      clock.onRecord(control.getAt());
      rules.announce(control);
    }
    if (watchesOwner || !rules.rules().isEmpty()) {
      clock.save();
    }
  }

  private void publishGap(Instant tick) {
    if (watchesOwner) {
      var topic = alerted.topic().name().replace(alerted.name(), "control");
      var alert = SourceUnownedAlert.between(clock.newestTick(), tick, topic);
      if (alert != null) {
        publisher.publish(alert);
      }
    }
  }

  /** Fires timers and activates rules and silences, in the order of their times, up to a reading of the clock. */
  private void advance(long millis) {
    for (var change = rules.nextChangeAfter(clock.elapsedUntil());
        change != null && clock.millisAt(change) <= millis;
        change = rules.nextChangeAfter(clock.elapsedUntil())) {
      fireTimers(clock.millisAt(change));
      clock.elapseUntil(change);
      rules.activate(change);
      instances.forEach(this::applyActiveRules);
    }
    fireTimers(millis);
    clock.elapseUntil(clock.timeAt(millis));
  }

  private void fireTimers(long millis) {
    for (var due = instances.due(millis); !due.isEmpty(); due = instances.due(millis)) {
      due.forEach(timer -> {
        var instance = instances.get(timer.id());
        if (instance != null && Objects.equals(instance.getDue(), timer.dueAt())) {
          onTimer(instance, new Reading(clock.timeAt(timer.dueAt()), timer.dueAt()));
        }
      });
    }
  }

  private void onTimer(StoredAlertInstance instance, Reading now) {
    var rule = rules.rule(instance.getRule());
    if (rule != null && AlertInstance.read(instance) instanceof Active active) {
      if (!evaluator.elapse(instance, active, rule, now)) {
        evaluateAgain(instance, now);
      }
    } else {
      evaluator.drop(instance);
      if (!instances.hasActive(instance.getKey())) {
        resources.dropWhole(instance.getKey());
      }
    }
  }

  /** Evaluates changed rules again with what is known, and ends the instances of removed ones. */
  private void applyActiveRules(StoredAlertInstance instance) {
    var now = clock.readingOf(clock.elapsedUntil());
    var alert = Objects.requireNonNull(instance.getAlert());
    var rule = rules.rule(instance.getRule());
    if (rule == null || !rule.kind().text().equals(alert.getKind())) {
      evaluator.end(instance, AlertInstance.RULE_REMOVED, now);
    } else if (AlertInstance.read(instance) instanceof Active) {
      if (rule.version() != alert.getRuleVersion()) {
        evaluateAgain(instance, now);
      }
      evaluator.updateSilence(instance, now);
    }
  }

  private void evaluateAgain(StoredAlertInstance instance, Reading now) {
    var rule = Objects.requireNonNull(rules.rule(instance.getRule()));
    var input = Objects.requireNonNull(resources.current(instance.getKey(), now.time()));
    evaluator.evaluate(rule, instance, input, now);
  }
}
