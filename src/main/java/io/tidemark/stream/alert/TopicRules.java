package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Control;
import io.tidemark.event.SafeText;
import io.tidemark.event.StoredAlertInstance;
import io.tidemark.event.StoredResource;
import io.tidemark.event.Watch;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TraceParent;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.rule.Rule;
import io.tidemark.rule.expression.EvaluationFailure;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.rule.file.RuleFailure;
import io.tidemark.stream.alert.AlertInstance.Active;
import io.tidemark.stream.alert.AlertInstance.Armed;
import io.tidemark.stream.alert.AlertInstances.Timer;
import io.tidemark.stream.alert.FoldedResources.RuleInput;
import io.tidemark.stream.alert.GapFreeClock.Reading;
import io.tidemark.stream.tick.ResourceStore.Section;
import io.tidemark.stream.tick.StateStores;
import io.tidemark.stream.tick.TaskOutput;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules on one topic, evaluated on one partition of the topic. The records of the partition and of the control
 * topic are merged in the order of the event log.
 *
 * <p>Before rules are evaluated on a record, everything that was due before the record's timestamp takes effect: the
 * timers of the record's resource, and changes of rules and silences. On a tick, all timers and changes that were due
 * by the previous tick take effect. So the result does not depend on the moment between two ticks at which a record is
 * read. If many timers are due at the same time, they fire in slices of bounded size, one slice for each record and
 * tick. Slices delay the alerts, but do not change them.
 */
public final class TopicRules {

  /** Key in the configuration of Kafka Streams of the {@link Traces} that receive the spans of alerts. */
  public static final String TRACES = "tidemark.traces";

  private static final Logger LOG = LoggerFactory.getLogger(TopicRules.class);

  /**
   * Maximum number of timers that fire when a tick is read, besides all timers that are due by a change of rules or
   * silences. Each timer may evaluate a rule.
   */
  static final int SLICE_OF_A_TICK = 1_000;

  /**
   * Maximum number of timers that fire when a record is read, besides the timers of the record's resource and all
   * timers that are due by a change of rules or silences.
   */
  static final int SLICE_OF_A_RECORD = 20;

  private final AlertedTopic alerted;
  private final AlertPublisher publisher;
  private final FoldedResources resources;
  private final GapFreeClock clock;
  private final ActiveRules rules;
  private final AlertInstances instances;
  private final AlertEvaluator evaluator;
  /** The announcement of each rule's last failure, with the version of the rule. */
  private final PrefixedStore<Control> announcedFailures;
  private final boolean watchesOwner;

  /**
   * A topic to which rules apply.
   *
   * @param name name of the topic without the prefix
   * @param store name of the store of alert instances, known values, rules and silences
   * @param clocks name of the store of the {@link GapFreeClock} of each topic
   */
  public record AlertedTopic(String name, Topic<?> topic, String store, String clocks) {

    /** Returns the two stores of one task, which the rules on all topics of the task share. */
    public Set<StoreBuilder<?>> stores() {
      return Set.of(
          StateStores.onDisk(store, Serdes.ByteArray()), StateStores.inMemory(clocks, Serdes.ByteArray()));
    }
  }

  /**
   * Creates the rules on a topic.
   *
   * @param registry registry of the schemas of the stored records
   * @param known stored values of the resources, if the records of the topic are changes of resources; otherwise null
   */
  public TopicRules(
      AlertedTopic alerted,
      RuleSetCache ruleSets,
      SchemaRegistry registry,
      @Nullable Section<StoredResource> known,
      ProcessingContext context,
      TaskOutput<SpecificRecord> output) {
    this.alerted = alerted;
    KeyValueStore<String, byte[]> store = context.getStateStore(alerted.store());
    var name = alerted.name();
    publisher = new AlertPublisher(context, name, output);
    clock = new GapFreeClock(context.getStateStore(alerted.clocks()), name, registry);
    resources = new FoldedResources(
        new PrefixedStore<>(store, "resource", name, StoredResource.class, registry),
        known,
        alerted.topic().value(),
        clock,
        registry);
    rules = new ActiveRules(store, name, resources.vocabulary(), ruleSets, registry);
    instances = new AlertInstances(store, name, registry);
    announcedFailures = new PrefixedStore<>(store, "announced-failure", name, Control.class, registry);
    evaluator = new AlertEvaluator(
        resources.vocabulary(), instances, new AlertWriter(alerted.topic().name()), rules, clock, publisher);
    // every partition reads the control records, but only one publishes the alerts of gaps and of failed rules
    watchesOwner = name.equals("source.state") && context.taskId().partition() == 0;
    registerCounters();
  }

