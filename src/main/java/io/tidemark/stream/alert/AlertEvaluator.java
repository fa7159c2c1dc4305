package io.tidemark.stream.alert;

import io.tidemark.event.StoredAlertInstance;
import io.tidemark.rule.Rule;
import io.tidemark.rule.expression.Expression.Verdict;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.stream.alert.AlertInstance.Armed;
import io.tidemark.stream.alert.AlertInstance.Fired;
import io.tidemark.stream.alert.AlertInstance.Firing;
import io.tidemark.stream.alert.AlertInstance.Pending;
import org.jspecify.annotations.Nullable;

/** Asks rules about records, and enters what comes of their verdicts. What a baseline shows begins nothing. */
final class AlertEvaluator {

  private final Vocabulary vocabulary;
  private final AlertInstances troubles;
  private final Desk desk;

  AlertEvaluator(Vocabulary vocabulary, AlertInstances troubles, Desk desk) {
    this.vocabulary = vocabulary;
    this.troubles = troubles;
    this.desk = desk;
  }

  void judge(Rule rule, RuleInput asked, Moment at) {
    if (rule.kind() == Rule.Kind.CONDITION) {
      condition(rule, asked, at);
    } else if (!asked.isBaseline() && (rule.after() == null || !asked.isRemoved())) {
      event(rule, asked, at);
    }
  }

  /** Asks a condition again about a trouble under way. */
  void judge(Rule rule, StoredAlertInstance trouble, RuleInput asked, Moment at) {
    var verdict = rule.when().test(asked.record(), asked.past());
    var next = Judgement.of(verdict, Lives.read(trouble), at, Patience.of(rule));
    if (next != null) {
      desk.enter(trouble, next, rule, asked, at);
    }
  }

  private void condition(Rule rule, RuleInput asked, Moment at) {
    var trouble = trouble(rule, asked);
    if (isUnderWay(Lives.read(trouble))) {
      judge(rule, trouble, asked, at);
    } else if (!asked.isBaseline() && isTrue(rule, asked)) {
      judge(rule, trouble, asked, at);
    }
  }

  private void event(Rule rule, RuleInput asked, Moment at) {
    var trouble = trouble(rule, asked);
    if (rule.after() != null) {
      arm(rule, trouble, asked, at);
    }
    var life = Lives.read(trouble);
    var patience = Patience.of(rule);
    var ready = rule.after() == null || (life instanceof Armed armed && at.shown() <= patience.due(armed));
    if (ready && isTrue(rule, asked) && !patience.isCooling(life, at.time())) {
      desk.enter(trouble, Fired.at(at), rule, asked, at);
    }
  }

  private void arm(Rule rule, StoredAlertInstance trouble, RuleInput asked, Moment at) {
    if (rule.after() != null && rule.after().test(asked.record(), asked.past()) == Verdict.TRUE) {
      desk.enter(trouble, Armed.at(at, Lives.read(trouble)), rule, asked, at);
    }
  }

  private StoredAlertInstance trouble(Rule rule, RuleInput asked) {
    return troubles.find(asked.key(), rule.name(), AlertFingerprint.of(rule, asked.key(), asked.record(), vocabulary));
  }

  static boolean isUnderWay(@Nullable AlertInstance life) {
    return life instanceof Pending || life instanceof Firing;
  }

  private static boolean isTrue(Rule rule, RuleInput asked) {
    return rule.when().test(asked.record(), asked.past()) == Verdict.TRUE;
  }
}
