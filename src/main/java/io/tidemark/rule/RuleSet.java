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
 * Rules that are in force together; each has a name of its own.
 *
 * @param version grows with every change of content; 0: not in force yet
 */
public record RuleSet(long version, List<Rule> rules) {

  public static final RuleSet EMPTY = new RuleSet(0, List.of());

  public RuleSet {
    rules = List.copyOf(rules);
  }

  /**
   * The same rules with the versions that follow on those of another set: the next one for each rule whose content
   * changed. The other set itself where nothing changed.
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

  /** These rules and those of another set; of two with the same name, the other's. */
  public RuleSet with(RuleSet other) {
    var together = new LinkedHashMap<String, Rule>();
    Stream.concat(rules.stream(), other.rules.stream()).forEach(rule -> together.put(rule.name(), rule));
    return new RuleSet(version, List.copyOf(together.values()));
  }

  /** These rules except for some. */
  public RuleSet without(Collection<String> names) {
    return new RuleSet(version, rules.stream().filter(rule -> !names.contains(rule.name())).toList());
  }

  /** The rule of a name; null where there is none. */
  public @Nullable Rule find(String name) {
    return rules.stream().filter(rule -> rule.name().equals(name)).findFirst().orElse(null);
  }

  /** Whether each of some rules is here with the same content. */
  public boolean containsAll(RuleSet some) {
    var known = byName();
    return some.rules.stream().allMatch(rule -> rule.hasSameContent(known.get(rule.name())));
  }

  /** The rules on a topic, by its name without prefix. */
  public List<Rule> on(String topic) {
    return rules.stream().filter(rule -> rule.on().equals(topic)).toList();
  }

  /** The figures of a topic's records whose history the rules need, each with the longest window. */
  public SortedMap<String, Duration> history(String topic) {
    return AttributeHistory.longest(on(topic).stream().map(Rule::history));
  }

  private Map<String, Rule> byName() {
    return rules.stream().collect(Collectors.toMap(Rule::name, Function.identity()));
  }
}
