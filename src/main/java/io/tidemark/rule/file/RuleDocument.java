package io.tidemark.rule.file;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rules in YAML, as someone wrote them.
 *
 * @param name name of the document in messages, such as its file
 * @param only names of the rules to read; null for all
 */
public record RuleDocument(String name, String text, @Nullable Set<String> only) {

  public RuleDocument(String name, String text) {
    this(name, text, null);
  }

  /** Returns the same document with only some of its rules. */
  public RuleDocument only(Set<String> names) {
    return new RuleDocument(name, text, Set.copyOf(names));
  }

  boolean includes(String rule) {
    return only == null || only.contains(rule);
  }
}
