package io.tidemark.cli.reference;

import io.tidemark.event.AvroRecords;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Writes schemas as tables in Markdown. */
final class MarkdownTable {

  private static final int WIDTH = 120;

  private MarkdownTable() {}

  static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |";
  }

  /** A heading and the fields of a record. */
  static Stream<String> record(Schema record) {
    var head = Stream.of("", "## " + record.getName(), "", text(record.getDoc()), "",
        "| field | type | unit | |", "| --- | --- | --- | --- |");
    return Stream.concat(head, record.getFields().stream().map(field -> row("`" + field.name() + "`" + json(field),
        type(field.schema()), FieldUnits.of(record, field), text(field.doc()))));
  }

  /** The records in the type of a field, and those nested in them. */
  static Stream<Schema> records(Schema.Field field) {
    var type = AvroRecords.nonNull(field.schema());
    var element = type.getType() == Schema.Type.ARRAY ? AvroRecords.nonNull(type.getElementType()) : type;
    return element.getType() == Schema.Type.RECORD ? records(element) : Stream.of();
  }

  /** A record, and those nested in it. */
  static Stream<Schema> records(Schema record) {
    return Stream.concat(Stream.of(record), record.getFields().stream().flatMap(MarkdownTable::records));
  }

  private static String json(Schema.Field field) {
    var json = field.getProp("json");
    return json == null ? "" : " (`" + json + "` in JSON)";
  }

  /** One line; characters of Markdown are escaped. */
  static String text(@Nullable String doc) {
    return doc == null
        ? ""
        : doc.strip().replaceAll("\\s+", " ").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*");
  }

  /** The name of a type, with ? where it is nullable. */
  static String type(Schema schema) {
    var value = AvroRecords.nonNull(schema);
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
