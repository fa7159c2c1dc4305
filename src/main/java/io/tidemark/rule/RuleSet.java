package io.tidemark.rule;

import io.tidemark.rule.expression.AttributeHistory;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rules and mutes that are in force together, each with a unique name.
 *
 * @param version version of the set, which grows when a rule is added, removed or moved, its content changes, or mutes
 *     change; 0 if the set has not been in force yet
 */
public record RuleSet(long version, List<Rule> rules, List<Mute> mutes) {

  public static final RuleSet EMPTY = new RuleSet(0, List.of(), List.of());

  public RuleSet {
    rules = List.copyOf(rules);
    mutes = List.copyOf(mutes);
  }

  /**
   * Returns these rules with versions based on the set {@code before}. A rule with the same content as in {@code
   * before} keeps its version, and any other rule gets the next version of the set. Returns {@code before} itself if
   * neither the rules, nor their order, nor the mutes changed.
   */
  public RuleSet versionedAfter(RuleSet before) {
    var next = before.version + 1;
    var versioned = rules.stream().map(rule -> {
      var old = before.find(rule.name());
      return rule.withVersion(old != null && old.withVersion(rule.version()).equals(rule) ? old.version() : next);
    }).toList();
    return versioned.equals(before.rules) && mutes.equals(before.mutes) ? before : new RuleSet(next, versioned, mutes);
  }

  /**
   * Returns the rules of both sets, with the version of this set. If both sets have a rule or a mute with the same
   * name, that of {@code other} is used.
   */
  public RuleSet with(RuleSet other) {
    var together = new LinkedHashMap<String, Rule>();
    Stream.concat(rules.stream(), other.rules.stream()).forEach(rule -> together.put(rule.name(), rule));
    var muted = new LinkedHashMap<String, Mute>();
    Stream.concat(mutes.stream(), other.mutes.stream()).forEach(mute -> muted.put(mute.name(), mute));
    return new RuleSet(version, List.copyOf(together.values()), List.copyOf(muted.values()));
  }

  /** Returns these rules except those with the given names, with the version of this set. */
  public RuleSet without(Collection<String> names) {
    return new RuleSet(version, rules.stream().filter(rule -> !names.contains(rule.name())).toList(), mutes);
  }

  public @Nullable Rule find(String name) {
    return rules.stream().filter(rule -> rule.name().equals(name)).findFirst().orElse(null);
  }

  /** Returns the rules without their versions, and the mutes. */
  public Set<Object> contents() {
    return Stream.concat(rules.stream().map(rule -> rule.withVersion(0)), mutes.stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  public List<String> names() {
    return rules.stream().map(Rule::name).toList();
  }

  /** Returns the rules on a topic, which is named without prefix. */
  public List<Rule> on(String topic) {
    return rules.stream().filter(rule -> rule.on().equals(topic)).toList();
  }

  /**
   * Returns the numeric attributes whose history the rules on a topic need, each with the longest window over which a
   * rule reads the attribute.
   */
  public SortedMap<String, Duration> history(String topic) {
    return AttributeHistory.longest(on(topic).stream().map(Rule::history));
  }
}
