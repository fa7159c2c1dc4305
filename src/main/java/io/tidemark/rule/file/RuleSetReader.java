package io.tidemark.rule.file;

import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.yaml.FilePosition;
import io.tidemark.yaml.Misread;
import io.tidemark.yaml.Spelling;
import io.tidemark.yaml.YamlNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;

/** Reads texts of rules to one set, and holds it to its bounds. */
public final class RuleSetReader {

  /** Of one topic: minutes to be remembered of each resource, over all figures that rules name. */
  static final int MOST_MINUTES = 4 * 24 * 60;

  private static final int MOST_CHARACTERS = 500_000;

  private final Map<String, Schema> topics;
  private final List<SettingOverride> choices;
  private final boolean strict;
  private final Problems problems = new Problems();
  private final Map<String, Rule> rules = new LinkedHashMap<>();
  private final Map<String, FilePosition> named = new HashMap<>();
  private final Set<String> unwanted = new HashSet<>();
  private long version;

  /** @param strict whether rules are refused that can never hold */
  public RuleSetReader(Map<String, Schema> topics, List<SettingOverride> choices, boolean strict) {
    this.topics = topics;
    this.choices = choices;
    this.strict = strict;
  }

  public RuleSet read(List<RuleDocument> texts) {
    texts.forEach(this::text);
    choices.stream()
        .filter(choice -> !named.containsKey(choice.rule()) && !unwanted.contains(choice.rule()))
        .forEach(this::strayed);
    var set = new RuleSet(version, List.copyOf(rules.values()));
    bounded(set, texts);
    problems.raise();
    return set;
  }

  private void text(RuleDocument text) {
    try {
      if (text.text().length() > MOST_CHARACTERS) {
        problems.add(FilePosition.whole(text.file()), "at most " + MOST_CHARACTERS + " characters");
        return;
      }
      var document = YamlNode.parse(text.file(), text.text());
      var tree = document.mapping();
      if (tree == null || !tree.entries().containsKey("rules")) {
        problems.add(document.position(), "a list is due under the key rules: a file of rules begins with 'rules:'");
        return;
      }
      tree.entries().forEach((key, member) -> top(text, key, member));
    } catch (Misread e) {
      problems.add(e.position(), (e.path().isEmpty() ? "" : e.path() + ": ") + e.problem());
    }
  }

  private void top(RuleDocument text, String key, YamlNode.Entry member) {
    switch (key) {
      case "rules" -> rules(text, member.value());
      case "version" -> version = member.value() instanceof YamlNode.Scalar(var place, var number)
          && number != null && number.matches("\\d{1,15}") ? Long.parseLong(number) : 0;
      default -> problems.add(member.keyPosition(), key + ": unknown key; a file of rules has the one key rules");
    }
  }

  private void rules(RuleDocument text, YamlNode value) {
    switch (value) {
      case YamlNode.Sequence items -> items.items().forEach(item -> rule(text, item));
      case YamlNode.Scalar leaf when leaf.text() == null -> {}
      case YamlNode other ->
          problems.add(other.position(), "rules: a list is due here, each rule with a dash before its name");
    }
  }

  private void rule(RuleDocument text, YamlNode item) {
    var tree = item.mapping();
    if (tree == null) {
      problems.add(item.position(), "a rule is due here: { name: ..., on: ..., when: ..., annotations: ... }");
      return;
    }
    var fields = new RuleFields(text.text(), tree, problems);
    var name = tree.entries().containsKey(RuleKey.NAME.key()) ? fields.text(RuleKey.NAME) : null;
    if (name != null && !text.wants(name)) {
      unwanted.add(name);
      return;
    }
    var before = name == null ? null : named.putIfAbsent(name, fields.place(RuleKey.NAME));
    if (before != null) {
      fields.wrong(RuleKey.NAME, "another rule is named '" + name + "', at " + before);
    }
    var rule = new RuleReader(topics, problems, strict).read(fields, choices);
    if (rule != null) {
      rules.put(rule.name(), rule);
    }
  }

  private void strayed(SettingOverride choice) {
    var nearest = Spelling.nearest(choice.rule(), named.keySet());
    problems.add(choice.position(), "set." + choice.rule() + ": no rule is named so"
        + (nearest == null ? "" : "; did you mean " + nearest + "?"));
  }

  private void bounded(RuleSet set, List<RuleDocument> texts) {
    var file = FilePosition.whole(texts.isEmpty() ? "rules" : texts.getLast().file());
    if (set.rules().size() > RuleSet.MOST_RULES) {
      problems.add(file, "at most " + RuleSet.MOST_RULES + " rules together, not " + set.rules().size());
    }
    for (var topic : topics.keySet()) {
      var minutes = set.history(topic).values().stream().mapToLong(Duration::toMinutes).sum();
      if (minutes > MOST_MINUTES) {
        problems.add(file, "rules on " + topic + " ask for " + minutes + " minutes of history of each resource, over "
            + set.history(topic).keySet() + "; at most " + MOST_MINUTES + " are kept: shorten some");
      }
    }
  }
}
