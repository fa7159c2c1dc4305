package io.tidemark.stream.alert;

import io.tidemark.event.Control;
import io.tidemark.event.StoredAlertInstance;
import java.time.Instant;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;

/**
 * What the rules on one topic make of one part of the tape: a function of what is on it.
 *
 * <p>Before a record, all happens that was due before its stamp; on a tick, what was due by the tick before. So it does
 * not matter where among the records between two ticks a tick is read.
 */
final class RuleEngine {

  private final FoldedResources memory;
  private final GapFreeClock watch;
  private final ActiveRules inForce;
  private final AlertInstances troubles;
  private final Desk desk;
  private final AlertEvaluator court;
  private final boolean keepsWatch;

  /** @param keepsWatch whether the newest tick is kept even where no rule asks for time */
  RuleEngine(FoldedResources memory, ActiveRules inForce, AlertInstances troubles, Desk desk, boolean keepsWatch) {
    this.keepsWatch = keepsWatch;
    this.memory = memory;
    this.watch = memory.watch();
    this.inForce = inForce;
    this.troubles = troubles;
    this.desk = desk;
    this.court = new AlertEvaluator(memory.vocabulary(), troubles, desk);
  }

  void record(String key, SpecificRecord record, Instant stamp) {
    watch.recordSeen(stamp);
    pass(watch.readingAt(stamp) - 1);
    var at = moment(Traits.observedAt(record, stamp));
    var asked = memory.remember(key, record, at.time(), inForce.history());
    inForce.rules().forEach(rule -> court.judge(rule, asked, at));
    var left = Traits.left(record);
    if (left != null) {
      troubles.ofKey(key, trouble -> desk.end(trouble, left, at));
      memory.remove(key);
    } else {
      memory.keep(key, record, inForce.hasConditions() && troubles.isUnderWay(key));
    }
    memory.keep(watch);
  }

  /** A topic's resource of which nothing is said any more: its group is empty. */
  void removed(String key, Instant stamp) {
    watch.recordSeen(stamp);
    pass(watch.readingAt(stamp) - 1);
    var at = moment(stamp);
    troubles.ofKey(key, trouble -> desk.end(trouble, Reasons.GONE, at));
    memory.remove(key);
    memory.keep(watch);
  }

  /** The newest tick; 1970 where there was none yet. */
  Instant ticked() {
    return watch.state().getTickedAt();
  }

  void control(Control word) {
    if (word.getKind().equals("tick")) {
      watch.tick(word.getAt());
      pass(watch.previousTick());
    } else {
      watch.recordSeen(word.getAt());
      inForce.announce(word);
    }
    if (keepsWatch || !inForce.rules().isEmpty()) {
      memory.keep(watch);
    }
  }

  /** Lets time pass: timers, and the turns to other rules and silences, each in its place. */
  private void pass(long by) {
    for (var turn = inForce.nextChangeAfter(watch.elapsedUntil()); turn != null && watch.readingAt(turn) <= by;
        turn = inForce.nextChangeAfter(watch.elapsedUntil())) {
      elapse(watch.readingAt(turn));
      watch.elapseTo(turn);
      inForce.activate(turn);
      troubles.all(this::reconsider);
    }
    elapse(by);
    watch.elapseTo(watch.time(by));
  }

  private void elapse(long by) {
    for (var due = troubles.due(by); !due.isEmpty(); due = troubles.due(by)) {
      due.forEach(timer -> {
        var trouble = troubles.get(timer.id());
        if (trouble != null && Objects.equals(trouble.getDue(), timer.at())) {
          elapse(trouble, new Moment(watch.time(timer.at()), timer.at()));
        }
      });
    }
  }

  private void elapse(StoredAlertInstance trouble, Moment at) {
    var life = Objects.requireNonNull(Lives.read(trouble));
    var rule = inForce.rule(trouble.getRule());
    if (rule == null || !AlertEvaluator.isUnderWay(life)) {
      desk.forget(trouble);
      if (!troubles.isUnderWay(trouble.getKey())) {
        memory.release(trouble.getKey());
      }
    } else if (Patience.of(rule).due(life) <= at.shown()) {
      desk.enter(trouble, Objects.requireNonNull(Patience.of(rule).elapse(life, at)), rule, at);
    } else {
      lookAgain(trouble, at);
    }
  }

  /** Asks the rule in force again, with what is known; ends what its rule does not stand behind any more. */
  private void reconsider(StoredAlertInstance trouble) {
    var at = moment(watch.elapsedUntil());
    var rule = inForce.rule(trouble.getRule());
    if (rule == null || !rule.kind().text().equals(Objects.requireNonNull(trouble.getAlert()).getKind())) {
      desk.end(trouble, Reasons.RULE_REMOVED, at);
    } else if (AlertEvaluator.isUnderWay(Lives.read(trouble))) {
      if (rule.version() != trouble.getAlert().getRuleVersion()) {
        lookAgain(trouble, at);
      }
      desk.mark(trouble, at);
    }
  }

  private void lookAgain(StoredAlertInstance trouble, Moment at) {
    var rule = Objects.requireNonNull(inForce.rule(trouble.getRule()));
    var asked = Objects.requireNonNull(memory.current(trouble.getKey(), at.time()));
    court.judge(rule, trouble, asked, at);
  }

  private Moment moment(Instant time) {
    return new Moment(time, watch.readingOfObservation(time));
  }
}
