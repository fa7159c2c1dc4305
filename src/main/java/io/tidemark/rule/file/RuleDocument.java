package io.tidemark.rule.file;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A document of rules in YAML.
 *
 * @param name name of the document in messages, such as the name of its file
 * @param only names of the rules to read; null to read all rules
 */
public record RuleDocument(String name, String text, @Nullable Set<String> only) {

  public RuleDocument(String name, String text) {
    this(name, text, null);
  }

  public RuleDocument only(Set<String> names) {
    return new RuleDocument(name, text, Set.copyOf(names));
  }

  boolean includes(String rule) {
    return only == null || only.contains(rule);
  }
}
