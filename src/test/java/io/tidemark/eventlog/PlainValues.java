package io.tidemark.eventlog;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Records of the event log as plain values: the attributes of a facet by name, without nulls. */
final class PlainValues {
  /** The parts of a change that are not facets. */
  private static final Set<String> APART = Set.of("origin", "about", "appeared", "visibility", "removed");

  private PlainValues() {}

  /** Returns the names of the facets in the schema of a change, state or resource, in order. */
  static List<String> facets(Schema schema) {
    return schema.getFields().stream()
        .filter(field -> !APART.contains(field.name()) && plain(field.schema()).getType() == Schema.Type.RECORD)
        .map(Schema.Field::name)
        .toList();
  }

  /** Returns the attributes of one facet; empty if it is null. */
  static Map<String, Object> of(@Nullable Object facet) {
    var facts = new TreeMap<String, Object>();
    if (facet instanceof IndexedRecord record) {
      collect(record, "", facts);
    }
    return facts;
  }

  private static void collect(IndexedRecord record, String path, Map<String, Object> facts) {
    for (Schema.Field field : record.getSchema().getFields()) {
      Object value = record.get(field.pos());
      if (value instanceof IndexedRecord inner) {
        collect(inner, path + field.name() + ".", facts);
      } else if (value != null) {
        facts.put(path + field.name(), plain(record, value));
      }
    }
  }

  private static Object plain(IndexedRecord record, Object value) {
    if (record.getSchema().getName().equals("Extra")) {
      Object json = Json.parse(value.toString().getBytes(StandardCharsets.UTF_8));
      return json == null ? Map.of() : json;
    }
    return value instanceof Map<?, ?> map ? new TreeMap<>(map) : value instanceof List<?> list ? texts(list) : value;
  }

  static List<String> texts(@Nullable Object list) {
    var texts = new ArrayList<String>();
    Json.list(list).forEach(each -> texts.add(Json.text(each)));
    return texts;
  }

  static @Nullable Object get(@Nullable Object record, String field) {
    if (!(record instanceof IndexedRecord indexed)) {
      return null;
    }
    Schema.Field found = indexed.getSchema().getField(field);
    return found == null ? null : indexed.get(found.pos());
  }

  static @Nullable Object at(@Nullable Object record, String path) {
    Object at = record;
    for (String name : path.split("\\.")) {
      at = get(at, name);
    }
    return at;
  }

  static long number(@Nullable Object record, String path) {
    return at(record, path) instanceof Number number ? number.longValue() : 0;
  }

  static @Nullable Instant time(@Nullable Object record, String path) {
    return at(record, path) instanceof Instant instant ? instant : null;
  }

  static boolean is(@Nullable Object record, String path) {
    return Boolean.TRUE.equals(at(record, path));
  }

  private static Schema plain(Schema schema) {
    return schema.getType() != Schema.Type.UNION
        ? schema
        : schema.getTypes().stream().filter(each -> each.getType() != Schema.Type.NULL).findFirst().orElseThrow();
  }
}
