package io.tidemark.rule.file;

import java.util.List;
import java.util.stream.Stream;

/** The keys of a rule in a file: the table that reading, writing and the JSON Schema share. */
enum RuleKey {
  NAME("name", ValueForm.NAME, Usage.ALWAYS,
      "Names the rule. It is part of the fingerprints of the rule's alerts: another name makes other alerts."),
  ON("on", ValueForm.TOPIC, Usage.ALWAYS, "The topic whose records the rule evaluates."),
  KIND("kind", ValueForm.KIND, Usage.SOMETIMES,
      "event: each record that meets the condition is an alert. condition: alerts are pending, firing, resolved."),
  AFTER("after", ValueForm.CEL, Usage.OF_EVENTS,
      "A condition that arms the rule for a resource: `when` is evaluated from this record on."),
  WITHIN("within", ValueForm.DURATION, Usage.OF_EVENTS, "How long `after` arms the rule for a resource."),
  WHEN("when", ValueForm.CEL, Usage.ALWAYS, "The condition, in CEL."),
  FOR("for", ValueForm.DURATION, Usage.OF_CONDITIONS,
      "How long the condition holds before the alert fires; default 0s."),
  KEEP_FIRING_FOR("keep_firing_for", ValueForm.DURATION, Usage.OF_CONDITIONS,
      "How long the alert fires after the condition last held; default 0s."),
  NO_DATA_FOR("no_data_for", ValueForm.DURATION, Usage.OF_CONDITIONS,
      "How long the last result counts while the condition has no data; default 15m."),
  ONCE("once", ValueForm.PATHS, Usage.SOMETIMES,
      "Names whose values identify one alert: [network, about.dex]. Default: the record's key."),
  COOLDOWN("cooldown", ValueForm.DURATION, Usage.OF_EVENTS,
      "How long the same alert is not published again; default 0s."),
  DIGEST_AFTER_GAP("digest_after_gap", ValueForm.DURATION, Usage.OF_EVENTS,
      "Alerts on records that were observed after a longer gap than this become one digest; default never."),
  SETTINGS("settings", ValueForm.SETTINGS, Usage.SOMETIMES,
      "Values that a configuration may override: settings.minimum_reserve_usd in expressions."),
  SEVERITY("severity", ValueForm.SEVERITY, Usage.SOMETIMES, "info (the default), warning or critical."),
  LABELS("labels", ValueForm.TEMPLATES, Usage.SOMETIMES, "Texts that receivers and silences match."),
  ANNOTATIONS("annotations", ValueForm.TEMPLATES, Usage.ALWAYS, "Texts for people; `summary` is the one line of it."),
  VERSION("version", ValueForm.VERSION, Usage.INTERNAL, "Version of the rule set in which the rule last changed.");

  /** What its value looks like. */
  enum ValueForm {
    NAME,
    TOPIC,
    KIND,
    CEL,
    DURATION,
    PATHS,
    SETTINGS,
    SEVERITY,
    TEMPLATES,
    VERSION
  }

  /** In which rules it is written. */
  enum Usage {
    ALWAYS,
    SOMETIMES,
    OF_EVENTS,
    OF_CONDITIONS,
    /** In texts that this program writes. */
    INTERNAL
  }

  static final List<String> SEVERITIES = List.of("info", "warning", "critical");
  static final List<String> NAMES =
      Stream.of(values()).filter(key -> key.usage != Usage.INTERNAL).map(RuleKey::key).toList();

  private final String key;
  private final ValueForm form;
  private final Usage usage;
  private final String description;

  RuleKey(String key, ValueForm form, Usage usage, String description) {
    this.key = key;
    this.form = form;
    this.usage = usage;
    this.description = description;
  }

  /** The key as it is written. */
  String key() {
    return key;
  }

  ValueForm form() {
    return form;
  }

  Usage usage() {
    return usage;
  }

  String description() {
    return description;
  }
}
