package io.tidemark.rule.file;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rules as someone wrote them.
 *
 * @param file what it is called in messages
 * @param text YAML
 * @param only names of those that are wanted; null: all
 */
public record RuleDocument(String file, String text, @Nullable Set<String> only) {

  /** All of the rules. */
  public RuleDocument(String file, String text) {
    this(file, text, null);
  }

  /** Some of the rules. */
  public RuleDocument only(Set<String> names) {
    return new RuleDocument(file, text, Set.copyOf(names));
  }

  boolean wants(String name) {
    return only == null || only.contains(name);
  }
}
