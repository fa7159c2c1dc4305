package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is said with the first tick after nobody wrote the source for long: no rule could see it. */
final class SourceUnownedAlert {

  /** Another owner takes over well within it. */
  static final Duration LONG = Duration.ofMinutes(1);

  static final String RULE = "source-unowned";

  private SourceUnownedAlert() {}

  /**
   * Null where the time between two ticks was not long.
   *
   * @param topic of ticks, with the prefix of the source
   */
  static @Nullable Alert between(Instant before, Instant tick, String topic) {
    var gap = Duration.between(before, tick);
    return before.equals(Instant.EPOCH) || gap.compareTo(LONG) <= 0 ? null : alert(before, tick, gap, topic);
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
        .setSummary("Nobody watched for " + gap.toSeconds() + " seconds, from " + before + " to " + tick)
        .setEventTime(tick)
        .setStartedAt(before)
        .setFiredAt(tick)
        .setEvidence(List.of(new Evidence(topic, "tick", null, null, tick, values)))
        .build();
  }
}
