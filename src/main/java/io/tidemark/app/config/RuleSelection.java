package io.tidemark.app.config;

import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.rule.file.RuleSetReader.SettingOverride;
import io.tidemark.rule.file.ShippedRules;
import io.tidemark.yaml.YamlSection;
import io.tidemark.yaml.YamlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/**
 * The rules of a configuration.
 *
 * @param shipped names of the selected shipped rules
 * @param documents the rule files that the configuration names
 * @param overrides values that replace the default values of the rules' settings
 */
public record RuleSelection(Set<String> shipped, List<RuleDocument> documents, List<SettingOverride> overrides) {

  static RuleSelection read(YamlSection in) {
    in.only("shipped", "set", "files");
    var documents = in.list("files").stream()
        .map(value -> new RuleDocument(in.file(value).toString(), in.fileText(value)))
        .toList();
    var overrides = new ArrayList<SettingOverride>();
    in.named("set")
        .forEach((rule, settings) -> settings.keys().forEach(key -> overrides.add(override(rule, settings, key))));
    return new RuleSelection(shipped(in), documents, overrides);
  }

  /**
   * Compiles all rules, which takes about a second.
   *
   * @param topics schemas of the topics that rules may read, by the name of the topic without prefix
   * @throws io.tidemark.rule.file.RuleException if a rule is invalid; the exception contains every problem
   */
  public RuleSet compile(Map<String, Schema> topics) {
    var all = new ArrayList<RuleDocument>();
    all.add(ShippedRules.document().only(shipped));
    all.addAll(documents);
    return RuleSetReader.read(all, topics, overrides);
  }

  private static Set<String> shipped(YamlSection in) {
    var names = ShippedRules.names();
    if (in.isList("shipped")) {
      return in.list("shipped").stream().map(value -> value.oneOf(names)).collect(Collectors.toSet());
    }
    var value = in.get("shipped", "all");
    return switch (value.text()) {
      case "all" -> Set.copyOf(names);
      case "none" -> Set.of();
      default -> throw value.invalid("expected all, none or a list of names, not '" + value.written() + "'");
    };
  }

  private static SettingOverride override(String rule, YamlSection settings, String key) {
    var isList = settings.isList(key);
    var values = isList ? settings.list(key) : List.of(settings.required(key));
    return new SettingOverride(rule, key, values.stream().map(YamlValue::text).toList(), isList,
        settings.position(key));
  }
}
