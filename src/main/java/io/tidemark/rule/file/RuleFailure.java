package io.tidemark.rule.file;

import com.fasterxml.jackson.databind.DeserializationFeature;
import io.tidemark.event.Sha256;
import io.tidemark.rule.Rule;
import java.time.Instant;

/**
 * The failure of a rule: its evaluation failed on many record keys of a partition within an hour, so the stream
 * application put the rule out of force. The rule stays out of force until its content changes or someone applies the
 * rule again. The failure describes the last failed evaluation.
 *
 * @param rule name of the rule
 * @param content digest of the rule's content, as returned by {@link #content(Rule)}
 * @param version version of the rule
 * @param topic full name of the topic of the record on which the evaluation failed
 * @param key key of the record on which the evaluation failed
 * @param observedAt event time of the evaluation that failed: the time of the observation in the record, or the time
 *     for which stored values were evaluated again
 * @param at timestamp of the record that was being processed when the evaluation failed
 * @param reason reason of the failure: one sentence for people
 */
public record RuleFailure(
    String rule,
    String content,
    long version,
    String topic,
    String key,
    Instant observedAt,
    Instant at,
    String reason) {

  /** Returns a digest of a rule's content, which does not depend on the rule's version. */
  public static String content(Rule rule) {
    return Sha256.hex(RuleFormat.content(rule)).substring(0, 16);
  }

  /** Returns the text of the failure on the topics {@code watch} and {@code control}. */
  public String text() {
    return RuleFormat.yaml(this);
  }

  /**
   * Reads a failure from the text that {@link #text} returns.
   *
   * @throws IllegalArgumentException if the text is not a failure
   */
  public static RuleFailure parse(String text) {
    return RuleFormat.read(
        text, RuleFailure.class, "the failure of a rule", DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);
  }
}
