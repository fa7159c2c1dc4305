package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The alert that is published at the first tick after a source had no owner. No rule can fire this alert, because
 * there are no records while there is no owner.
 */
final class SourceUnownedAlert {

  /** Longest time between two ticks that causes no alert. A failover takes less time. */
  static final Duration MIN_GAP = Duration.ofMinutes(1);

  static final String RULE = "source-unowned";

  private SourceUnownedAlert() {}

  /**
   * Returns the alert for the time between two ticks, or null if that time was too short for an alert.
   *
   * @param before time of the previous tick; 1970 if there was none
   * @param topic full name of the topic that contains the ticks
   */
  static @Nullable Alert between(Instant before, Instant tick, String topic) {
    var gap = Duration.between(before, tick);
    return before.equals(Instant.EPOCH) || gap.compareTo(MIN_GAP) <= 0 ? null : alert(before, tick, gap, topic);
  }

  private static Alert alert(Instant before, Instant tick, Duration gap, String topic) {
    var fingerprint = AlertFingerprint.of(Stream.of(RULE, topic));
    var values = Map.of("previous_tick", before.toString(), "seconds", Long.toString(gap.toSeconds()));
    return Alert.newBuilder()
        .setId(String.join("/", RULE, fingerprint, Long.toString(before.toEpochMilli())))
        .setRule(RULE)
        .setStatus("fired")
        .setFingerprint(fingerprint)
        .setSeverity("critical")
        .setSubject(topic)
        .setSummary(
            "The source had no owner for " + gap.toSeconds() + " seconds, from " + before + " to " + tick)
        .setEventTime(tick)
        .setStartedAt(before)
        .setFiredAt(tick)
        .setEvidence(List.of(new Evidence(topic, "tick", null, null, tick, values)))
        .build();
  }
}
