package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import io.tidemark.rule.file.RuleFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The alerts that no rule can fire: that a source had no owner, since there are no records without an owner, and that a
 * rule was put out of force.
 */
public final class AlertsWithoutRule {

  private static final String SOURCE_UNOWNED = "source-unowned";
  private static final String RULE_FAILED = "rule-failed";

  /** The names that these alerts have in place of that of a rule. */
  public static final Set<String> NAMES = Set.of(SOURCE_UNOWNED, RULE_FAILED);

  /** Longest time between two ticks that causes no alert. A failover takes less time. */
  private static final Duration MIN_GAP = Duration.ofMinutes(1);

  private AlertsWithoutRule() {}

  /**
   * Returns the alert that is published at the first tick after a source had no owner, or null if the time between two
   * ticks was too short for an alert.
   *
   * @param before time of the previous tick; 1970 if there was none
   * @param topic full name of the topic that contains the ticks
   */
  static @Nullable Alert sourceUnowned(Instant before, Instant tick, String topic) {
    var gap = Duration.between(before, tick);
    if (before.equals(Instant.EPOCH) || gap.compareTo(MIN_GAP) <= 0) {
      return null;
    }
    var values = Map.of("previous_tick", before.toString(), "seconds", Long.toString(gap.toSeconds()));
    return critical(SOURCE_UNOWNED, topic, before,
        "The source had no owner for " + gap.toSeconds() + " seconds, from " + before + " to " + tick,
        new Evidence(topic, "tick", null, null, tick, values))
        .setEventTime(tick)
        .setStartedAt(before)
        .setFiredAt(tick)
        .build();
  }

  /** @param announcedAt time at which the ledger put the rule out of force for all partitions */
  static Alert ruleFailed(RuleFailure failure, Instant announcedAt) {
    var values = Map.of("reason", failure.reason(), "version", Long.toString(failure.version()));
    return critical(RULE_FAILED, failure.rule(), failure.at(),
        "The rule " + failure.rule() + " is out of force: " + failure.reason(),
        new Evidence(failure.topic(), failure.key(), null, null, failure.observedAt(), values))
        .setEventTime(failure.at())
        .setFiredAt(announcedAt)
        .setLabels(Map.of("rule", failure.rule()))
        .build();
  }

  private static Alert.Builder critical(
      String rule, String subject, Instant since, String summary, Evidence evidence) {
    var fingerprint = AlertFingerprint.of(Stream.of(rule, subject));
    return Alert.newBuilder()
        .setId(String.join("/", rule, fingerprint, Long.toString(since.toEpochMilli())))
        .setRule(rule)
        .setStatus("fired")
        .setFingerprint(fingerprint)
        .setSeverity("critical")
        .setSubject(subject)
        .setSummary(summary)
        .setEvidence(List.of(evidence));
  }
}
