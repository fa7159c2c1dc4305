package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import io.tidemark.event.StoredAlertInstance;
import io.tidemark.rule.Rule;
import io.tidemark.rule.expression.Template;
import io.tidemark.stream.alert.AlertInstance.Active;
import io.tidemark.stream.alert.AlertInstance.Armed;
import io.tidemark.stream.alert.AlertInstance.Fired;
import io.tidemark.stream.alert.AlertInstance.Firing;
import io.tidemark.stream.alert.AlertInstance.Pending;
import io.tidemark.stream.alert.AlertInstance.Resolved;
import io.tidemark.stream.alert.FoldedResources.RuleInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A writer of the {@link Alert} of an alert instance: the alert's id, the texts of its rule, its evidence and its
 * status.
 *
 * @param topic full name of the topic whose records are evidence
 */
record AlertWriter(String topic) {

  private static final String SUMMARY = "summary";

  /** Updates the alert of an instance for a transition, except for the status, which {@link #writeStatus} writes. */
  void write(
      StoredAlertInstance stored,
      @Nullable AlertInstance before,
      AlertInstance next,
      Rule rule,
      RuleInput input) {
    if (next instanceof Fired || next instanceof Armed || !(before instanceof Active)) {
      stored.setAlert(start(stored, before, rule, input));
    } else if (before instanceof Pending && next instanceof Firing) {
      writeTexts(stored.getAlert(), rule, input);
    } else if (next instanceof Resolved resolved) {
      writeEnd(stored.getAlert(), resolved, rule, input);
      addEvidence(stored.getAlert(), rule, input);
    }
  }

  /**
   * Writes the end summary of an alert: the summary of its rule, with the values that ended the condition. Does
   * nothing if the reason is not {@link AlertInstance#CONDITION_OVER}, or if the rule has no summary.
   */
  static void writeEnd(Alert alert, Resolved resolved, Rule rule, RuleInput input) {
    var summary = rule.annotations().get(SUMMARY);
    if (summary != null && resolved.reason().equals(AlertInstance.CONDITION_OVER)) {
      alert.setEndSummary(summary.fill(input.evaluated()));
    }
  }

  static void writeStatus(Alert alert, AlertInstance instance) {
    switch (instance) {
      case Pending it -> {
        alert.setStatus("pending");
        alert.setStartedAt(it.startedAt());
        alert.setEventTime(it.startedAt());
      }
      case Firing it -> {
        alert.setStatus("firing");
        alert.setStartedAt(it.startedAt());
        alert.setFiredAt(it.firedAt());
        alert.setEventTime(it.firedAt());
      }
      case Resolved it -> {
        alert.setStatus("resolved");
        alert.setEndedAt(it.endedAt());
        alert.setEventTime(it.endedAt());
        alert.setReason(it.reason());
      }
      case Fired it -> {
        alert.setStatus("fired");
        alert.setFiredAt(it.firedAt());
        alert.setEventTime(it.firedAt());
      }
      case Armed it -> throw new IllegalStateException("an armed rule has no alert to publish");
    }
  }

  /**
   * Returns a new alert. If the event rule was already armed, the first record that armed it is the alert's first
   * evidence.
   */
  private Alert start(StoredAlertInstance stored, @Nullable AlertInstance before, Rule rule, RuleInput input) {
    var alert = Alert.newBuilder().build();
    alert.setId(newId(stored, rule, input));
    alert.setFingerprint(stored.getFingerprint());
    alert.setSubject(input.key());
    alert.setRule(rule.name());
    alert.setEvidence(
        before instanceof Armed ? Objects.requireNonNull(stored.getAlert()).getEvidence() : List.of());
    alert.setAfterGap(isAfterGap(rule, input));
    writeTexts(alert, rule, input);
    return alert;
  }

  /**
   * Returns the id of the next alert of an instance. The id ends with a number if the last alert of the instance
   * started at the same time.
   */
  private static String newId(StoredAlertInstance stored, Rule rule, RuleInput input) {
    var time = Long.toString(input.observedAt().toEpochMilli());
    var id = String.join("/", rule.name(), stored.getFingerprint(), time);
    var last = stored.getAlert() == null ? "" : stored.getAlert().getId();
    if (last.equals(id)) {
      return id + "-2";
    }
    return last.startsWith(id + "-") ? id + "-" + (Integer.parseInt(last.substring(id.length() + 1)) + 1) : id;
  }

  /**
   * Writes the texts of the rule's current version into an alert. If a text cannot be evaluated, the alert stays as
   * it is.
   */
  private void writeTexts(Alert alert, Rule rule, RuleInput input) {
    var labels = Template.fillAll(rule.labels(), input.evaluated());
    var annotations = new TreeMap<>(Template.fillAll(rule.annotations(), input.evaluated()));
    alert.setRuleVersion(rule.version());
    alert.setKind(rule.kind().text());
    alert.setSeverity(rule.severity());
    alert.setLabels(labels);
    alert.setSummary(Objects.requireNonNullElse(annotations.remove(SUMMARY), rule.name()));
    alert.setAnnotations(annotations);
    addEvidence(alert, rule, input);
  }

  /**
   * Adds evidence. Only the first and the newest evidence are kept, or all evidence that a rule with {@code times}
   * counts. The evidence of an alert on alerts names the alerts.
   */
  private void addEvidence(Alert alert, Rule rule, RuleInput input) {
    var values = decidingValues(rule, input);
    if (input.record() instanceof Alert cause) {
      values.put("id", cause.getId());
    }
    var evidence = new Evidence(
        topic,
        input.record() instanceof Alert cause ? cause.getSubject() : input.key(),
        input.view().generation(input.record()),
        input.view().revision(input.record()),
        input.recordObservedAt(),
        values);
    var counted = input.observedAt().minus(rule.within());
    var all = new ArrayList<>(rule.times() == 1
        ? alert.getEvidence().stream().limit(1).toList()
        : alert.getEvidence().stream().filter(each -> each.getObservedAt().isAfter(counted)).toList());
    // without a revision, a record that is evaluated again is known by its values
    var hasRevision = rule.times() > 1 || evidence.getRevision() != null;
    var isKnown = hasRevision
        ? all.contains(evidence)
        : all.stream().anyMatch(each -> each.getValues().equals(values));
    if (!isKnown) {
      all.add(evidence);
    }
    alert.setEvidence(all.subList(rule.times() == 1 ? 0 : Math.max(0, all.size() - rule.times()), all.size()));
  }

  /**
   * Returns whether the target was not observed for longer than {@link Rule#digestAfterGap} before this observation.
   * Alerts after such a gap go into one digest. Returns false if the rule has no such limit or the previous
   * observation is unknown.
   */
  private static boolean isAfterGap(Rule rule, RuleInput input) {
    var before = input.previousObservedAt();
    return rule.digestAfterGap().isPositive()
        && before != null
        && Duration.between(before, input.observedAt()).compareTo(rule.digestAfterGap()) > 0;
  }

  private static Map<String, String> decidingValues(Rule rule, RuleInput input) {
    var values = new TreeMap<>(rule.when().evidence(input.evaluated()));
    if (rule.after() != null) {
      values.putAll(rule.after().evidence(input.evaluated()));
    }
    return values;
  }
}
