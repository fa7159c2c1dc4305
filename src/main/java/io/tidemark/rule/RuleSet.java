package io.tidemark.rule;

import io.tidemark.rule.expression.AttributeHistory;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rules that are in force together, each with a unique name.
 *
 * @param version version of the set, which grows with every change of content; 0 if the set is not in force yet
 */
public record RuleSet(long version, List<Rule> rules) {

  public static final RuleSet EMPTY = new RuleSet(0, List.of());

  public RuleSet {
    rules = List.copyOf(rules);
  }

  /**
   * Returns the same rules with versions that follow those of another set: a rule whose content changed has the next
   * version. Returns the other set itself if nothing changed.
   */
  public RuleSet versionedAfter(RuleSet before) {
    var known = before.byName();
    var next = before.version + 1;
    var versioned = rules.stream().map(rule -> {
      var old = known.get(rule.name());
      return rule.withVersion(old != null && rule.hasSameContent(old) ? old.version() : next);
    }).toList();
    return versioned.equals(before.rules) ? before : new RuleSet(next, versioned);
  }

  /** Returns these rules and those of another set. Of two rules with the same name, the other set's is returned. */
  public RuleSet with(RuleSet other) {
    var together = new LinkedHashMap<String, Rule>();
    Stream.concat(rules.stream(), other.rules.stream()).forEach(rule -> together.put(rule.name(), rule));
    return new RuleSet(version, List.copyOf(together.values()));
  }

  /** Returns these rules except those with the given names. */
  public RuleSet without(Collection<String> names) {
    return new RuleSet(version, rules.stream().filter(rule -> !names.contains(rule.name())).toList());
  }

  /** Returns the rule with a name, or null if there is none. */
  public @Nullable Rule find(String name) {
    return rules.stream().filter(rule -> rule.name().equals(name)).findFirst().orElse(null);
  }

  /** Returns whether this set contains each of the given rules with the same content. */
  public boolean containsAll(RuleSet some) {
    var known = byName();
    return some.rules.stream().allMatch(rule -> rule.hasSameContent(known.get(rule.name())));
  }

  /** Returns the rules on a topic, by its name without prefix. */
  public List<Rule> on(String topic) {
    return rules.stream().filter(rule -> rule.on().equals(topic)).toList();
  }

  /** Returns the figures of a topic's records whose history the rules need, each with the longest window. */
  public SortedMap<String, Duration> history(String topic) {
    return AttributeHistory.longest(on(topic).stream().map(Rule::history));
  }

  private Map<String, Rule> byName() {
    return rules.stream().collect(Collectors.toMap(Rule::name, Function.identity()));
  }
}
