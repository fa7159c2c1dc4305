package io.tidemark.stream.alert;

import io.tidemark.event.Control;
import io.tidemark.event.Trouble;
import java.time.Instant;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;

/**
 * What the rules on one topic make of one part of the tape: a function of what is on it.
 *
 * <p>Before a record, all happens that was due before its stamp; on a tick, what was due by the tick before. So it does
 * not matter where among the records between two ticks a tick is read.
 */
final class Engine {

  private final Memory memory;
  private final Stopwatch watch;
  private final RulesInForce inForce;
  private final Troubles troubles;
  private final Desk desk;
  private final Court court;
  private final boolean keepsWatch;

  /** @param keepsWatch whether the newest tick is kept even where no rule asks for time */
  Engine(Memory memory, RulesInForce inForce, Troubles troubles, Desk desk, boolean keepsWatch) {
    this.keepsWatch = keepsWatch;
    this.memory = memory;
    this.watch = memory.watch();
    this.inForce = inForce;
    this.troubles = troubles;
    this.desk = desk;
    this.court = new Court(memory.vocabulary(), troubles, desk);
  }

  void record(String key, SpecificRecord record, Instant stamp) {
    watch.hear(stamp);
    pass(watch.at(stamp) - 1);
    var at = moment(Traits.observedAt(record, stamp));
    var asked = memory.remember(key, record, at.time(), inForce.history());
    inForce.rules().forEach(rule -> court.judge(rule, asked, at));
    var left = Traits.left(record);
    if (left != null) {
      troubles.ofKey(key, trouble -> desk.end(trouble, left, at));
      memory.forget(key);
    } else {
      memory.keep(key, record, inForce.hasConditions() && troubles.isUnderWay(key));
    }
    memory.keep(watch);
  }

  /** A topic's resource of which nothing is said any more: its group is empty. */
  void gone(String key, Instant stamp) {
    watch.hear(stamp);
    pass(watch.at(stamp) - 1);
    var at = moment(stamp);
    troubles.ofKey(key, trouble -> desk.end(trouble, Reasons.GONE, at));
    memory.forget(key);
    memory.keep(watch);
  }

  /** The newest tick; 1970 where there was none yet. */
  Instant ticked() {
    return watch.read().getTickedAt();
  }

  void control(Control word) {
    if (word.getKind().equals("tick")) {
      watch.tick(word.getAt());
      pass(watch.oneTickBehind());
    } else {
      watch.hear(word.getAt());
      inForce.hear(word);
    }
    if (keepsWatch || !inForce.rules().isEmpty()) {
      memory.keep(watch);
    }
  }

  /** Lets time pass: timers, and the turns to other rules and silences, each in its place. */
  private void pass(long by) {
    for (var turn = inForce.turn(watch.passed()); turn != null && watch.at(turn) <= by;
        turn = inForce.turn(watch.passed())) {
      elapse(watch.at(turn));
      watch.pass(turn);
      inForce.turnTo(turn);
      troubles.all(this::reconsider);
    }
    elapse(by);
    watch.pass(watch.time(by));
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

  private void elapse(Trouble trouble, Moment at) {
    var life = Objects.requireNonNull(Lives.read(trouble));
    var rule = inForce.rule(trouble.getRule());
    if (rule == null || !Court.isUnderWay(life)) {
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
  private void reconsider(Trouble trouble) {
    var at = moment(watch.passed());
    var rule = inForce.rule(trouble.getRule());
    if (rule == null || !rule.kind().name().equals(Objects.requireNonNull(trouble.getAlert()).getKind())) {
      desk.end(trouble, Reasons.RULE_REMOVED, at);
    } else if (Court.isUnderWay(Lives.read(trouble))) {
      if (rule.version() != trouble.getAlert().getRuleVersion()) {
        lookAgain(trouble, at);
      }
      desk.mark(trouble, at);
    }
  }

  private void lookAgain(Trouble trouble, Moment at) {
    var rule = Objects.requireNonNull(inForce.rule(trouble.getRule()));
    var asked = Objects.requireNonNull(memory.recall(trouble.getKey(), at.time()));
    court.judge(rule, trouble, asked, at);
  }

  private Moment moment(Instant time) {
    return new Moment(time, watch.seen(time));
  }
}
