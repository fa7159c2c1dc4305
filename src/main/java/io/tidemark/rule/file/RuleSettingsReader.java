package io.tidemark.rule.file;

import io.tidemark.event.DecimalMath;
import io.tidemark.event.DurationFormat;
import io.tidemark.event.NameSuggestion;
import io.tidemark.rule.file.RuleSetReader.SettingOverride;
import io.tidemark.yaml.YamlSection;
import io.tidemark.yaml.YamlValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the settings of one rule: the values in the rule are the defaults, and a configuration can override them. */
final class RuleSettingsReader {

  static final String NAME = "[a-z][a-z0-9_-]{0,62}";

  private final YamlSection in;
  private final RuleProblems problems;
  private final Map<String, Object> values = new TreeMap<>();

  RuleSettingsReader(YamlSection rule, RuleProblems problems) {
    this.in = rule.section(RuleKey.SETTINGS.key());
    this.problems = problems;
  }

  /**
   * Reads the settings of a rule and returns their values, by the names that the settings have in expressions after
   * {@code settings.}: with underscores for dashes.
   */
  Map<String, Object> read(String rule, List<SettingOverride> overrides) {
    Objects.requireNonNullElse(problems.attempt(in::keys), List.<String>of()).forEach(this::readDefault);
    overrides.stream().filter(each -> each.rule().equals(rule)).forEach(this::override);
    return Map.copyOf(values);
  }

  private void readDefault(String name) {
    if (!name.matches(NAME)) {
      problems.add(in.position(name), "settings." + name,
          "the name of a setting must consist of lower-case letters, digits and dashes, starting with a letter");
      return;
    }
    if (in.isSection(name)) {
      problems.add(in.position(name), "settings." + name,
          "expected a number, a text, true or false, a duration, or a list of numbers or texts");
      return;
    }
    var value = problems.attempt(() -> in.isList(name)
        ? SettingType.guess(in.list(name).stream().map(YamlValue::text).toList())
        : SettingType.guess(in.required(name).text()));
    if (value != null) {
      values.put(inExpressions(name), value);
    }
  }

  private void override(SettingOverride override) {
    var name = inExpressions(override.setting());
    var standard = values.get(name);
    if (standard == null) {
      var known = values.keySet().stream().map(each -> each.replace('_', '-')).toList();
      problems.add(override.position(), override.path(), "the rule has no such setting; "
          + NameSuggestion.suggestion(override.setting(), known, "its settings are " + String.join(", ", known)));
      return;
    }
    var type = SettingType.of(standard);
    var value = type.read(override);
    if (value == null) {
      problems.add(override.position(), override.path(),
          "'" + String.join(", ", override.values()) + "' is not " + type.description);
    } else {
      values.put(name, value);
    }
  }

  private static String inExpressions(String name) {
    return name.replace('-', '_');
  }

  /** The type of a setting, which is determined by the setting's default. */
  private enum SettingType {
    NUMBER("a number"),
    BOOLEAN("true or false"),
    DURATION(DurationFormat.OF_RULES.example()),
    TEXT("a text; numbers, durations, true and false are not texts"),
    NUMBERS("a list of numbers"),
    TEXTS("a list of texts; a list in which all items are numbers is a list of numbers");

    private final String description;

    SettingType(String description) {
      this.description = description;
    }

    static SettingType of(Object value) {
      return switch (value) {
        case Double number -> NUMBER;
        case Boolean flag -> BOOLEAN;
        case Duration duration -> DURATION;
        case List<?> list -> !list.isEmpty() && list.getFirst() instanceof Double ? NUMBERS : TEXTS;
        default -> TEXT;
      };
    }

    /** Returns the value that a text in a file represents: true or false, a number, a duration, or else the text. */
    static Object guess(String text) {
      for (var type : List.of(BOOLEAN, NUMBER, DURATION)) {
        var value = type.read(text);
        if (value != null) {
          return value;
        }
      }
      return text;
    }

    static List<Object> guess(List<String> texts) {
      var numbers = texts.stream().map(NUMBER::read).toList();
      return texts.isEmpty() || numbers.contains(null) ? List.copyOf(texts) : List.copyOf(numbers);
    }

    /**
     * Reads a value that overrides a setting of this type. Returns null if the value is of another type, or if it would
     * be of another type when the written rule is read again.
     */
    @Nullable
    Object read(SettingOverride override) {
      if (this == NUMBERS || this == TEXTS) {
        var values = override.values().stream().map(this::read).toList();
        var isOther = this == TEXTS && !guess(override.values()).equals(override.values());
        return isOther || values.contains(null) ? null : List.copyOf(values);
      }
      if (override.isList()) {
        return null;
      }
      var text = override.values().getFirst();
      return this == TEXT && !(guess(text) instanceof String) ? null : read(text);
    }

    private @Nullable Object read(String text) {
      return switch (this) {
        case NUMBER, NUMBERS -> text.matches("[-+]?[0-9._]+([eE][-+]?[0-9]+)?")
            ? DecimalMath.parse(text.replace("_", ""))
            : null;
        case BOOLEAN -> text.equals("true") || text.equals("false") ? (Object) text.equals("true") : null;
        case DURATION -> DurationFormat.OF_RULES.parse(text);
        case TEXT, TEXTS -> text;
      };
    }
  }
}
