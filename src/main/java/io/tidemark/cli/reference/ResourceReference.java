package io.tidemark.cli.reference;

import static io.tidemark.cli.reference.MarkdownTable.notNull;
import static io.tidemark.cli.reference.MarkdownTable.text;
import static io.tidemark.cli.reference.MarkdownTable.type;

import io.tidemark.http.wire.ResourceLayout;
import io.tidemark.topic.ResourceTopics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;

/** What there is to know of one resource: identity, facets, figures derived. */
final class ResourceReference {

  private static final Set<String> ON_CHAIN = Set.of("pool", "token");
  /** A list is the order of an answer, not something that stands in it. */
  private static final String RANKING = "ranking";
  private static final Set<String> NOT_DERIVED = Set.of("before", "after", "before_observed_at");

  private final String name;
  private final Schema resource;
  private final Schema change;
  private final Map<String, String> paths;

  ResourceReference(ResourceTopics<?, ?> topics) {
    name = topics.resource();
    change = SpecificData.get().getSchema(topics.changes().value());
    resource = SpecificData.get().getSchema(topics.state().value()).getField("known").schema();
    paths = name.equals(RANKING) ? Map.of() : ResourceLayout.jsonPaths(resource, ON_CHAIN.contains(name));
  }

  Stream<String> lines() {
    return Stream.of(
        Stream.of("", "# " + name, "", text(resource.getDoc()), "", "Key: " + TopicKeys.of(name + ".changes") + "."),
        table(resource.getFields().stream().filter(field -> !isFacet(field)).toList(), ""),
        resource.getFields().stream().filter(ResourceReference::isFacet).flatMap(this::facet),
        about())
        .flatMap(lines -> lines);
  }

  /** Records that attributes and figures derived are, and those in them. */
  Stream<Schema> types() {
    var attributes = facets().flatMap(facet -> notNull(facet.schema()).getFields().stream());
    var figures = facets().flatMap(facet -> derivedFields(facet.name()));
    return Stream.concat(attributes, figures).flatMap(MarkdownTable::records);
  }

  private Stream<Field> facets() {
    return resource.getFields().stream().filter(ResourceReference::isFacet);
  }

  private static boolean isFacet(Field field) {
    return notNull(field.schema()).getType() == Schema.Type.RECORD;
  }

  private Stream<String> facet(Field facet) {
    var schema = notNull(facet.schema());
    var head = Stream.of("", "## " + name + ": " + facet.name(), "",
        text(schema.getDoc()) + " Worth an event: " + worth(facet) + ".");
    return Stream.of(head, table(schema.getFields(), facet.name() + "."), derived(facet.name()))
        .flatMap(lines -> lines);
  }

  private static String worth(Field facet) {
    return switch (facet.getProp("emit")) {
      case null -> "at once";
      case "travels" -> "only along with another facet";
      default -> "along with another facet, or every 5 minutes";
    };
  }

  private Stream<String> table(List<Field> fields, String facet) {
    var head = Stream.of("", "| attribute | type | in the interface | |", "| --- | --- | --- | --- |");
    return Stream.concat(head, fields.stream().map(
        field -> MarkdownTable.row("`" + field.name() + "`", type(field.schema()), place(field, facet),
            text(field.doc()))));
  }

  private String place(Field field, String facet) {
    var path = paths.get(facet + field.name());
    if (path != null) {
      return "`" + path + "`";
    }
    var derived = field.getProp("derived");
    return derived == null ? "" : derived.equals("true") ? "derived" : "derived of `" + derived + "`";
  }

  /** What a change has of a facet besides before and after. */
  private Stream<String> derived(String facet) {
    var fields = derivedFields(facet)
        .map(field -> "- `" + field.name() + "` " + type(field.schema()) + orNothing(field.doc()))
        .toList();
    return fields.isEmpty() ? Stream.of() : Stream.concat(Stream.of("", "In a change also:", ""), fields.stream());
  }

  private Stream<Field> derivedFields(String facet) {
    return notNull(change.getField(facet).schema()).getFields().stream()
        .filter(field -> !NOT_DERIVED.contains(field.name()));
  }

  private static String orNothing(@Nullable String doc) {
    return doc == null ? "" : ": " + text(doc);
  }

  private Stream<String> about() {
    var about = change.getField("about");
    if (about == null) {
      return Stream.of();
    }
    var head = Stream.of("", "## " + name + ": about", "", text(notNull(about.schema()).getDoc()), "",
        "| field | type | copy of |", "| --- | --- | --- |");
    return Stream.concat(head, notNull(about.schema()).getFields().stream()
        .map(field -> MarkdownTable.row("`" + field.name() + "`", type(field.schema()), text(field.getProp("of")))));
  }
}
