package io.tidemark.rule;

import io.tidemark.yaml.Yaml;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The settings of a rule: its defaults, and what a configuration chose instead. */
final class RuleSettings {

  private final RuleFields in;
  private final Problems problems;
  private final Map<String, Object> values = new TreeMap<>();

  private RuleSettings(RuleFields in, Problems problems) {
    this.in = in;
    this.problems = problems;
  }

  /** By their names in expressions. */
  static Map<String, Object> read(RuleFields in, String rule, List<Choice> choices, Problems problems) {
    var settings = new RuleSettings(in, problems);
    in.members(RuleKey.SETTINGS).forEach(settings::standard);
    choices.stream().filter(choice -> choice.rule().equals(rule)).forEach(settings::chosen);
    return Map.copyOf(settings.values);
  }

  private void standard(String name, Yaml.Member member) {
    if (!name.matches("[a-z][a-z0-9_-]{0,62}")) {
      in.wrong(member.key(), "settings." + name + ": small letters, digits and dashes, a letter first");
      return;
    }
    var value = value(member.value());
    if (value == null) {
      in.wrong(member.key(), "settings." + name
          + ": a number, a text, true or false, a duration, or a list of numbers or texts is due here");
    } else {
      values.put(variable(name), value);
    }
  }

  /** Null where it is no value of a setting. */
  private static @Nullable Object value(Yaml yaml) {
    return switch (yaml) {
      case Yaml.Leaf(var place, var text) when text != null -> SettingType.guess(text);
      case Yaml.Items items when items.items().stream().allMatch(RuleSettings::isText) ->
          SettingType.guess(items.items().stream().map(item -> String.valueOf(((Yaml.Leaf) item).text())).toList());
      default -> null;
    };
  }

  private static boolean isText(Yaml yaml) {
    return yaml instanceof Yaml.Leaf leaf && leaf.text() != null;
  }

  private void chosen(Choice choice) {
    var name = variable(choice.setting());
    var standard = values.get(name);
    if (standard == null) {
      var nearest = Spelling.nearest(choice.setting(), values.keySet().stream().map(RuleSettings::written).toList());
      problems.add(choice.place(), path(choice) + ": the rule has no such setting" + (nearest == null
          ? "; its settings are " + String.join(", ", values.keySet().stream().map(RuleSettings::written).toList())
          : "; did you mean " + nearest + "?"));
      return;
    }
    var value = value(SettingType.of(standard), choice);
    if (value == null) {
      problems.add(choice.place(), path(choice) + ": '" + String.join(", ", choice.values()) + "' stands where "
          + SettingType.of(standard).description() + " is due");
    } else {
      values.put(name, value);
    }
  }

  /** Null where it is none of that type, or would be another's once it is written with the rule. */
  private static @Nullable Object value(SettingType type, Choice choice) {
    if (!type.isList()) {
      var text = choice.values().getFirst();
      var isOther = type == SettingType.TEXT && !(SettingType.guess(text) instanceof String);
      return choice.list() || isOther ? null : type.read(text);
    }
    var values = choice.values().stream().map(type::read).toList();
    var isOther = type == SettingType.TEXTS && !SettingType.guess(choice.values()).equals(choice.values());
    return isOther || values.contains(null) ? null : List.copyOf(values);
  }

  private static String path(Choice choice) {
    return "set." + choice.rule() + "." + choice.setting();
  }

  private static String variable(String name) {
    return name.replace('-', '_');
  }

  private static String written(String variable) {
    return variable.replace('_', '-');
  }
}
