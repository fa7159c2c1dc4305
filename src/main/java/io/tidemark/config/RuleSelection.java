package io.tidemark.config;

import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.SettingOverride;
import io.tidemark.rule.file.ShippedRules;
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
 * @param documents of the files named
 * @param overrides settings of rules
 */
public record RuleSelection(Set<String> shipped, List<RuleDocument> documents, List<SettingOverride> overrides) {

  public RuleSelection {
    shipped = Set.copyOf(shipped);
    documents = List.copyOf(documents);
    overrides = List.copyOf(overrides);
  }

  static RuleSelection read(Section in) {
    in.only("shipped", "set", "files");
    var texts = in.list("files").stream()
        .map(value -> new RuleDocument(in.file(value).toString(), in.text(value)))
        .toList();
    var choices = new ArrayList<SettingOverride>();
    in.named("set")
        .forEach((rule, settings) -> settings.keys().forEach(key -> choices.add(choice(rule, settings, key))));
    return new RuleSelection(shipped(in), texts, choices);
  }

  /**
   * All of them, compiled: takes a second.
   *
   * @param topics that rules may be on
   * @throws io.tidemark.rule.file.RuleException with all that is wrong
   */
  public RuleSet compile(Map<String, Schema> topics) {
    var all = new ArrayList<RuleDocument>();
    all.add(ShippedRules.text().only(shipped));
    all.addAll(documents);
    return RuleSet.read(all, topics, overrides);
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

  private static SettingOverride choice(String rule, Section settings, String key) {
    var isList = settings.isList(key);
    var values = isList ? settings.list(key) : List.of(settings.required(key));
    return new SettingOverride(rule, key, values.stream().map(Value::text).toList(), isList, settings.place(key));
  }
}
