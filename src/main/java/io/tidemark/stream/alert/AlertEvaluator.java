package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.PoolListing;
import io.tidemark.event.StoredAlertInstance;
import io.tidemark.rule.Rule;
import io.tidemark.rule.expression.Expression;
import io.tidemark.rule.expression.Expression.Verdict;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.stream.alert.AlertInstance.Active;
import io.tidemark.stream.alert.AlertInstance.Armed;
import io.tidemark.stream.alert.AlertInstance.Fired;
import io.tidemark.stream.alert.AlertInstance.Firing;
import io.tidemark.stream.alert.AlertInstance.Resolved;
import io.tidemark.stream.alert.FoldedResources.RuleInput;
import io.tidemark.stream.alert.GapFreeClock.Reading;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An evaluator of rules. It stores the resulting state of each alert instance, sets the timer of the instance, and
 * publishes the alert if an event rule fired or a condition changed to another state.
 *
 * <p>A baseline, which is an observation of a resource that existed before watching began, starts no alert.
 */
record AlertEvaluator(
    Vocabulary vocabulary,
    AlertInstances instances,
    AlertWriter writer,
    ActiveRules rules,
    GapFreeClock clock,
    AlertPublisher publisher) {

  private static final long MINUTE = 60_000;

  /**
   * Time for which an armed instance is kept after {@code within} has passed, for records that were observed within it
   * and are committed later.
   */
  private static final long MAX_LATENESS = 2 * MINUTE;

  /** Evaluates a rule on a new record. */
  void evaluate(Rule rule, RuleInput input, Reading now) {
    if (rule.kind() == Rule.Kind.CONDITION) {
      evaluateCondition(rule, input, now);
    } else if (!input.isBaseline() && (canArm(rule, input) || usesRemoval(rule.when()))) {
      evaluateEvent(rule, input, now);
    }
  }

  /** Evaluates the condition of a stored instance again. */
  void evaluate(Rule rule, StoredAlertInstance stored, RuleInput input, Reading now) {
    evaluate(rule, rule.when().test(input.evaluated()), stored, input, now);
  }

  /**
   * Evaluates the condition of an instance. If the values of the rule's {@code once} are now those of another instance,
   * the condition does not hold for this instance, or has no data if a value is missing.
   */
  private void evaluate(Rule rule, Verdict verdict, StoredAlertInstance stored, RuleInput input, Reading now) {
    var before = AlertInstance.read(stored);
    var holds = hasOneInstance(input) && !fingerprint(rule, input).equals(stored.getFingerprint())
        ? AlertFingerprint.lacksValue(rule, input.record(), vocabulary) ? Verdict.NO_DATA : Verdict.FALSE
        : rule.holds(verdict, input.evaluated(), before instanceof Firing);
    var next = AlertInstance.after(holds, before, now, rule);
    if (next != null) {
      enter(stored, next, rule, input, now);
    }
  }

  /**
   * Moves an instance to the state that follows by time alone. Returns false if that state is not due yet.
   *
   * @param input the known values of the resource, which replace those of the time at which a condition became pending;
   *     null if nothing is known or the rule failed on these values. If null, no end summary is written
   */
  boolean elapse(StoredAlertInstance stored, Active active, Rule rule, @Nullable RuleInput input, Reading now) {
    if (active.dueAt(rule) > now.millis()) {
      return false;
    }
    var next = active.elapse(now, rule);
    if (next instanceof Resolved resolved && input != null) {
      AlertWriter.writeEnd(Objects.requireNonNull(stored.getAlert()), resolved, rule, input);
    } else if (input != null) {
      writer.write(stored, active, next, rule, input);
    }
    enter(stored, next, rule, now);
    return true;
  }

  /**
   * Returns whether the newest record of a resource may be that of an instance. A pool has one newest record, but
   * instances for several lists.
   */
  boolean mayBelongTo(StoredAlertInstance stored, Rule rule, RuleInput newest) {
    return hasOneInstance(newest) || fingerprint(rule, newest).equals(stored.getFingerprint());
  }

  /** Sets the timer of an instance to its next due time, as if the instance had been evaluated. */
  void postpone(StoredAlertInstance stored, Active active, Rule rule, Reading now) {
    var dueBefore = stored.getDue();
    stored.setDue(due(active, rule, now));
    instances.put(stored, dueBefore);
  }

  /**
   * Ends an instance whose rule or resource is removed. An active instance is resolved. An armed instance is disarmed,
   * and dropped unless the rule fired before, because its cooldown and its published alert remain.
   */
  void end(StoredAlertInstance stored, String reason, Reading now) {
    switch (AlertInstance.read(stored)) {
      case Active active -> resolve(stored, active.resolve(now, reason), now);
      case Armed armed when armed.firedAt() != null -> {
        var dueBefore = stored.getDue();
        AlertInstance.write(new Fired(armed.firedAt(), armed.since()), stored);
        stored.setDue(armed.since() + AlertInstance.RETENTION);
        instances.put(stored, dueBefore);
      }
      case Armed armed -> drop(stored);
      case null, default -> {}
    }
  }

  /** Sets the silence that mutes an instance's alert now, or null. Publishes the alert if its silence has changed. */
  void updateSilence(StoredAlertInstance stored, Reading now) {
    var alert = Objects.requireNonNull(stored.getAlert());
    var silence = rules.silence(alert, now.time());
    if (!Objects.equals(silence, alert.getSilenced())) {
      alert.setSilenced(silence);
      publisher.publish(alert);
      instances.put(stored, stored.getDue());
    }
  }

  /**
   * Publishes an alert that no rule fired, and stores it as a fired instance, so that the alert is removed from {@code
   * alerts.state} as that of a rule is.
   */
  void publishWithoutRule(Alert alert) {
    var firedAt = Objects.requireNonNull(alert.getFiredAt());
    alert.setSilenced(rules.silence(alert, firedAt));
    publisher.publish(alert);
    var stored = instances.find(alert.getSubject(), alert.getRule(), alert.getFingerprint());
    var dueBefore = stored.getDue();
    var now = clock.millisAt(firedAt);
    AlertInstance.write(new Fired(firedAt, now), stored);
    stored.setDue(now + AlertInstance.RETENTION);
    instances.put(stored, dueBefore);
  }

  /**
   * Sets the timer of an instance again if the instance is still needed when its timer is due. An instance that fired
   * is needed until its cooldown ends, and an armed one until the rule's maximum time has passed. Both are still needed
   * if a newer version of the rule has longer times. Returns false if the instance can be dropped.
   */
  boolean keepIfNeeded(StoredAlertInstance stored, Rule rule, Reading now) {
    var state = AlertInstance.read(stored);
    var next = state instanceof Armed armed && armed.firedAt() != null && armed.dueAt(rule) <= now.millis()
        ? new Fired(armed.firedAt(), armed.since())
        : state;
    if (next == null || next.dueAt(rule) <= now.millis()) {
      return false;
    }
    var dueBefore = stored.getDue();
    AlertInstance.write(next, stored);
    stored.setDue(due(next, rule, now));
    instances.put(stored, dueBefore);
    return true;
  }

  /** Drops an instance, and publishes a tombstone to {@code alerts.state} if the instance was published. */
  void drop(StoredAlertInstance stored) {
    instances.delete(stored);
    if (!(AlertInstance.read(stored) instanceof Armed armed) || armed.firedAt() != null) {
      publisher.remove(stored.getFingerprint());
    }
  }

  private void evaluateCondition(Rule rule, RuleInput input, Reading now) {
    var mayEnd = instances.hasOpen(input.key());
    if (input.isBaseline() && !mayEnd) {
      return;
    }
    var verdict = rule.when().test(input.evaluated());
    var starts = verdict == Verdict.TRUE && !input.isBaseline()
        && !(hasOneInstance(input) && AlertFingerprint.lacksValue(rule, input.record(), vocabulary));
    if (mayEnd && !rule.once().isEmpty() && hasOneInstance(input) && input.removalReason() == null) {
      var fingerprint = fingerprint(rule, input);
      instances.forEachActiveOf(input.key(), rule.name(), other -> {
        if (!other.getFingerprint().equals(fingerprint)) {
          evaluate(rule, verdict, other, input, now);
        }
      });
    }
    if (starts || mayEnd) {
      var stored = instance(rule, input);
      if (starts || AlertInstance.read(stored) instanceof Active) {
        evaluate(rule, verdict, stored, input, now);
      }
    }
  }

  private void evaluateEvent(Rule rule, RuleInput input, Reading now) {
    var begins = canArm(rule, input) && isTrue(rule.first(), input);
    if (!begins && (rule.after() == null || !instances.hasOpen(input.key()))) {
      return;
    }
    var stored = instance(rule, input);
    if (begins && rule.isArmed()) {
      var lastFiredAt = AlertInstance.lastFiredAt(AlertInstance.read(stored));
      enter(stored, new Armed(now.time(), now.millis(), lastFiredAt), rule, input, now);
    }
    var instance = AlertInstance.read(stored);
    var isMet = rule.times() > 1
        ? Objects.requireNonNull(stored.getAlert()).getEvidence().size() >= rule.times()
        : rule.after() == null
            || (instance instanceof Armed armed && now.millis() <= armed.dueAt(rule) && isTrue(rule.when(), input));
    if (isMet && !AlertInstance.isCoolingDown(instance, rule, now.time())) {
      enter(stored, new Fired(now.time(), now.millis()), rule, input, now);
    }
  }

  /** Moves an instance to the state that follows from a record. */
  private void enter(StoredAlertInstance stored, AlertInstance next, Rule rule, RuleInput input, Reading now) {
    var before = AlertInstance.read(stored);
    if (next instanceof Fired || rule.times() > 1 || !next.equals(before)
        || !Objects.equals(stored.getDue(), due(next, rule, now))) {
      writer.write(stored, before, next, rule, input);
      enter(stored, next, rule, now);
    }
  }

  private void enter(StoredAlertInstance stored, AlertInstance next, Rule rule, Reading now) {
    var isNews = isNews(AlertInstance.read(stored), next);
    var dueBefore = stored.getDue();
    AlertInstance.write(next, stored);
    stored.setDue(due(next, rule, now));
    if (isNews) {
      Objects.requireNonNull(stored.getAlert()).setRuleVersion(rule.version());
      publish(stored, next, now);
    }
    instances.put(stored, dueBefore);
  }

  private void resolve(StoredAlertInstance stored, Resolved resolved, Reading now) {
    var dueBefore = stored.getDue();
    AlertInstance.write(resolved, stored);
    stored.setDue(resolved.since() + AlertInstance.RETENTION);
    publish(stored, resolved, now);
    instances.put(stored, dueBefore);
  }

  private void publish(StoredAlertInstance stored, AlertInstance instance, Reading now) {
    var alert = Objects.requireNonNull(stored.getAlert());
    AlertWriter.writeStatus(alert, instance);
    // a silence that has ended by now must not hold back a condition that was observed before its end
    var time =
        instance instanceof Active && now.time().isBefore(clock.elapsedUntil()) ? clock.elapsedUntil() : now.time();
    alert.setSilenced(rules.silence(alert, time));
    publisher.publish(alert, rules.onAlerts());
  }

  private StoredAlertInstance instance(Rule rule, RuleInput input) {
    return instances.find(input.key(), rule.name(), fingerprint(rule, input));
  }

  private String fingerprint(Rule rule, RuleInput input) {
    return AlertFingerprint.of(rule, input.key(), input.record(), vocabulary);
  }

  /**
   * Returns whether a rule can have only one active instance for the record's key. False for listings, because the
   * newest records of a pool in several lists are all true at the same time.
   */
  private static boolean hasOneInstance(RuleInput input) {
    return !(input.record() instanceof PoolListing);
  }

  /** Returns whether a record can arm or fire a rule. A removal cannot arm a rule, because no record follows it. */
  private static boolean canArm(Rule rule, RuleInput input) {
    return rule.after() == null || input.removalReason() == null;
  }

  private static boolean usesRemoval(Expression condition) {
    return condition.names().stream().map(Vocabulary::partOf).anyMatch("removed"::equals);
  }

  private static boolean isTrue(Expression condition, RuleInput input) {
    return condition.test(input.evaluated()) == Verdict.TRUE;
  }

  private static boolean isNews(@Nullable AlertInstance before, AlertInstance next) {
    return next instanceof Fired
        || !(next instanceof Armed || (before != null && before.getClass() == next.getClass()));
  }

  /**
   * Returns the clock reading, in milliseconds, at which an instance is next due, or null if it is never due. An
   * active instance whose condition depends on time is due each minute.
   */
  private static @Nullable Long due(AlertInstance instance, Rule rule, Reading now) {
    var due = instance.dueAt(rule) + (instance instanceof Armed ? MAX_LATENESS : 0);
    var next = instance instanceof Active && rule.dependsOnTime()
        ? Math.min(due, (now.millis() / MINUTE + 1) * MINUTE)
        : due;
    return next == Long.MAX_VALUE ? null : Long.valueOf(next);
  }
}