  /** Registers the counters of the rules in force before they count, so that an increase includes the first failures. */
  private void registerCounters() {
    rules.all().rules().forEach(rule -> publisher.skipped(rule.name()));
  }

  /** Processes a record of the topic, or a control record. */
  public void process(Record<String, SpecificRecord> record) {
    if (record.value() instanceof Control control) {
      publisher.timestamp(control.getAt().toEpochMilli());
      control(control);
      return;
    }
    var timestamp = clock.timeOf(Instant.ofEpochMilli(record.timestamp()));
    publisher.timestamp(timestamp.toEpochMilli());
    clock.onRecord(timestamp);
    if (!advance(clock.millisAt(timestamp) - 1, SLICE_OF_A_RECORD)) {
      fireTimersOf(record.key(), clock.millisAt(timestamp) - 1);
    }
    if (record.value() == null) {
      // the aggregate of a group, a target, or the resource of candles or listings was removed
      remove(record.key(), AlertInstance.RESOURCE_REMOVED, clock.readingOf(timestamp));
    } else {
      publisher.cause(TraceParent.of(record.headers()));
      evaluate(record.key(), record.value(), timestamp);
    }
    clock.save();
  }

  private void evaluate(String key, SpecificRecord record, Instant timestamp) {
    var mayApply = instances.hasOpen(key) ? rules.all() : rules.startedBy(resources.changedParts(record));
    var wasActive = instances.hasActive(key);
    var input =
        resources.update(key, record, timestamp, mayApply.parts(), rules.history(), wasActive || rules.readsPrevious());
    var now = clock.readingOf(input.observedAt());
    mayApply.rules().stream()
        .filter(rule -> !(record instanceof Alert alert) || key.equals(AlertFingerprint.group(rule, alert)))
        .forEach(rule -> attempt(rule, key, input.observedAt(), () -> evaluator.evaluate(rule, input, now)));
    var reason = input.removalReason();
    if (reason != null) {
      remove(key, reason, now);
    } else if (wasActive && !instances.hasActive(key)) {
      dropNewest(key);
    } else if (!wasActive && instances.hasActive(key)) {
      resources.keepNewest(key, record);
    }
  }

  private void dropNewest(String key) {
    if (!rules.readsPrevious()) {
      resources.dropNewest(key);
    }
  }

  private void remove(String key, String reason, Reading now) {
    instances.forEachOf(key, instance -> evaluator.end(instance, reason, now));
    resources.remove(key);
  }

  private void control(Control control) {
    if (control.getKind().equals("tick")) {
      publishGap(control.getAt());
      advance(clock.tick(control.getAt()), SLICE_OF_A_TICK);
    } else {
      clock.onRecord(control.getAt());
      rules.announce(control);
      publishFailure(control);
    }
    if (watchesOwner || !rules.isEmpty()) {
      clock.save();
    }
  }

  private void publishGap(Instant tick) {
    if (watchesOwner) {
      var topic = alerted.topic().name().replace(alerted.name(), "control");
      var alert = AlertsWithoutRule.sourceUnowned(clock.newestTick(), tick, topic);
      if (alert != null) {
        evaluator.publishWithoutRule(alert);
      }
    }
  }

