package io.tidemark.cli.settings;

import io.tidemark.rule.Choice;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.RuleText;
import io.tidemark.rule.ShippedRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/**
 * The rules of a configuration.
 *
 * @param shipped names of those that come with the program
 * @param texts of the files named
 * @param choices settings of rules
 */
public record RuleSettings(Set<String> shipped, List<RuleText> texts, List<Choice> choices) {

  public RuleSettings {
    shipped = Set.copyOf(shipped);
    texts = List.copyOf(texts);
    choices = List.copyOf(choices);
  }

  static RuleSettings read(Section in) {
    in.only("shipped", "set", "files");
    var texts = in.list("files").stream()
        .map(value -> new RuleText(in.file(value).toString(), in.text(value)))
        .toList();
    var choices = new ArrayList<Choice>();
    in.named("set")
        .forEach((rule, settings) -> settings.keys().forEach(key -> choices.add(choice(rule, settings, key))));
    return new RuleSettings(shipped(in), texts, choices);
  }

  /**
   * All of them, compiled: takes a second.
   *
   * @param topics that rules may be on
   * @throws io.tidemark.rule.RuleException with all that is wrong
   */
  public RuleSet compiled(Map<String, Schema> topics) {
    var all = new ArrayList<RuleText>();
    all.add(ShippedRules.text().only(shipped));
    all.addAll(texts);
    return RuleSet.read(all, topics, choices);
  }

  private static Set<String> shipped(Section in) {
    var names = ShippedRules.names();
    if (in.isList("shipped")) {
      return in.list("shipped").stream()
          .map(value -> named(value, names))
          .collect(Collectors.toSet());
    }
    var value = in.get("shipped", "all");
    return switch (value.text()) {
      case "all" -> Set.copyOf(names);
      case "none" -> Set.of();
      default -> throw value.wrongWord(List.of("all", "none", "a list of names"));
    };
  }

  private static String named(Value value, List<String> names) {
    if (!names.contains(value.text())) {
      throw value.wrongWord(names);
    }
    return value.text();
  }

  private static Choice choice(String rule, Section settings, String key) {
    var isList = settings.isList(key);
    var values = isList ? settings.list(key) : List.of(settings.required(key));
    return new Choice(rule, key, values.stream().map(Value::text).toList(), isList, settings.place(key));
  }
}
