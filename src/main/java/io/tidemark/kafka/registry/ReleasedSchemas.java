package io.tidemark.kafka.registry;

import static org.apache.avro.SchemaCompatibility.SchemaCompatibilityType.COMPATIBLE;

import io.tidemark.event.AvroRecords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;

/**
 * The schemas of values, and of the detection memory in states, of earlier releases. Later schemas stay compatible with
 * these (FULL_TRANSITIVE): a reader with any version of a schema reads values that were written with any other version.
 *
 * @param released schemas, oldest first
 */
public record ReleasedSchemas(List<Schema> released) {
  /** Name of the resource, in the package of this class, that has one line of JSON for each schema. */
  private static final String RESOURCE = "released-schemas.jsonl";
  private static final ReleasedSchemas OF_THIS_PROGRAM = read();

  /** Returns the schemas of this program's earlier releases. They are read only once. */
  public static ReleasedSchemas load() {
    return OF_THIS_PROGRAM;
  }

  private static ReleasedSchemas read() {
    try (var in = ReleasedSchemas.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the program");
      }
      var lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> !line.isBlank());
      return new ReleasedSchemas(lines.map(line -> new Schema.Parser().parse(line)).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a description of each incompatibility between a schema and the released schemas of the same name. Each
   * description begins with the path of the incompatible field.
   */
  public List<String> incompatibilities(Schema now) {
    return released.stream()
        .filter(earlier -> earlier.getFullName().equals(now.getFullName()))
        .flatMap(earlier -> incompatibilities(earlier, now))
        .distinct()
        .toList();
  }

  /** Returns the given schemas that no release contains yet, sorted by name, each as one line of JSON. */
  public List<String> unreleased(Collection<Schema> schemas) {
    var known = released.stream().map(CanonicalSchema::digest).toList();
    return schemas.stream()
        .distinct()
        .filter(schema -> !known.contains(CanonicalSchema.digest(schema)))
        .sorted(Comparator.comparing(Schema::getFullName))
        .map(schema -> CanonicalSchema.of(schema).json())
        .toList();
  }

  private static Stream<String> incompatibilities(Schema earlier, Schema now) {
    var backward = new CompatibilityCheck("values written with the released schema cannot be read", "added");
    backward.compare(now.getName(), now, earlier);
    var forward = new CompatibilityCheck("readers with the released schema cannot read new values", "removed");
    forward.compare(now.getName(), earlier, now);
    return Stream.concat(backward.found.stream(), forward.found.stream());
  }

  /** A check in one direction: whether a reader with one schema can read values that were written with another. */
  private static final class CompatibilityCheck {
    private final String consequence;
    private final String readerOnly;
    private final List<String> found = new ArrayList<>();

    /** @param readerOnly word for what happened to a field that only the reader's schema has, such as {@code added} */
    CompatibilityCheck(String consequence, String readerOnly) {
      this.consequence = consequence;
      this.readerOnly = readerOnly;
    }

    void compare(String path, Schema reader, Schema writer) {
      if (SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getType() == COMPATIBLE) {
        return;
      }
      var into = AvroRecords.nonNull(reader);
      var from = AvroRecords.nonNull(writer);
      var before = found.size();
      if (into.getType() == Schema.Type.RECORD && from.getFullName().equals(into.getFullName())) {
        into.getFields().forEach(field -> compare(path, field, from));
      } else if (into.getType() == from.getType() && isContainer(into)) {
        compare(path + "[]", element(into), element(from));
      }
      if (found.size() == before) {
        found.add(
            "%s: read as %s, written as %s; %s".formatted(path, describe(reader), describe(writer), consequence));
      }
    }

    private void compare(String path, Schema.Field field, Schema writer) {
      var written = Stream.concat(Stream.of(field.name()), field.aliases().stream())
          .map(writer::getField).filter(Objects::nonNull).findFirst();
      if (written.isPresent()) {
        compare(path + "." + field.name(), field.schema(), written.get().schema());
      } else if (!field.hasDefaultValue()) {
        found.add("%s.%s: %s, and has no default; %s".formatted(path, field.name(), readerOnly, consequence));
      }
    }
  }

  private static boolean isContainer(Schema schema) {
    return schema.getType() == Schema.Type.ARRAY || schema.getType() == Schema.Type.MAP;
  }

  private static Schema element(Schema container) {
    return container.getType() == Schema.Type.ARRAY ? container.getElementType() : container.getValueType();
  }

  private static String describe(Schema schema) {
    var value = AvroRecords.nonNull(schema);
    var name = value.getType() == Schema.Type.RECORD ? value.getName() : value.getType().getName();
    return name + (schema.isNullable() ? "?" : "");
  }
}
