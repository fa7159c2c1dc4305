package io.tidemark.cli.reference;

import static io.tidemark.cli.reference.MarkdownTable.row;
import static io.tidemark.cli.reference.MarkdownTable.text;
import static io.tidemark.cli.reference.MarkdownTable.type;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.FacetView;
import io.tidemark.http.wire.JsonPaths;
import io.tidemark.kafka.CleanupPolicy;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.jspecify.annotations.Nullable;

/** Generates the reference of topics, resources, facets and attributes as Markdown, from the schemas. */
record SchemaReference(Topics topics) {

  private static final String INTRODUCTION =
      """
          # Reference

          Topics, resources, facets and attributes, as the schemas of this version have them.

          A type with `?` may be null. Attributes bear the names of the interface document; a decimal that is sent as a
          string stays that string. *In the interface* is the place in the JSON of the resource. A change has each facet as
          `{ before, after, before_observed_at }`, null where it did not change; a state has the newest facets in `known`.

          Each figure has a unit, and the time that it is of. Percentages are percent, never fractions: 5 is 5 %. The service
          counts windows back from the time of its answer, so they roll. `timestamp-millis` is milliseconds since 1970, UTC.

          *Worth an event* is the default; `events` and `emit` of the configuration say otherwise.
          """;

  private static final Set<String> ON_CHAIN = Set.of("pool", "token");

  /** A ranking is the order of an answer; none of its attributes is in the answer itself. */
  private static final String RANKING = "ranking";

  private static final Set<String> NOT_DERIVED = Set.of("before", "after", "before_observed_at");

  Stream<String> lines() {
    return Stream.of(
        INTRODUCTION.lines(),
        topicTable(),
        topics.resources().stream().flatMap(SchemaReference::resource),
        Stream.of("", "# Records"),
        records())
        .flatMap(lines -> lines)
        .flatMap(line -> line.startsWith("|") ? Stream.of(line) : MarkdownTable.wrapped(line, ""));
  }

  private Stream<String> topicTable() {
    var head =
        Stream.of("", "# Topics", "", "Names as with the prefix `" + topics.prefix() + "`. Keys are plain strings.",
            "", "| topic | key | cleanup | value | what |", "| --- | --- | --- | --- | --- |");
    return Stream.concat(head, allTopics().map(topic -> row("`" + topic.name() + "`", topic.key(),
        cleanup(topic.cleanup()), "`" + topic.schema().getName() + "`", text(topic.schema().getDoc()))));
  }

  private Stream<Topic<?>> allTopics() {
    return Stream.concat(topics.all().stream(), ClusterTopics.UNPREFIXED.all().stream());
  }

  private static String cleanup(CleanupPolicy cleanup) {
    var age = cleanup.retention() == null ? "" : "delete after " + cleanup.retention().toDays() + " d";
    return !cleanup.isCompacted() ? age : age.isEmpty() ? "compact" : "compact, " + age;
  }

  private static Stream<String> resource(ResourceTopics<?, ?> topics) {
    var name = topics.resource();
    var view = ChangeView.ofResource(name);
    var schema = view.resourceSchema();
    var paths = name.equals(RANKING)
        ? Map.<String, String>of()
        : JsonPaths.of(schema, ON_CHAIN.contains(name));
    var identity = schema.getFields().stream().filter(field -> view.facet(field.name()) == null).toList();
    return Stream.of(
        Stream.of("", "# " + name, "", text(schema.getDoc()), "", "Key: " + topics.changes().key() + "."),
        attributeTable(schema, identity, "", paths),
        view.facets().stream().flatMap(facet -> facet(name, facet, paths)),
        about(name, view.schema()))
        .flatMap(lines -> lines);
  }

  private static Stream<String> facet(String resource, FacetView facet, Map<String, String> paths) {
    var schema = facet.valueSchema();
    var head = Stream.of("", "## " + resource + ": " + facet.name(), "",
        text(schema.getDoc()) + " Worth an event: " + publishing(facet) + ".");
    return Stream.of(head, attributeTable(schema, schema.getFields(), facet.name() + ".", paths), derived(facet))
        .flatMap(lines -> lines);
  }

  private static String publishing(FacetView facet) {
    return switch (facet.publishing()) {
      case AT_ONCE -> "at once";
      case WITH_OTHERS -> "only along with another facet";
      case COALESCED -> "along with another facet, or every 5 minutes";
    };
  }

  private static Stream<String> attributeTable(
      Schema record, List<Field> fields, String prefix, Map<String, String> paths) {
    var head = Stream.of("", "| attribute | type | unit | in the interface | |", "| --- | --- | --- | --- | --- |");
    return Stream.concat(head, fields.stream().map(field -> row(
        "`" + field.name() + "`", type(field.schema()), FieldUnits.of(record, field),
        origin(field, paths.get(prefix + field.name())), text(field.doc()))));
  }

  private static String origin(Field field, @Nullable String path) {
    if (path != null) {
      return "`" + path + "`";
    }
    var derived = field.getProp("derived");
    return derived == null ? "" : derived.equals("true") ? "derived" : "derived of `" + derived + "`";
  }

  /** The fields of a facet's change besides before and after. */
  private static Stream<String> derived(FacetView facet) {
    var fields = derivedFields(facet)
        .map(field -> derived(field, FieldUnits.of(facet.changeSchema(), field)))
        .toList();
    return fields.isEmpty() ? Stream.of() : Stream.concat(Stream.of("", "In a change also:", ""), fields.stream());
  }

  private static String derived(Field field, String unit) {
    return "- `" + field.name() + "` " + type(field.schema()) + (field.doc() == null ? "" : ": " + text(field.doc()))
        + (unit.isEmpty() ? "" : " Unit: " + unit + ".");
  }

  private static Stream<Field> derivedFields(FacetView facet) {
    return facet.changeSchema().getFields().stream().filter(field -> !NOT_DERIVED.contains(field.name()));
  }

  private static Stream<String> about(String resource, Schema change) {
    var about = change.getField("about");
    if (about == null) {
      return Stream.of();
    }
    var schema = AvroRecords.nonNull(about.schema());
    var head = Stream.of("", "## " + resource + ": about", "", text(schema.getDoc()), "",
        "| field | type | unit | copy of |", "| --- | --- | --- | --- |");
    return Stream.concat(head, schema.getFields().stream().map(field -> row("`" + field.name() + "`",
        type(field.schema()), FieldUnits.of(schema, field), text(field.getProp("of")))));
  }

  /** The records that several resources share, those that attributes contain, and the values of the other topics. */
  private Stream<String> records() {
    var change = topics.pool().changes().schema();
    var shared =
        Stream.of("origin", "appeared", "visibility", "removed").map(change::getField).flatMap(MarkdownTable::records);
    var contained = ChangeView.ofResources().stream()
        .flatMap(view -> view.facets().stream())
        .flatMap(facet -> Stream.concat(facet.valueSchema().getFields().stream(), derivedFields(facet)))
        .flatMap(MarkdownTable::records);
    var byName = new TreeMap<String, Schema>();
    Stream.of(shared, contained, otherValues().flatMap(MarkdownTable::records)).flatMap(records -> records)
        .forEach(record -> byName.putIfAbsent(record.getName(), record));
    return byName.values().stream().flatMap(MarkdownTable::record);
  }

  private Stream<Schema> otherValues() {
    var ofResources = topics.resources().stream().flatMap(each -> Stream.of(each.changes(), each.state())).toList();
    return allTopics().filter(topic -> !ofResources.contains(topic)).map(Topic::schema);
  }
}
