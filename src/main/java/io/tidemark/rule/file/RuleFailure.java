package io.tidemark.rule.file;

import io.tidemark.event.Sha256;
import io.tidemark.rule.Rule;
import io.tidemark.yaml.YamlException;
import io.tidemark.yaml.YamlSection;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;

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
    var fields = new LinkedHashMap<String, Object>();
    fields.put("rule", rule);
    fields.put("content", content);
    fields.put("version", version);
    fields.put("topic", topic);
    fields.put("key", key);
    fields.put("observed-at", observedAt.toString());
    fields.put("at", at.toString());
    fields.put("reason", reason);
    return RuleFormat.yaml(fields);
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it did not write it
   */
  public static RuleFailure parse(String text) {
    try {
      var in = YamlSection.parse("rule failure", text, null);
      return new RuleFailure(
          in.required("rule").text(),
          in.required("content").text(),
          in.required("version").longInteger(),
          in.required("topic").text(),
          in.required("key").text(),
          Instant.parse(in.required("observed-at").text()),
          Instant.parse(in.required("at").text()),
          in.required("reason").text());
    } catch (YamlException | DateTimeException e) {
      throw new IllegalArgumentException("cannot be read as the failure of a rule: " + e.getMessage(), e);
    }
  }
}
