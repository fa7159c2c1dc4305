package io.tidemark.topic;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;

/**
 * The registry of those who run none: an id follows from the schema's text alone, so it is the same on every instance
 * and version. It knows the schemas of its topics, and those that earlier versions released.
 */
public final class BuiltInRegistry implements SchemaRegistry {

  public static final String IDENTITY = "built-in";

  private final Map<Integer, Schema> known = new ConcurrentHashMap<>();
  private final Map<String, List<Schema>> subjects;

  /** Knows the topics' schemas and the released ones. */
  public BuiltInRegistry(Collection<? extends Topic<?>> topics) {
    this(topics, ReleasedSchemas.read());
  }

  /** @param released schemas of earlier versions, oldest first */
  BuiltInRegistry(Collection<? extends Topic<?>> topics, List<Schema> released) {
    subjects =
        topics.stream().collect(Collectors.toUnmodifiableMap(Topic::subject, topic -> versions(topic, released)));
    subjects.values().forEach(versions -> versions.forEach(this::addKnown));
    released.forEach(this::addKnown);
  }

  /** The id a schema has here, known or not. */
  public static int idOf(Schema schema) {
    return CanonicalSchema.of(schema).id();
  }

  @Override
  public String identity() {
    return IDENTITY;
  }

  /** The subject does not matter. */
  @Override
  public int id(String subject, Schema schema) {
    return remember(schema);
  }

  @Override
  public Schema schema(int id) {
    var schema = find(id);
    if (schema == null) {
      throw new RegistryFailure.UnknownSchema(
          "schema id %d: this version has no such schema. Records written by a newer "
              .formatted(id) + "version, or with an external registry, are read with that one.");
    }
    return schema;
  }

  @Override
  public void addKnown(Schema schema) {
    remember(schema);
  }

  /** The schema of an id; null where it is not known. */
  public @Nullable Schema find(int id) {
    return known.get(id);
  }

  /** The names of all subjects, sorted. */
  public List<String> subjects() {
    return subjects.keySet().stream().sorted().toList();
  }

  /** The schemas of a subject, version 1 first; empty where there is no such subject. */
  public List<Schema> versions(String subject) {
    return subjects.getOrDefault(subject, List.of());
  }

  private int remember(Schema schema) {
    var text = CanonicalSchema.of(schema);
    var other = known.putIfAbsent(text.id(), schema);
    if (other != null && !CanonicalSchema.of(other).equals(text)) {
      throw new IllegalStateException("two schemas have the id %d: %s and %s; a changed comment in one of them helps"
          .formatted(text.id(), other.getFullName(), schema.getFullName()));
    }
    return text.id();
  }

  private static List<Schema> versions(Topic<?> topic, List<Schema> released) {
    var now = SpecificData.get().getSchema(topic.value());
    var earlier = released.stream().filter(schema -> schema.getFullName().equals(now.getFullName()));
    return Stream.concat(earlier, Stream.of(now))
        .collect(
            Collectors.toMap(CanonicalSchema::of, Function.identity(), (first, again) -> first, LinkedHashMap::new))
        .values()
        .stream()
        .toList();
  }
}
