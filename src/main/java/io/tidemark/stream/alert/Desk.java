package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.StoredAlertInstance;
import io.tidemark.rule.Rule;
import io.tidemark.stream.alert.AlertInstance.Armed;
import io.tidemark.stream.alert.AlertInstance.Fired;
import io.tidemark.stream.alert.AlertInstance.Firing;
import io.tidemark.stream.alert.AlertInstance.Pending;
import io.tidemark.stream.alert.AlertInstance.Resolved;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where lives are entered: each step is kept, its timer set, and told if it is one to tell. */
final class Desk {

  private static final long MINUTE = 60_000;

  private final AlertInstances troubles;
  private final AlertWriter wordings;
  private final ActiveRules inForce;
  private final Told told;

  /** Takes what is told. */
  interface Told {

    void alert(Alert alert);

    /** Nothing is said of a fingerprint any more. */
    void over(String fingerprint);
  }

  Desk(AlertInstances troubles, AlertWriter wordings, ActiveRules inForce, Told told) {
    this.troubles = troubles;
    this.wordings = wordings;
    this.inForce = inForce;
    this.told = told;
  }

  /** Enters the life that a record brought about. */
  void enter(StoredAlertInstance trouble, AlertInstance next, Rule rule, RuleInput asked, Moment at) {
    var before = Lives.read(trouble);
    if (next instanceof Fired || !next.equals(before) || !Objects.equals(trouble.getDue(), due(next, rule, at))) {
      word(trouble, before, next, rule, asked);
      enter(trouble, next, rule, at);
    }
  }

  /** Enters the life that time brought about. */
  void enter(StoredAlertInstance trouble, AlertInstance next, Rule rule, Moment at) {
    var isNews = isNews(Lives.read(trouble), next);
    var due = trouble.getDue();
    Lives.write(next, trouble);
    trouble.setDue(due(next, rule, at));
    if (isNews) {
      Objects.requireNonNull(trouble.getAlert()).setRuleVersion(rule.version());
      tell(trouble, next, at);
    }
    troubles.put(trouble, due);
  }

  /** Ends what goes on of a trouble whose rule is no more, or whose resource is gone; it is forgotten in time. */
  void end(StoredAlertInstance trouble, String reason, Moment at) {
    switch (Lives.read(trouble)) {
      case Pending it -> end(trouble, it.passes(at, reason), at);
      case Firing it -> end(trouble, it.resolves(at, reason), at);
      case Armed it -> forget(trouble);
      case null, default -> {}
    }
  }

  /** Marks whether a silence covers it, and tells where that is new. */
  void mark(StoredAlertInstance trouble, Moment at) {
    var alert = Objects.requireNonNull(trouble.getAlert());
    var silence = inForce.silence(alert, at.time());
    if (!Objects.equals(silence, alert.getSilenced())) {
      alert.setSilenced(silence);
      told.alert(alert);
      troubles.put(trouble, trouble.getDue());
    }
  }

  void forget(StoredAlertInstance trouble) {
    troubles.delete(trouble);
    if (!(Lives.read(trouble) instanceof Armed armed) || armed.firedAt() != null) {
      told.over(trouble.getFingerprint());
    }
  }

  private void end(StoredAlertInstance trouble, Resolved resolved, Moment at) {
    var due = trouble.getDue();
    Lives.write(resolved, trouble);
    trouble.setDue(resolved.since() + Patience.RETENTION);
    tell(trouble, resolved, at);
    troubles.put(trouble, due);
  }

  private void tell(StoredAlertInstance trouble, AlertInstance life, Moment at) {
    var alert = Objects.requireNonNull(trouble.getAlert());
    Telling.of(life, alert);
    alert.setSilenced(inForce.silence(alert, at.time()));
    told.alert(alert);
  }

  private void word(StoredAlertInstance trouble, @Nullable AlertInstance before, AlertInstance next, Rule rule,
      RuleInput asked) {
    if (next instanceof Fired || next instanceof Armed || !(before instanceof Pending || before instanceof Firing)) {
      var armed = before instanceof Armed ? Objects.requireNonNull(trouble.getAlert()).getEvidence() : null;
      var alert = wordings.begun(rule, asked, trouble.getFingerprint(), armed == null ? List.of() : armed);
      Telling.number(alert, trouble);
      trouble.setAlert(alert);
    } else if (before instanceof Pending && next instanceof Firing) {
      wordings.word(trouble.getAlert(), rule, asked);
    } else if (next instanceof Resolved) {
      wordings.prove(trouble.getAlert(), rule, asked);
    }
  }

  private static boolean isNews(@Nullable AlertInstance before, AlertInstance next) {
    return next instanceof Fired
        || !(next instanceof Armed || (before != null && before.getClass() == next.getClass()));
  }

  /** A life under way whose condition can change with time alone is looked at again each minute. */
  private static @Nullable Long due(AlertInstance life, Rule rule, Moment at) {
    var due = Patience.of(rule).due(life);
    var goesOn = life instanceof Pending || life instanceof Firing;
    var next = goesOn && rule.when().dependsOnTime() ? Math.min(due, (at.shown() / MINUTE + 1) * MINUTE) : due;
    return next == Long.MAX_VALUE ? null : Long.valueOf(next);
  }
}
