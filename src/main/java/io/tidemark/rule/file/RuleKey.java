package io.tidemark.rule.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The keys of a rule in a file. {@code rules.schema.json} describes each key except {@link #VERSION}. */
enum RuleKey {
  NAME(Usage.ALWAYS),
  ON(Usage.ALWAYS),
  KIND(Usage.SOMETIMES),
  AFTER(Usage.OF_EVENTS),
  TIMES(Usage.OF_EVENTS),
  WITHIN(Usage.OF_EVENTS),
  WHEN(Usage.ALWAYS),
  RESOLVE_WHEN(Usage.OF_CONDITIONS),
  FOR(Usage.OF_CONDITIONS),
  KEEP_FIRING_FOR(Usage.OF_CONDITIONS),
  NO_DATA_FOR(Usage.OF_CONDITIONS),
  ONCE(Usage.SOMETIMES),
  COOLDOWN(Usage.OF_EVENTS),
  DIGEST_AFTER_GAP(Usage.OF_EVENTS),
  SETTINGS(Usage.SOMETIMES),
  SEVERITY(Usage.SOMETIMES),
  LABELS(Usage.SOMETIMES),
  ANNOTATIONS(Usage.ALWAYS),
  /** Version of the rule set in which the rule last changed; at the top of a document, version of the rule set. */
  VERSION(Usage.INTERNAL);

  /** Which rules can have a key. Only keys with {@link #ALWAYS} are required. */
  enum Usage {
    ALWAYS,
    SOMETIMES,
    OF_EVENTS,
    OF_CONDITIONS,
    /** The key is only in texts that this program writes. */
    INTERNAL
  }

  static final List<String> SEVERITIES = List.of("info", "warning", "critical");
  static final List<String> NAMES =
      Stream.of(values()).filter(key -> key.usage != Usage.INTERNAL).map(RuleKey::key).toList();

  private final Usage usage;

  RuleKey(Usage usage) {
    this.usage = usage;
  }

  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  Usage usage() {
    return usage;
  }

  /** Returns the description of the key in {@code rules.schema.json}. */
  String description() {
    try {
      return new ObjectMapper().readTree(ShippedRules.schema())
          .at("/properties/rules/items/properties/" + key() + "/description").asText();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("rules.schema.json is not valid JSON", e);
    }
  }
}
