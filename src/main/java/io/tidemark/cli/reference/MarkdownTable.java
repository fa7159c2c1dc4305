package io.tidemark.cli.reference;

import java.util.ArrayDeque;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Tables in Markdown, of schemas. */
final class MarkdownTable {

  private static final int WIDTH = 120;

  private MarkdownTable() {}

  static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |";
  }

  /** The fields of a record under its name. */
  static Stream<String> record(Schema record) {
    var head = Stream.of("", "## " + record.getName(), "", text(record.getDoc()), "",
        "| field | type | |", "| --- | --- | --- |");
    return Stream.concat(head, record.getFields().stream()
        .map(field -> row("`" + field.name() + "`" + json(field), type(field.schema()), text(field.doc()))));
  }

  /** The records that a field holds, and those in them. */
  static Stream<Schema> records(Schema.Field field) {
    var type = notNull(field.schema());
    var element = type.getType() == Schema.Type.ARRAY ? notNull(type.getElementType()) : type;
    return element.getType() == Schema.Type.RECORD ? records(element) : Stream.of();
  }

  /** A record, and those in it. */
  static Stream<Schema> records(Schema record) {
    return Stream.concat(Stream.of(record), record.getFields().stream().flatMap(MarkdownTable::records));
  }

  private static String json(Schema.Field field) {
    var json = field.getProp("json");
    return json == null ? "" : " (`" + json + "` in JSON)";
  }

  /** On one line, and as it is: nothing in it is Markdown. */
  static String text(@Nullable String doc) {
    return doc == null
        ? ""
        : doc.strip().replaceAll("\\s+", " ").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*");
  }

  /** The name of a type; with ? where it may be null. */
  static String type(Schema schema) {
    var value = notNull(schema);
    return name(value) + (schema.isNullable() ? "?" : "");
  }

  private static String name(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> "[" + schema.getName() + "](#" + schema.getName().toLowerCase(Locale.ROOT) + ")";
      case ARRAY -> "array of " + type(schema.getElementType());
      case MAP -> "map of " + type(schema.getValueType());
      default -> schema.getLogicalType() == null ? schema.getType().getName() : schema.getLogicalType().getName();
    };
  }

  /** What stands beside null; the schema itself where that cannot be. */
  static Schema notNull(Schema schema) {
    return schema.isUnion()
        ? schema.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).findFirst().orElseThrow()
        : schema;
  }

  /** A line of prose as lines of at most 120 columns; all but the first are indented. */
  static Stream<String> wrapped(String text, String indentation) {
    var lines = new ArrayDeque<String>();
    for (var word : text.split(" ", -1)) {
      var longer = lines.isEmpty() ? word : lines.getLast() + " " + word;
      if (lines.isEmpty() || longer.length() > WIDTH) {
        lines.addLast((lines.isEmpty() ? "" : indentation) + word);
      } else {
        lines.removeLast();
        lines.addLast(longer);
      }
    }
    return lines.stream();
  }
}