  /**
   * Publishes the alert of a failed rule once for each version of the rule, even if the failure is announced repeatedly
   * or the rule fails on several partitions.
   */
  private void publishFailure(Control control) {
    if (watchesOwner && control.getKind().equals(RuleAnnouncements.RULE_FAILURE)) {
      try {
        publishFailure(control, RuleFailure.parse(Objects.requireNonNullElse(control.getText(), "")));
      } catch (IllegalArgumentException e) {
        LOG.warn("The control record with time {} is ignored, so no alert of a failed rule is published. The record {}",
            control.getAt(), e.getMessage());
      }
    }
  }

  private void publishFailure(Control control, RuleFailure failure) {
    var before = announcedFailures.get(failure.rule());
    if (before == null || before.getVersion() != failure.version()) {
      announcedFailures.put(failure.rule(), Control.newBuilder(control).setVersion(failure.version()).build());
      evaluator.publishWithoutRule(AlertsWithoutRule.ruleFailed(failure, control.getAt()));
    }
  }

  /** If the evaluation fails, the rule skips the record or is put out of force, and the result is false. */
  private boolean attempt(Rule rule, String key, Instant observedAt, Runnable evaluation) {
    try {
      evaluation.run();
      return true;
    } catch (EvaluationFailure e) {
      skip(rule, key, observedAt, String.valueOf(e.getMessage()));
      return false;
    }
  }

  private void skip(Rule rule, String key, Instant observedAt, String reason) {
    publisher.skipped(rule.name()).record();
    var failed = rules.skip(rule, key, publisher.timestamp());
    if (failed >= ActiveRules.MOST_FAILED_KEYS) {
      putOutOfForce(rule, key, observedAt, reason);
    } else if (failed > 0) {
      LOG.warn(
          "Rule {}, version {}, failed on a record of topic {}, key {}, and skips this record. The rule has failed on"
              + " {} keys of this partition within an hour, and stays in force until it fails on {} keys. Cause: {}",
          rule.name(), rule.version(),
          alerted.topic().name(), SafeText.singleLine(key, 100), failed, ActiveRules.MOST_FAILED_KEYS, reason);
    }
  }

  private void putOutOfForce(Rule rule, String key, Instant observedAt, String reason) {
    var at = publisher.timestamp();
    var failure = new RuleFailure(rule.name(), RuleFailure.content(rule), rule.version(), alerted.topic().name(), key,
        observedAt, at, reason);
    var command = Watch.newBuilder()
        .setKind(RuleAnnouncements.RULE_FAILURE)
        .setName(rule.name())
        .setText(failure.text())
        .setWho("streams")
        .setAt(at)
        .build();
    LOG.error(
        "Rule {}, version {}, is out of force until it is changed or applied again. It failed last on topic {}, key {}."
            + " Cause: {}",
        rule.name(), rule.version(), failure.topic(), SafeText.singleLine(key, 100), reason);
    rules.putOutOfForce(command);
    publisher.command(command);
    instances.forEachOpen(instance -> applyActiveRules(instance, Set.of()));
  }

  /**
   * Fires timers and activates rules and silences, in the order of their times, up to a reading of the clock. All
   * timers that are due by the time of a change of rules or silences fire before that change, however many they are.
   * Returns false if due timers may be left for the next calls.
   */
  private boolean advance(long millis, int mostTimers) {
    var isChanged = false;
    for (var change = rules.nextChangeAfter(clock.elapsedUntil());
        change != null && clock.millisAt(change) <= millis;
        change = rules.nextChangeAfter(clock.elapsedUntil())) {
      fireTimers(clock.millisAt(change), Integer.MAX_VALUE);
      clock.elapseUntil(change);
      var otherConditions = rules.activate(change);
      registerCounters();
      instances.forEachOpen(instance -> applyActiveRules(instance, otherConditions));
      isChanged = true;
    }
    if (isChanged) {
      // only once, or else an alert would be published at the end of each mute in an outage
      instances.forEachOpen(this::updateSilence);
    }
    var areAllFired = fireTimers(millis, mostTimers);
    clock.elapseUntil(clock.timeAt(millis));
    return areAllFired;
  }

  /** Fires up to {@code most} due timers, earliest first. Returns false if other due timers may be left. */
  private boolean fireTimers(long millis, int most) {
    for (var left = most; left > 0;) {
      var due = instances.due(millis, left);
      due.forEach(this::fire);
      if (due.isEmpty()) {
        return true;
      }
      left -= due.size();
    }
    return false;
  }

