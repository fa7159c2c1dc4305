package io.tidemark.rule.file;

import io.tidemark.yaml.Spelling;
import io.tidemark.yaml.YamlNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The settings of a rule: its defaults, and what a configuration chose instead. */
final class RuleSettingsReader {

  private final RuleFields in;
  private final Problems problems;
  private final Map<String, Object> values = new TreeMap<>();

  private RuleSettingsReader(RuleFields in, Problems problems) {
    this.in = in;
    this.problems = problems;
  }

  /** By their names in expressions. */
  static Map<String, Object> read(RuleFields in, String rule, List<SettingOverride> choices, Problems problems) {
    var settings = new RuleSettingsReader(in, problems);
    in.members(RuleKey.SETTINGS).forEach(settings::standard);
    choices.stream().filter(choice -> choice.rule().equals(rule)).forEach(settings::chosen);
    return Map.copyOf(settings.values);
  }

  private void standard(String name, YamlNode.Entry member) {
    if (!name.matches("[a-z][a-z0-9_-]{0,62}")) {
      in.wrong(member.keyPosition(), "settings." + name + ": small letters, digits and dashes, a letter first");
      return;
    }
    var value = value(member.value());
    if (value == null) {
      in.wrong(member.keyPosition(), "settings." + name
          + ": a number, a text, true or false, a duration, or a list of numbers or texts is due here");
    } else {
      values.put(variable(name), value);
    }
  }

  /** Null where it is no value of a setting. */
  private static @Nullable Object value(YamlNode yaml) {
    return switch (yaml) {
      case YamlNode.Scalar(var place, var text) when text != null -> SettingType.guess(text);
      case YamlNode.Sequence items when items.items().stream().allMatch(RuleSettingsReader::isText) ->
          SettingType
              .guess(items.items().stream().map(item -> String.valueOf(((YamlNode.Scalar) item).text())).toList());
      default -> null;
    };
  }

  private static boolean isText(YamlNode yaml) {
    return yaml instanceof YamlNode.Scalar leaf && leaf.text() != null;
  }

  private void chosen(SettingOverride choice) {
    var name = variable(choice.setting());
    var standard = values.get(name);
    if (standard == null) {
      var nearest =
          Spelling.nearest(choice.setting(), values.keySet().stream().map(RuleSettingsReader::written).toList());
      problems.add(choice.position(), path(choice) + ": the rule has no such setting" + (nearest == null
          ? "; its settings are "
              + String.join(", ", values.keySet().stream().map(RuleSettingsReader::written).toList())
          : "; did you mean " + nearest + "?"));
      return;
    }
    var value = value(SettingType.of(standard), choice);
    if (value == null) {
      problems.add(choice.position(), path(choice) + ": '" + String.join(", ", choice.values()) + "' stands where "
          + SettingType.of(standard).description() + " is due");
    } else {
      values.put(name, value);
    }
  }

  /** Null where it is none of that type, or would be another's once it is written with the rule. */
  private static @Nullable Object value(SettingType type, SettingOverride choice) {
    if (!type.isList()) {
      var text = choice.values().getFirst();
      var isOther = type == SettingType.TEXT && !(SettingType.guess(text) instanceof String);
      return choice.list() || isOther ? null : type.read(text);
    }
    var values = choice.values().stream().map(type::read).toList();
    var isOther = type == SettingType.TEXTS && !SettingType.guess(choice.values()).equals(choice.values());
    return isOther || values.contains(null) ? null : List.copyOf(values);
  }

  private static String path(SettingOverride choice) {
    return "set." + choice.rule() + "." + choice.setting();
  }

  private static String variable(String name) {
    return name.replace('-', '_');
  }

  private static String written(String variable) {
    return variable.replace('_', '-');
  }
}
