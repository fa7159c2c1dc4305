package io.tidemark.cli.reference;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.rule.Rule;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.rule.file.ShippedRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/** The generated page on rules: the shipped rules, and the names that expressions can use on each topic. */
final class RulesReference {

  private static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);
  private static final SequencedMap<String, Schema> SCHEMAS = TOPICS.ruleSchemas();

  private static final Set<String> OF_ALL = Set.of("origin", "appeared", "visibility", "removed", "extra");

  private static final String INTRODUCTION = """
      # Rules: shipped rules and vocabulary

      [Rules](rules.md) explains how to write a rule.

      ## The shipped rules

      The shipped rules are in force unless `rules.shipped` in the configuration names fewer. Percentages are percent
      (15 is 15 %), points are percentage points.
      """;

  private static final String VOCABULARY = """

      ## Vocabulary

      The topics that a rule can be on, and the names that its expressions can use. The names of one topic are also
      printed by `tidemark rules vocabulary pool.changes`. Each topic of changes has in addition `before.<facet>.x`,
      `changed.<facet>` and `<facet>.before_observed_at`. Each other topic has in addition `before.x`, the value of `x`
      in the record before of the same key.

      A change comes when a snapshot differs from what is known. An aggregate comes at most once a minute, when one of
      its figures changed. A candle comes once, after the end of its window ([aggregates](aggregates.md)).
      """;

  private RulesReference() {}

  /** The whole page, line by line. */
  static Stream<String> page() {
    return Stream.of(INTRODUCTION.lines(), Stream.of(""), shipped(), VOCABULARY.lines(), vocabulary())
        .flatMap(part -> part);
  }

  private static Stream<String> shipped() {
    var rules = RuleSetReader.read(List.of(ShippedRules.document()), SCHEMAS, List.of()).rules();
    return Stream.concat(
        Stream.of("| rule | on | kind | settings and their defaults | what it says |",
            "| --- | --- | --- | --- | --- |"),
        rules.stream().map(rule -> MarkdownTable.row(
            "`" + rule.name() + "`", "`" + rule.on() + "`", rule.severity() + " " + rule.kind().text(), settings(rule),
            "`" + String.valueOf(rule.annotations().get("summary")).replace("|", "\\|") + "`")));
  }

  private static Stream<String> vocabulary() {
    var all = Stream.of("", "### Every topic of changes", "");
    var common = names(Objects.requireNonNull(SCHEMAS.get("pool.changes")), name -> OF_ALL.contains(firstName(name)));
    var sections =
        SCHEMAS.keySet().stream().collect(groupingBy(RulesReference::contents, LinkedHashMap::new, toList()));
    return Stream.of(all, common, sections.values().stream().flatMap(RulesReference::section)).flatMap(part -> part);
  }

  /** Topics of one record and one key have the same names. */
  private static String contents(String topic) {
    return Objects.requireNonNull(SCHEMAS.get(topic)).getFullName() + TOPICS.byShortName(topic).key();
  }

  private static Stream<String> section(List<String> topics) {
    var topic = topics.getFirst();
    var schema = Objects.requireNonNull(SCHEMAS.get(topic));
    var what = MarkdownTable.text(schema.getDoc()) + " Key: " + TOPICS.byShortName(topic).key() + ".";
    var heading = Stream.of(Stream.of("", "### " + String.join(", ", topics), ""), MarkdownTable.wrapped(what, ""),
        Stream.of(""));
    return Stream.concat(heading.flatMap(lines -> lines), names(schema, name -> isOwn(topic, name)));
  }

  private static boolean isOwn(String topic, String name) {
    return !topic.endsWith(".changes") || !OF_ALL.contains(firstName(name));
  }

  /** The names of a topic, grouped by their first part; {@code before.x} and {@code changed.x} follow from them. */
  private static Stream<String> names(Schema schema, Predicate<String> wanted) {
    var types = new TreeMap<>(Vocabulary.of(schema).types());
    types.keySet().removeIf(name -> firstName(name).equals("before") || firstName(name).equals("changed")
        || name.endsWith(".before_observed_at") || !wanted.test(name));
    var groups = types.entrySet().stream()
        .collect(groupingBy(
            entry -> firstName(entry.getKey()),
            TreeMap::new,
            mapping(entry -> "`" + entry.getKey() + "` " + entry.getValue(), joining(", "))));
    return groups.entrySet().stream()
        .map(group -> "- " + (group.getKey().isEmpty() ? "" : "**" + group.getKey() + "**: ") + group.getValue())
        .flatMap(line -> MarkdownTable.wrapped(line, "  "));
  }

  private static String firstName(String name) {
    var dot = name.indexOf('.');
    return dot < 0 ? "" : name.substring(0, dot);
  }

  private static String settings(Rule rule) {
    return RuleFormat.settings(rule).entrySet().stream()
        .map(setting -> "`" + setting.getKey().replace('_', '-') + ": " + setting.getValue() + "`")
        .collect(joining(", "));
  }
}
