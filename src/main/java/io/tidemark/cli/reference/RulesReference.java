package io.tidemark.cli.reference;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;

import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.rule.file.ShippedRules;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collector;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/** The parts of the page on rules that follow from the program: the shipped rules, and the names of each topic. */
public final class RulesReference {

  private static final SequencedMap<String, Schema> TOPICS = new Topics("tidemark.", Retention.DEFAULT).ruleSchemas();

  private static final Set<String> OF_ALL = Set.of("origin", "appeared", "visibility", "removed", "extra");

  private RulesReference() {}

  /** What stands behind the page's own words. */
  public static Stream<String> page() {
    var head = Stream.of("", "## What there is", "",
        "Topics that rules can be on, and the names of each. `tidemark rules vocabulary pool.changes` prints them, too."
            + " A record of changes comes when a look finds something new; of aggregates at most once a minute, when"
            + " something of them is another; a candle once, when its window is over ([more](aggregates.md)). Of changes"
            + " there are also `before.<facet>.x`, `changed.<facet>` and `<facet>.before_observed_at`.",
        "");
    return Stream.of(Stream.of(""), shipped(), head, vocabulary()).flatMap(part -> part);
  }

  private static Stream<String> shipped() {
    var rules = RuleSet.read(List.of(ShippedRules.text()), TOPICS, List.of()).rules();
    return Stream.concat(
        Stream.of("| rule | on | kind | settings and their defaults | what it says |",
            "| --- | --- | --- | --- | --- |"),
        rules.stream().map(rule -> MarkdownTable.row(
            "`" + rule.name() + "`", "`" + rule.on() + "`", rule.severity() + " " + rule.kind(), settings(rule),
            "`" + String.valueOf(rule.annotations().get("summary")).replace("|", "\\|") + "`")));
  }

  private static Stream<String> vocabulary() {
    var all = Stream.of("### every topic of changes", "");
    var common = names(Objects.requireNonNull(TOPICS.get("pool.changes")), name -> OF_ALL.contains(beginning(name)));
    return Stream.of(all, common, TOPICS.entrySet().stream().flatMap(topic -> Stream.concat(
        heading(topic.getKey(), topic.getValue()), names(topic.getValue(), name -> isOwn(topic.getKey(), name)))))
        .flatMap(part -> part);
  }

  private static Stream<String> heading(String topic, Schema schema) {
    var what = MarkdownTable.text(schema.getDoc());
    return Stream.of("### " + topic, "", what + " Key: " + TopicKeys.of(topic) + ".", "");
  }

  private static boolean isOwn(String topic, String name) {
    return !topic.endsWith(".changes") || !OF_ALL.contains(beginning(name));
  }

  /** The names of a topic, grouped by what they begin with; the values before, and what changed, follow from them. */
  private static Stream<String> names(Schema schema, Predicate<String> wanted) {
    var types = new TreeMap<>(Vocabulary.of(schema).types());
    types.keySet().removeIf(name -> beginning(name).equals("before") || beginning(name).equals("changed")
        || name.endsWith(".before_observed_at") || !wanted.test(name));
    var groups = types.entrySet().stream()
        .collect(groupingBy(entry -> beginning(entry.getKey()), TreeMap::new, joiningNames()));
    return Stream.concat(
        groups.entrySet().stream()
            .map(group -> "- " + (group.getKey().isEmpty() ? "" : "**" + group.getKey() + "**: ") + group.getValue()),
        Stream.of(""));
  }

  private static Collector<Map.Entry<String, String>, ?, String> joiningNames() {
    return mapping(
        entry -> "`" + entry.getKey() + "` " + entry.getValue(), joining(", "));
  }

  private static String beginning(String name) {
    var dot = name.indexOf('.');
    return dot < 0 ? "" : name.substring(0, dot);
  }

  private static String settings(Rule rule) {
    return new TreeMap<>(rule.writtenSettings()).entrySet().stream()
        .map(setting -> "`" + setting.getKey().replace('_', '-') + ": " + setting.getValue() + "`")
        .collect(joining(", "));
  }
}
