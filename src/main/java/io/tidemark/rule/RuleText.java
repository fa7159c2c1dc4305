package io.tidemark.rule;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rules as someone wrote them.
 *
 * @param file what it is called in messages
 * @param text YAML
 * @param only names of those that are wanted; null: all
 */
public record RuleText(String file, String text, @Nullable Set<String> only) {

  /** All of the rules. */
  public RuleText(String file, String text) {
    this(file, text, null);
  }

  /** Some of the rules. */
  public RuleText only(Set<String> names) {
    return new RuleText(file, text, Set.copyOf(names));
  }

  boolean wants(String name) {
    return only == null || only.contains(name);
  }
}