  /** Fires the due timers of a resource, before a record of that resource is evaluated. */
  private void fireTimersOf(String key, long millis) {
    for (var due = instances.dueOf(key, millis); !due.isEmpty(); due = instances.dueOf(key, millis)) {
      due.forEach(this::fire);
    }
  }

  private void fire(Timer timer) {
    var instance = instances.get(timer.id());
    if (instance != null && Objects.equals(instance.getDue(), timer.dueAt())) {
      onTimer(instance, timer, new Reading(clock.timeAt(timer.dueAt()), timer.dueAt()));
    }
  }

  private void onTimer(StoredAlertInstance instance, Timer timer, Reading now) {
    var rule = rules.rule(instance.getRule());
    if (rule != null && AlertInstance.read(instance) instanceof Active active) {
      var newest = resources.current(instance.getKey(), now.time());
      var input = newest != null && evaluator.mayBelongTo(instance, rule, newest) ? newest : null;
      if (input == null
          || !attempt(rule, instance.getKey(), now.time(), () -> elapse(instance, active, rule, input, now))) {
        elapseWithoutRecord(timer, rule, now);
      }
    } else {
      if (rule == null || !evaluator.keepIfNeeded(instance, rule, now)) {
        evaluator.drop(instance);
      }
      if (!instances.hasActive(instance.getKey())) {
        dropNewest(instance.getKey());
      }
    }
  }

  private void elapse(
      StoredAlertInstance instance, Active active, Rule rule, RuleInput input, Reading now) {
    if (!evaluator.elapse(instance, active, rule, input, now)) {
      evaluator.evaluate(rule, instance, input, now);
    }
  }

  /**
   * Moves an alert instance to the state that follows by time alone, after the rule failed on the values of the
   * resource, or if only a record of another instance is known. If that state is not due yet, only sets the instance's
   * timer again. Without this step, the alert would never change its state.
   */
  private void elapseWithoutRecord(Timer timer, Rule rule, Reading now) {
    var instance = instances.get(timer.id());
    if (instance != null && AlertInstance.read(instance) instanceof Active active
        && !evaluator.elapse(instance, active, rule, null, now)) {
      evaluator.postpone(instance, active, rule, now);
    }
  }

  /**
   * Applies the rules in force to an open instance. Ends the instance if its rule is no longer in force or has another
   * kind, or if the instance is armed and its rule has other conditions than before. If the instance is active and its
   * rule was changed, evaluates the rule again with the known values.
   */
  private void applyActiveRules(StoredAlertInstance instance, Set<String> otherConditions) {
    var now = clock.readingOf(clock.elapsedUntil());
    var alert = Objects.requireNonNull(instance.getAlert());
    var rule = rules.rule(instance.getRule());
    if (rule == null || !rule.kind().text().equals(alert.getKind())
        || (AlertInstance.read(instance) instanceof Armed && otherConditions.contains(rule.name()))) {
      evaluator.end(instance, AlertInstance.RULE_REMOVED, now);
    } else if (AlertInstance.read(instance) instanceof Active && rule.version() != alert.getRuleVersion()) {
      evaluateAgain(instance, now);
    }
  }

  /** Applies the silences in force to the alert of an active instance. */
  private void updateSilence(StoredAlertInstance instance) {
    if (AlertInstance.read(instance) instanceof Active && rules.rule(instance.getRule()) != null) {
      evaluator.updateSilence(instance, clock.readingOf(clock.elapsedUntil()));
    }
  }

  private void evaluateAgain(StoredAlertInstance instance, Reading now) {
    var rule = Objects.requireNonNull(rules.rule(instance.getRule()));
    var input = Objects.requireNonNull(resources.current(instance.getKey(), now.time()));
    if (evaluator.mayBelongTo(instance, rule, input)) {
      attempt(rule, instance.getKey(), now.time(), () -> evaluator.evaluate(rule, instance, input, now));
    }
  }
}
