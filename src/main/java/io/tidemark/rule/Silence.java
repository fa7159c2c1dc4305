package io.tidemark.rule;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Alerts that nobody is to be told of for a time.
 *
 * @param rule name of the rule; null: any
 * @param subject key of the resource; null: any
 * @param labels that an alert must have, with these values
 * @param who asked for it
 */
public record Silence(
    String id,
    @Nullable String rule,
    @Nullable String subject,
    Map<String, String> labels,
    Instant from,
    Instant until,
    String who,
    String comment) {

  public Silence {
    labels = Map.copyOf(labels);
    if (rule == null && subject == null && labels.isEmpty()) {
      throw new IllegalArgumentException("a silence needs a rule, a subject or a label: it would silence all");
    }
    if (!until.isAfter(from)) {
      throw new IllegalArgumentException("a silence ends after it begins, not at " + until);
    }
  }

  /** Whether an alert is silenced at a time. */
  public boolean mutes(String ofRule, String ofSubject, Map<String, String> withLabels, Instant at) {
    return !at.isBefore(from)
        && at.isBefore(until)
        && (rule == null || rule.equals(ofRule))
        && (subject == null || subject.equals(ofSubject))
        && withLabels.entrySet().containsAll(labels.entrySet());
  }
}
