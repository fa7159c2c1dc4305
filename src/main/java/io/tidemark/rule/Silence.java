package io.tidemark.rule;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.tidemark.event.ResourceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A mute of all alerts that match its rule, subject and labels, from one time until another. Muted alerts are still
 * published, with the id of the silence.
 *
 * @param rule name of the alert's rule; null for any rule
 * @param subject subject of the alert, which is the key of the record that caused it; null for any subject
 * @param labels labels that the alert must have, with their values
 * @param who the person or program that added the silence
 */
public record Silence(
    @JsonProperty(required = true) String id,
    @Nullable String rule,
    @Nullable String subject,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Map<String, String> labels,
    @JsonProperty(required = true) Instant from,
    @JsonProperty(required = true) Instant until,
    @JsonProperty(required = true) String who,
    @JsonProperty(required = true) String comment) {

  /** Longest time from the beginning of a silence to its end. */
  public static final Duration LONGEST = Duration.ofDays(365);

  private static final int LONGEST_TEXT = 500;
  private static final int MOST_LABELS = 10;

  public Silence {
    bound("id", id);
    bound("rule", rule);
    bound("subject", subject);
    bound("who", who);
    bound("comment", comment);
    if (labels.size() > MOST_LABELS) {
      throw new IllegalArgumentException("labels: must be an object of at most " + MOST_LABELS + " texts");
    }
    labels.forEach((name, value) -> {
      bound("labels", name);
      bound(name, value);
    });
    subject = subject == null ? null : ResourceKey.canonical(subject);
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(labels)));
    if (rule == null && subject == null && labels.isEmpty()) {
      throw new IllegalArgumentException(
          "a silence needs a rule, a subject or a label: without any of these, it would mute every alert");
    }
    if (!until.isAfter(from)) {
      throw new IllegalArgumentException("a silence must end after it begins, but 'until' is " + until);
    }
    if (until.isAfter(from.plus(LONGEST))) {
      throw new IllegalArgumentException("a silence may last at most " + LONGEST.toDays() + " days");
    }
  }

  private static void bound(String name, @Nullable String text) {
    if (text != null && text.length() > LONGEST_TEXT) {
      throw new IllegalArgumentException(name + ": must be a text of at most " + LONGEST_TEXT + " characters");
    }
  }

  /** Returns this silence, but beginning at {@code now} if it would begin later, and then no longer than allowed. */
  public Silence startingNoLaterThan(Instant now) {
    if (!from.isAfter(now)) {
      return this;
    }
    var latest = now.plus(LONGEST);
    return new Silence(id, rule, subject, labels, now, until.isAfter(latest) ? latest : until, who, comment);
  }

  public boolean mutes(String ofRule, String ofSubject, Map<String, String> withLabels, Instant at) {
    return !at.isBefore(from)
        && at.isBefore(until)
        && (rule == null || rule.equals(ofRule))
        && (subject == null || subject.equals(ofSubject))
        && withLabels.entrySet().containsAll(labels.entrySet());
  }
}
