package io.tidemark.cli.reference;

import io.tidemark.topic.CleanupPolicy;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;

/** Everything that the topics of a source hold, as Markdown: read off the schemas. */
public record SchemaReference(Topics topics) {

  private static final String INTRODUCTION = """
      # Reference

      Topics, resources, facets and attributes, as the schemas of this version have them. `tidemark schemas reference`
      prints this page.

      A type with `?` may be null. Attributes bear the names of the interface document; a decimal that is sent as a
      string stays that string. *In the interface* is the place in the JSON of the resource. A change has each facet as
      `{ before, after, before_observed_at }`, null where it did not change; a state has the newest facets in `known`.

      *Worth an event* is the default; `events` and `emit` of the configuration say otherwise.
      """;

  public Stream<String> lines() {
    return Stream.of(
        INTRODUCTION.lines(),
        topicTable(),
        topics.resources().stream().flatMap(SchemaReference::resource),
        Stream.of("", "# Records"),
        shared())
        .flatMap(lines -> lines)
        .flatMap(line -> line.startsWith("|") ? Stream.of(line) : MarkdownTable.wrapped(line, ""));
  }

  private Stream<String> topicTable() {
    var head =
        Stream.of("", "# Topics", "", "Names as with the prefix `" + topics.prefix() + "`. Keys are plain strings.",
            "", "| topic | key | cleanup | value | what |", "| --- | --- | --- | --- | --- |");
    return Stream.concat(head, Stream.concat(topics.all().stream(), Stream.of(Topics.SOURCES)).map(this::row));
  }

  private String row(Topic<?> topic) {
    var schema = SpecificData.get().getSchema(topic.value());
    var key = TopicKeys.of(topic.name().startsWith(topics.prefix())
        ? topic.name().substring(topics.prefix().length())
        : topic.name());
    return MarkdownTable.row("`" + topic.name() + "`", key, cleanup(topic.cleanup()), "`" + schema.getName() + "`",
        MarkdownTable.text(schema.getDoc()));
  }

  private static String cleanup(CleanupPolicy cleanup) {
    return switch (cleanup) {
      case CleanupPolicy.Compact compact -> "compact";
      case CleanupPolicy.CompactAndDelete both -> "compact, delete after " + both.retention().toDays() + " d";
      case CleanupPolicy.Delete delete -> "delete after " + delete.retention().toDays() + " d";
    };
  }

  private static Stream<String> resource(ResourceTopics<?, ?> topics) {
    return new ResourceReference(topics).lines();
  }

  /** Records that are no resource's own. */
  private Stream<String> shared() {
    var change = SpecificData.get().getSchema(topics.pool().changes().value());
    var common =
        Stream.of("origin", "appeared", "visibility", "removed").map(change::getField).flatMap(MarkdownTable::records);
    var types = topics.resources().stream().map(ResourceReference::new).flatMap(ResourceReference::types);
    var found = new TreeMap<String, Schema>();
    Stream.of(common, types, others().flatMap(MarkdownTable::records)).flatMap(records -> records)
        .forEach(record -> found.putIfAbsent(record.getName(), record));
    return found.values().stream().flatMap(MarkdownTable::record);
  }

  /** Values of the topics that are no resource's. */
  private Stream<Schema> others() {
    var ofResources = topics.resources().stream().flatMap(each -> Stream.of(each.changes(), each.state())).toList();
    return Stream.concat(topics.all().stream(), Stream.of(Topics.SOURCES))
        .filter(topic -> !ofResources.contains(topic))
        .map(topic -> SpecificData.get().getSchema(topic.value()));
  }
}
