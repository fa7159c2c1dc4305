package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import io.tidemark.rule.file.RuleFailure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The alert of a rule that was put out of force because its evaluation failed. No rule can fire this alert. */
final class RuleFailedAlert {

  static final String RULE = "rule-failed";

  private RuleFailedAlert() {}

  /** @param announcedAt time at which the ledger put the rule out of force for all partitions */
  static Alert of(RuleFailure failure, Instant announcedAt) {
    var fingerprint = AlertFingerprint.of(Stream.of(RULE, failure.rule()));
    var values = Map.of("reason", failure.reason(), "version", Long.toString(failure.version()));
    return Alert.newBuilder()
        .setId(String.join("/", RULE, fingerprint, Long.toString(failure.at().toEpochMilli())))
        .setRule(RULE)
        .setStatus("fired")
        .setFingerprint(fingerprint)
        .setSeverity("critical")
        .setSubject(failure.rule())
        .setSummary("The rule " + failure.rule() + " is out of force: " + failure.reason())
        .setEventTime(failure.at())
        .setFiredAt(announcedAt)
        .setLabels(Map.of("rule", failure.rule()))
        .setEvidence(
            List.of(new Evidence(failure.topic(), failure.key(), null, null, failure.observedAt(), values)))
        .build();
  }
}
