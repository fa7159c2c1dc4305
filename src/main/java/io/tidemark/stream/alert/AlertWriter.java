package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import io.tidemark.rule.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What an alert says, taken from its rule and the record it stands on. */
final class AlertWriter {

  private static final String SUMMARY = "summary";

  private final String topic;

  /** @param topic whose records are evidence, with its prefix */
  AlertWriter(String topic) {
    this.topic = topic;
  }

  /**
   * An alert that nothing has become of yet.
   *
   * @param armed what armed the rule, first of all evidence; empty where nothing did
   */
  Alert begun(Rule rule, RuleInput asked, String fingerprint, List<Evidence> armed) {
    var alert = Alert.newBuilder().build();
    alert.setId(String.join("/", rule.name(), fingerprint, Long.toString(asked.observedAt().toEpochMilli())));
    alert.setFingerprint(fingerprint);
    alert.setSubject(asked.key());
    alert.setRule(rule.name());
    alert.setEvidence(armed);
    word(alert, rule, asked);
    return alert;
  }

  /** Words it anew, as the rule does now, with the record as further evidence. */
  void word(Alert alert, Rule rule, RuleInput asked) {
    alert.setRuleVersion(rule.version());
    alert.setKind(rule.kind().text());
    alert.setSeverity(rule.severity());
    alert.setAfterGap(isAfterGap(rule, asked));
    alert.setLabels(rule.labels(asked.record(), asked.past()));
    var annotations = new TreeMap<>(rule.annotations(asked.record(), asked.past()));
    alert.setSummary(Objects.requireNonNullElse(annotations.remove(SUMMARY), rule.name()));
    alert.setAnnotations(annotations);
    prove(alert, rule, asked);
  }

  /** First and newest evidence: what it began with, and what it stands on now. */
  void prove(Alert alert, Rule rule, RuleInput asked) {
    var evidence = evidence(rule, asked);
    var all = new ArrayList<>(alert.getEvidence().stream().limit(1).toList());
    if (!all.contains(evidence)) {
      all.add(evidence);
    }
    alert.setEvidence(all);
  }

  /** Whether nobody looked for so long before that the rule wants a digest of what there is to tell. */
  private static boolean isAfterGap(Rule rule, RuleInput asked) {
    var before = Traits.previousLook(asked.record());
    return rule.digestAfterGap().isPositive()
        && before != null
        && Duration.between(before, asked.observedAt()).compareTo(rule.digestAfterGap()) > 0;
  }

  private Evidence evidence(Rule rule, RuleInput asked) {
    return new Evidence(
        topic,
        asked.key(),
        Traits.life(asked.record()),
        Traits.revision(asked.record()),
        asked.observedAt(),
        grounds(rule, asked));
  }

  private static Map<String, String> grounds(Rule rule, RuleInput asked) {
    var grounds = new TreeMap<>(rule.when().evidence(asked.record(), asked.past()));
    if (rule.after() != null) {
      grounds.putAll(rule.after().evidence(asked.record(), asked.past()));
    }
    return grounds;
  }
}
