package io.tidemark.rule.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import io.tidemark.event.Sha256;
import io.tidemark.rule.Rule;
import java.time.Instant;

/**
 * A rule that the stream application put out of force, because its evaluation failed on a record. The rule stays out of
 * force until its content changes or someone applies it again.
 *
 * @param content digest of the rule's content, as that of {@link #content}
 * @param version of the rule
 * @param topic full name of the topic of the record
 * @param key of the record
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

  /** A digest of all that a rule does; the same for each of its versions. */
  public static String content(Rule rule) {
    return Sha256.hex(RuleFormat.content(rule)).substring(0, 16);
  }

  /** The text of it on the topics {@code watch} and {@code control}. */
  public String text() {
    return RuleFormat.yaml(this);
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it did not write it
   */
  public static RuleFailure parse(String text) {
    try {
      return RuleFormat.read(text, RuleFailure.class, DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IllegalArgumentException("cannot be read as the failure of a rule: " + e.getMessage(), e);
    }
  }
}
