package io.tidemark.law;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Avro records as maps of their attributes, by dotted path in the names of the schemas. */
final class Attributes {
  private Attributes() {}

  /** Returns the attributes that have a value; a map counts as one value. */
  static Map<String, Object> of(IndexedRecord record) {
    var values = new TreeMap<String, Object>();
    if (record != null) {
      collect(record, "", values);
    }
    return values;
  }

  /** Returns the values at a path and below it. */
  static Map<String, Object> below(Map<String, Object> values, String path) {
    var below = new TreeMap<>(values);
    below.keySet().removeIf(each -> !each.equals(path) && !each.startsWith(path + "."));
    return below;
  }

  /** Returns a copy with other values at a path and below it. */
  static Map<String, Object> with(Map<String, Object> values, String path, Map<String, Object> now) {
    var changed = new TreeMap<>(values);
    changed.keySet().removeAll(below(values, path).keySet());
    changed.putAll(now);
    return changed;
  }

  static Object get(IndexedRecord record, String field) {
    return record.get(record.getSchema().getField(field).pos());
  }

  /** Returns the paths of all attributes of a schema. */
  static Set<String> of(Schema schema) {
    var paths = new TreeSet<String>();
    for (Schema.Field field : schema.getFields()) {
      Schema type = notNull(field.schema());
      if (type.getType() == Schema.Type.RECORD) {
        of(type).forEach(path -> paths.add(field.name() + "." + path));
      } else {
        paths.add(field.name());
      }
    }
    return paths;
  }

  static Schema notNull(Schema schema) {
    return schema.isUnion()
        ? schema.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).findFirst().orElseThrow()
        : schema;
  }

  private static void collect(IndexedRecord record, String prefix, Map<String, Object> values) {
    for (Schema.Field field : record.getSchema().getFields()) {
      Object value = record.get(field.pos());
      if (value instanceof IndexedRecord inner) {
        collect(inner, prefix + field.name() + ".", values);
      } else if (value != null) {
        values.put(prefix + field.name(), value);
      }
    }
  }
}
