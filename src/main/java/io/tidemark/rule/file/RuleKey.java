package io.tidemark.rule.file;

import io.tidemark.rule.Rule;
import io.tidemark.yaml.DurationFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The keys of a rule in a file: the table that reading, writing and the JSON Schema share. */
enum RuleKey {
  NAME("name", Usage.ALWAYS, Schemas.text(RuleReader.NAME),
      "Names the rule. It is part of the fingerprints of the rule's alerts: another name makes other alerts."),
  ON("on", Usage.ALWAYS, Map.of(), "The topic whose records the rule evaluates."),
  KIND("kind", Usage.SOMETIMES, Map.of("enum", Stream.of(Rule.Kind.values()).map(Rule.Kind::text).toList()),
      "event: each record that meets the condition is an alert. condition: alerts are pending, firing, resolved."),
  AFTER("after", Usage.OF_EVENTS, Schemas.CEL,
      "A condition that arms the rule for a resource: `when` is evaluated from this record on."),
  WITHIN("within", Usage.OF_EVENTS, Schemas.DURATION, "How long `after` arms the rule for a resource."),
  WHEN("when", Usage.ALWAYS, Schemas.CEL, "The condition, in CEL."),
  RESOLVE_WHEN("resolve_when", Usage.OF_CONDITIONS, Schemas.CEL,
      "What ends a firing alert, in CEL: a lower threshold than that of `when`. Default: `when` does not hold."),
  FOR("for", Usage.OF_CONDITIONS, Schemas.DURATION,
      "How long the condition holds before the alert fires; default 0s."),
  KEEP_FIRING_FOR("keep_firing_for", Usage.OF_CONDITIONS, Schemas.DURATION,
      "How long the alert fires after the condition last held; default 0s."),
  NO_DATA_FOR("no_data_for", Usage.OF_CONDITIONS, Schemas.DURATION,
      "How long the last result counts while the condition has no data; default 15m."),
  ONCE("once", Usage.SOMETIMES, Map.of("oneOf", List.of(Schemas.TEXTS, Map.of("type", "string"))),
      "Names whose values identify one alert: [network, about.dex]. Default: the record's key."),
  COOLDOWN("cooldown", Usage.OF_EVENTS, Schemas.DURATION,
      "How long the same alert is not published again; default 0s."),
  DIGEST_AFTER_GAP("digest_after_gap", Usage.OF_EVENTS, Schemas.DURATION,
      "Alerts on records that were observed after a longer gap than this become one digest; default never."),
  SETTINGS("settings", Usage.SOMETIMES, Schemas.SETTINGS,
      "Values that a configuration may override: settings.minimum_reserve_usd in expressions."),
  SEVERITY("severity", Usage.SOMETIMES, Map.of("enum", Schemas.SEVERITIES), "info (the default), warning or critical."),
  LABELS("labels", Usage.SOMETIMES, Schemas.TEMPLATES, "Texts that receivers and silences match."),
  ANNOTATIONS("annotations", Usage.ALWAYS, Schemas.with(Schemas.TEMPLATES, "required", List.of("summary")),
      "Texts for people; `summary` is the one line of it."),
  VERSION("version", Usage.INTERNAL, Map.of(), "Version of the rule set in which the rule last changed.");

  /** In which rules it is written. */
  enum Usage {
    ALWAYS,
    SOMETIMES,
    OF_EVENTS,
    OF_CONDITIONS,
    /** In texts that this program writes. */
    INTERNAL
  }

  static final List<String> SEVERITIES = Schemas.SEVERITIES;
  static final List<String> NAMES =
      Stream.of(values()).filter(key -> key.usage != Usage.INTERNAL).map(RuleKey::key).toList();

  private final String key;
  private final Usage usage;
  private final Map<String, Object> schema;
  private final String description;

  RuleKey(String key, Usage usage, Map<String, Object> schema, String description) {
    this.key = key;
    this.usage = usage;
    this.schema = schema;
    this.description = description;
  }

  /** The key as it is written. */
  String key() {
    return key;
  }

  Usage usage() {
    return usage;
  }

  /** The JSON Schema of its value, without the description. */
  Map<String, Object> schema() {
    return schema;
  }

  String description() {
    return description;
  }

  /** Parts of the schemas. */
  private static final class Schemas {

    private static final List<String> SEVERITIES = List.of("info", "warning", "critical");
    private static final Map<String, Object> TEXTS = Map.of("type", "array", "items", Map.of("type", "string"));
    private static final Map<String, Object> CEL = Map.of("type", "string", "maxLength", 10_000);
    private static final Map<String, Object> DURATION = text(DurationFormat.OF_RULES.pattern());
    private static final Map<String, Object> TEMPLATES =
        Map.of("type", "object", "additionalProperties", Map.of("type", "string", "maxLength", 1_000));
    private static final Map<String, Object> SETTINGS = Map.of(
        "type", "object",
        "propertyNames", Map.of("pattern", "^" + RuleSettingsReader.NAME + "$"),
        "additionalProperties", Map.of("oneOf", List.of(
            Map.of("type", List.of("string", "number", "boolean")),
            Map.of("type", "array", "items", Map.of("type", List.of("string", "number"))))));

    private static Map<String, Object> text(String pattern) {
      return Map.of("type", "string", "pattern", "^" + pattern + "$");
    }

    private static Map<String, Object> with(Map<String, Object> schema, String key, Object value) {
      var extended = new TreeMap<>(schema);
      extended.put(key, value);
      return extended;
    }
  }
}
