package io.tidemark.topic;

import static org.apache.avro.SchemaCompatibility.SchemaCompatibilityType.COMPATIBLE;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.specific.SpecificData;

/**
 * What the released schemas bind later ones to: of all schemas of one name, whoever has any of them reads what was
 * written with any other (FULL_TRANSITIVE).
 *
 * @param released schemas of earlier versions, oldest first
 */
public record SchemaPromise(List<Schema> released) {

  public SchemaPromise {
    released = List.copyOf(released);
  }

  /** The promise as it was given. */
  public static SchemaPromise given() {
    return new SchemaPromise(ReleasedSchemas.read());
  }

  /** Every way in which a schema breaks the promise, field by field; empty where it keeps it. */
  public List<String> breaches(Schema now) {
    return released.stream()
        .filter(earlier -> earlier.getFullName().equals(now.getFullName()))
        .flatMap(earlier -> breaches(earlier, now))
        .distinct()
        .toList();
  }

  /** The value schemas of topics that were not released yet, by name: one line of JSON each, as they are kept. */
  public List<String> unreleased(Collection<? extends Topic<?>> topics) {
    var known = released.stream().map(CanonicalSchema::of).toList();
    return topics.stream()
        .map(topic -> SpecificData.get().getSchema(topic.value()))
        .distinct()
        .filter(schema -> !known.contains(CanonicalSchema.of(schema)))
        .sorted(Comparator.comparing(Schema::getFullName))
        .map(schema -> CanonicalSchema.of(schema).json())
        .toList();
  }

  private static Stream<String> breaches(Schema earlier, Schema now) {
    var backward = new Reading("what was written with the released schema cannot be read", "added");
    backward.compare(now.getName(), now, earlier);
    var forward = new Reading("readers with the released schema cannot read what is written now", "removed");
    forward.compare(now.getName(), earlier, now);
    return Stream.concat(backward.breaches.stream(), forward.breaches.stream());
  }

  /** One direction: what one schema wrote, read with the other. */
  private static final class Reading {
    private final String consequence;
    private final String done;
    private final List<String> breaches = new ArrayList<>();

    /** @param done to a field that only the reader's schema has */
    Reading(String consequence, String done) {
      this.consequence = consequence;
      this.done = done;
    }

    void compare(String path, Schema reader, Schema writer) {
      if (SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getType() == COMPATIBLE) {
        return;
      }
      var into = valueOf(reader);
      var from = valueOf(writer);
      var found = breaches.size();
      if (into.getType() == Schema.Type.RECORD && from.getFullName().equals(into.getFullName())) {
        into.getFields().forEach(field -> compare(path, field, from));
      } else if (into.getType() == from.getType() && isContainer(into)) {
        compare(path + "[]", element(into), element(from));
      }
      if (breaches.size() == found) {
        breaches.add("%s: %s against %s: %s".formatted(path, shown(reader), shown(writer), consequence));
      }
    }

    private void compare(String path, Schema.Field field, Schema writer) {
      var written = Stream.concat(Stream.of(field.name()), field.aliases().stream())
          .map(writer::getField).filter(Objects::nonNull).findFirst();
      if (written.isPresent()) {
        compare(path + "." + field.name(), field.schema(), written.get().schema());
      } else if (!field.hasDefaultValue()) {
        breaches.add("%s.%s: %s, and has no default: %s".formatted(path, field.name(), done, consequence));
      }
    }
  }

  private static boolean isContainer(Schema schema) {
    return schema.getType() == Schema.Type.ARRAY || schema.getType() == Schema.Type.MAP;
  }

  private static Schema element(Schema container) {
    return container.getType() == Schema.Type.ARRAY ? container.getElementType() : container.getValueType();
  }

  /** What stands beside null; the schema itself where it is no such union. */
  private static Schema valueOf(Schema schema) {
    return schema.isUnion() && schema.isNullable() && schema.getTypes().size() == 2
        ? schema.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).findFirst().orElseThrow()
        : schema;
  }

  private static String shown(Schema schema) {
    var value = valueOf(schema);
    var name = value.getType() == Schema.Type.RECORD ? value.getName() : value.getType().getName();
    return name + (schema.isNullable() ? "?" : "");
  }
}
