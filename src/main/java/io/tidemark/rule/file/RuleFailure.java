package io.tidemark.rule.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import io.tidemark.event.Sha256;
import io.tidemark.rule.Rule;
import java.time.Instant;

/**
 * A rule that the stream application put out of force, because its evaluation failed on a record. The rule stays out
 * of force until its content changes or someone applies it again.
 *
 * @param content digest of the rule's content, as returned by {@link #content}
 * @param version version of the rule
 * @param topic full name of the topic of the record
 * @param key key of the record
 * @param observedAt time of the observation in the record
 * @param at timestamp of the record in progress when it failed
 * @param reason one sentence for people
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

  /** Returns a digest of all that a rule does, which does not depend on the rule's version. */
  public static String content(Rule rule) {
    return Sha256.hex(RuleFormat.content(rule)).substring(0, 16);
  }

  /** Returns the text of the failure on the topics {@code watch} and {@code control}. */
  public String text() {
    return RuleFormat.yaml(this);
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws IllegalArgumentException if {@link #text} did not write it
   */
  public static RuleFailure parse(String text) {
    try {
      return RuleFormat.read(text, RuleFailure.class, DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IllegalArgumentException("cannot be read as the failure of a rule: " + e.getMessage(), e);
    }
  }
}
