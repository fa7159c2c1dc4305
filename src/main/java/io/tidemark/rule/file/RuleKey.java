package io.tidemark.rule.file;

import java.util.List;
import java.util.stream.Stream;

/** What may stand in a rule: one table, which the reader and the JSON Schema for editors go by. */
enum RuleKey {
  NAME("name", ValueForm.NAME, Usage.ALWAYS,
      "Names the rule; also part of the fingerprints of its alerts, so changing it makes new troubles of old ones."),
  ON("on", ValueForm.TOPIC, Usage.ALWAYS, "The one topic it looks at."),
  KIND("kind", ValueForm.KIND, Usage.SOMETIMES,
      "event: each record for which it holds is told. condition: pending, firing, resolved."),
  AFTER("after", ValueForm.CEL, Usage.OF_EVENTS, "Arms the rule for a resource: `when` is asked from this record on."),
  WITHIN("within", ValueForm.DURATION, Usage.OF_EVENTS, "How long a resource stays armed by `after`."),
  WHEN("when", ValueForm.CEL, Usage.ALWAYS, "What must hold, in CEL."),
  FOR("for", ValueForm.DURATION, Usage.OF_CONDITIONS, "How long it must hold before it fires; 0s if left out."),
  KEEP_FIRING_FOR("keep_firing_for", ValueForm.DURATION, Usage.OF_CONDITIONS,
      "How long it fires on after it held last; 0s if left out."),
  NO_DATA_FOR("no_data_for", ValueForm.DURATION, Usage.OF_CONDITIONS,
      "How long it may be without data before what it said last counts no more; 15m if left out."),
  ONCE("once", ValueForm.PATHS, Usage.SOMETIMES,
      "Names whose values make one trouble: [network, about.dex]. The record's key if left out."),
  COOLDOWN("cooldown", ValueForm.DURATION, Usage.OF_EVENTS,
      "How long the same trouble is not told again; 0s if left out."),
  DIGEST_AFTER_GAP("digest_after_gap", ValueForm.DURATION, Usage.OF_EVENTS,
      "Alerts whose look followed upon a longer gap than this are told together; never if left out."),
  SETTINGS("settings", ValueForm.SETTINGS, Usage.SOMETIMES,
      "Values that a configuration may set: settings.minimum_reserve_usd in expressions."),
  SEVERITY("severity", ValueForm.SEVERITY, Usage.SOMETIMES, "info (if left out), warning or critical."),
  LABELS("labels", ValueForm.TEMPLATES, Usage.SOMETIMES, "What receivers and silences can be picked by."),
  ANNOTATIONS("annotations", ValueForm.TEMPLATES, Usage.ALWAYS, "What people read; `summary` is the one line of it."),
  VERSION("version", ValueForm.VERSION, Usage.INTERNAL, "Version of the rule set in which it last changed.");

  /** How its value looks. */
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

  /** Where it stands. */
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
      Stream.of(values()).filter(key -> key.use != Usage.INTERNAL).map(RuleKey::key).toList();

  private final String key;
  private final ValueForm form;
  private final Usage use;
  private final String description;

  RuleKey(String key, ValueForm form, Usage use, String description) {
    this.key = key;
    this.form = form;
    this.use = use;
    this.description = description;
  }

  /** As it is written. */
  String key() {
    return key;
  }

  ValueForm form() {
    return form;
  }

  Usage use() {
    return use;
  }

  String description() {
    return description;
  }
}
