package io.tidemark.rule;

import io.tidemark.rule.expression.History;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleException;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.rule.file.SettingOverride;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/**
 * The rules in force together, by names that are each rule's own.
 *
 * @param version grows with every change of content; 0 where it was never in force
 */
public record RuleSet(long version, List<Rule> rules) {

  public static final int MOST_RULES = 500;

  public static final RuleSet EMPTY = new RuleSet(0, List.of());

  public RuleSet {
    rules = List.copyOf(rules);
  }

  /**
   * Reads rules as they are written.
   *
   * @param topics that rules may be on: their names without prefix, and what is in them
   * @param choices settings that are set elsewhere; each names a rule that is here
   * @throws RuleException with all that is wrong
   */
  public static RuleSet read(List<RuleDocument> texts, Map<String, Schema> topics, List<SettingOverride> choices) {
    return new RuleSetReader(topics, choices, true).read(texts);
  }

  /**
   * Reads rules that were accepted once, maybe by an earlier version: what is checked more closely since then is no
   * reason to switch them off.
   *
   * @throws RuleException where they cannot be used
   */
  public static RuleSet accepted(RuleDocument text, Map<String, Schema> topics) {
    return new RuleSetReader(topics, List.of(), false).read(List.of(text));
  }

  /**
   * Reads what {@link #yaml} wrote.
   *
   * @throws RuleException where it cannot be used, such as by an older version of this program
   */
  public static RuleSet parse(String text, Map<String, Schema> topics) {
    return accepted(new RuleDocument("rules in force", text), topics);
  }

  /** All of it as one text, settings resolved: what goes through {@code control}. */
  public String yaml() {
    return RuleFormat.of(this);
  }

  /** The same rules, as those that follow upon others: with versions that grew where content did. */
  public RuleSet versionedAfter(RuleSet before) {
    var known = before.rules.stream().collect(Collectors.toMap(Rule::name, Function.identity()));
    var next = before.version + 1;
    var versioned = rules.stream().map(rule -> {
      var old = known.get(rule.name());
      return rule
          .version(old != null && RuleFormat.content(old).equals(RuleFormat.content(rule)) ? old.version() : next);
    }).toList();
    var following = new RuleSet(next, versioned);
    return RuleFormat.rules(following).equals(RuleFormat.rules(before)) ? before : following;
  }

  /** These rules, but those of another set where both have one of a name. */
  public RuleSet with(RuleSet other) {
    var together = new LinkedHashMap<String, Rule>();
    rules.forEach(rule -> together.put(rule.name(), rule));
    other.rules.forEach(rule -> together.put(rule.name(), rule));
    return new RuleSet(version, new ArrayList<>(together.values()));
  }

  /** Those with one of these names. */
  public RuleSet only(Set<String> names) {
    return new RuleSet(version, rules.stream().filter(rule -> names.contains(rule.name())).toList());
  }

  /** Whether all of these rules are among its own, with the same content. */
  public boolean containsAll(RuleSet some) {
    var contents = rules.stream().map(RuleFormat::content).collect(Collectors.toSet());
    return some.rules.stream().map(RuleFormat::content).allMatch(contents::contains);
  }

  /** Those on a topic, by its name without prefix. */
  public List<Rule> on(String topic) {
    return rules.stream().filter(rule -> rule.on().equals(topic)).toList();
  }

  /** Figures that must be remembered of the records of a topic, each with the longest stretch asked of it. */
  public SortedMap<String, Duration> history(String topic) {
    return History.together(on(topic).stream().map(Rule::history));
  }
}
