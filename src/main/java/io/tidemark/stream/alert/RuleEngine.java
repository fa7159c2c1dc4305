package io.tidemark.stream.alert;

import io.tidemark.event.Control;
import io.tidemark.event.StoredAlertInstance;
import io.tidemark.stream.alert.AlertInstance.Active;
import io.tidemark.stream.alert.GapFreeClock.Reading;
import java.time.Instant;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;

/**
 * Evaluates the rules on one topic in the order of the event log: a function of the records of its partition.
 *
 * <p>Before a record, all happens that was due before its timestamp; on a tick, what was due by the tick before. So the
 * result does not depend on where between two ticks a record is read.
 */
final class RuleEngine {

  private final FoldedResources resources;
  private final GapFreeClock clock;
  private final ActiveRules rules;
  private final AlertInstances instances;
  private final AlertEvaluator evaluator;
  private final boolean storesEveryTick;

  /** @param storesEveryTick whether the newest tick is stored even where no rule needs the time */
  RuleEngine(
      FoldedResources resources,
      GapFreeClock clock,
      ActiveRules rules,
      AlertInstances instances,
      AlertEvaluator evaluator,
      boolean storesEveryTick) {
    this.resources = resources;
    this.clock = clock;
    this.rules = rules;
    this.instances = instances;
    this.evaluator = evaluator;
    this.storesEveryTick = storesEveryTick;
  }

  void record(String key, SpecificRecord record, Instant timestamp) {
    advanceBefore(timestamp);
    var input = resources.update(key, record, timestamp, rules.history());
    var now = clock.readingOf(input.observedAt());
    rules.rules().forEach(rule -> evaluator.evaluate(rule, input, now));
    var reason = input.removalReason();
    if (reason != null) {
      remove(key, reason, now);
    } else {
      resources.storeWhole(key, record, rules.hasConditions() && instances.hasActive(key));
    }
    clock.save();
  }

  /** Resolves the alerts of an aggregate whose group has no members any more. */
  void removed(String key, Instant timestamp) {
    advanceBefore(timestamp);
    remove(key, AlertInstance.RESOURCE_REMOVED, clock.readingOf(timestamp));
    clock.save();
  }

  /** The newest tick; 1970 where there was none yet. */
  Instant newestTick() {
    return clock.newestTick();
  }

  void control(Control control) {
    if (control.getKind().equals("tick")) {
      advance(clock.tick(control.getAt()));
    } else {
      clock.onRecord(control.getAt());
      rules.announce(control);
    }
    if (storesEveryTick || !rules.rules().isEmpty()) {
      clock.save();
    }
  }

  private void remove(String key, String reason, Reading now) {
    instances.forEachOf(key, instance -> evaluator.end(instance, reason, now));
    resources.remove(key);
  }

  private void advanceBefore(Instant timestamp) {
    clock.onRecord(timestamp);
    advance(clock.millisAt(timestamp) - 1);
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
