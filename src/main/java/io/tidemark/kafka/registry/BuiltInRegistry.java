package io.tidemark.kafka.registry;

import io.tidemark.event.ResourceMemory;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The registry of topics if no external one is configured, and always the registry of the stream stores and of the
 * detection memory in states. The id of a schema is derived from its text alone, so every instance of every version
 * derives the same id. The registry knows the schemas of this program and of earlier releases, and finds the schemas of
 * later releases among the schemas that instances publish. It loads the schemas of this program and of earlier releases
 * when a schema is first requested that no serde has added, since a command that reads one topic needs only that
 * topic's schema.
 */
public final class BuiltInRegistry implements SchemaRegistry {

  public static final String IDENTITY = "built-in";

  private final Map<Integer, Schema> known = new ConcurrentHashMap<>();

  private final List<Subject> own;
  private final Supplier<List<Schema>> released;

  /** Schemas of each subject, version 1 first; null before the first request. */
  private @Nullable Map<String, List<Schema>> subjects;

  private volatile @Nullable SharedSchemas shared;

  public BuiltInRegistry(Collection<? extends Subject> own) {
    this(own, () -> ReleasedSchemas.load().released());
  }

  /** @param released schemas of earlier releases, oldest first */
  BuiltInRegistry(Collection<? extends Subject> own, Supplier<List<Schema>> released) {
    this.own = List.copyOf(own);
    this.released = released;
  }

  /**
   * Returns the versions of this program's schemas by subject, version 1 first. The first call adds these schemas, and
   * all schemas of earlier releases, to the known schemas.
   */
  private synchronized Map<String, List<Schema>> ownSchemas() {
    if (subjects == null) {
      var earlier = released.get();
      subjects =
          own.stream().collect(Collectors.toUnmodifiableMap(Subject::subject, each -> versions(each, earlier)));
      subjects.values().forEach(versions -> versions.forEach(this::addKnown));
      earlier.forEach(this::addKnown);
    }
    return subjects;
  }

  /** Returns the id of a schema, whether or not a registry knows the schema. */
  public static int idOf(Schema schema) {
    return CanonicalSchema.id(CanonicalSchema.digest(schema));
  }

  @Override
  public String identity() {
    return IDENTITY;
  }

  /**
   * Adds the published schemas to the known ones, and publishes the current schemas of this program, including that of
   * the detection memory in states. From now on, this registry publishes every other schema before its first use, and
   * looks up unknown schemas among the published schemas.
   */
  public void publishIn(SharedSchemas schemas) {
    shared = schemas;
    schemas.readNew(this::addKnown);
    schemas.publish(Stream.concat(ownSchemas().values().stream().map(List::getLast),
        Stream.of(ResourceMemory.getClassSchema())).toList(), this::addKnown);
  }

  /**
   * Makes this registry look up schemas that it does not know among the given published schemas. {@link #id} then
   * also publishes schemas. Sends no request before the first lookup or the first call of {@link #id}.
   */
  public void lookUpIn(SharedSchemas schemas) {
    shared = schemas;
  }

  /**
   * Returns the id of a schema, which is the same for every subject. First publishes the schema if it is not
   * published yet and published schemas were given to {@link #publishIn} or {@link #lookUpIn}.
   */
  @Override
  public int id(String subject, Schema schema) {
    var schemas = shared;
    if (schemas != null) {
      schemas.publish(List.of(schema), this::addKnown);
    }
    return add(schema);
  }

  @Override
  public Schema schema(int id) {
    var schema = find(id);
    var schemas = shared;
    if (schema == null && schemas != null) {
      schemas.readNew(this::addKnown);
      schema = find(id);
    }
    if (schema == null) {
      throw new SchemaRegistryFailure.UnknownSchema(
          "schema id %d: this version has no such schema, and no instance has published one"
              .formatted(id));
    }
    return schema;
  }

  @Override
  public BuiltInRegistry builtIn() {
    return this;
  }

  /**
   * Returns the known versions of a record's schema, after adding the published schemas to the known ones.
   *
   * @param record full name of the record
   */
  public List<Schema> versionsOf(String record) {
    ownSchemas();
    var schemas = shared;
    if (schemas != null) {
      schemas.readNew(this::addKnown);
    }
    return known.values().stream().filter(each -> each.getFullName().equals(record)).toList();
  }

  @Override
  public void addKnown(Schema schema) {
    add(schema);
  }

  /**
   * Returns the known schema with the given id, or null if there is none. Does not look among the published schemas.
   */
  public @Nullable Schema find(int id) {
    var found = known.get(id);
    if (found == null) {
      ownSchemas();
      found = known.get(id);
    }
    return found;
  }

  /** Returns the names of all subjects, sorted. */
  public List<String> subjects() {
    return ownSchemas().keySet().stream().sorted().toList();
  }

  /** Returns the schemas of a subject, version 1 first, or an empty list if the subject does not exist. */
  public List<Schema> versions(String subject) {
    return ownSchemas().getOrDefault(subject, List.of());
  }

  private int add(Schema schema) {
    var digest = CanonicalSchema.digest(schema);
    var id = CanonicalSchema.id(digest);
    var other = known.putIfAbsent(id, schema);
    if (other != null && !CanonicalSchema.digest(other).equals(digest)) {
      throw new IllegalStateException(
          "two schemas have the id %d: %s and %s; change the documentation of one of them, which changes its id"
              .formatted(id, other.getFullName(), schema.getFullName()));
    }
    return id;
  }

  private static List<Schema> versions(Subject own, List<Schema> released) {
    var now = own.schema();
    var earlier = released.stream().filter(schema -> schema.getFullName().equals(now.getFullName()));
    return Stream.concat(earlier, Stream.of(now))
        .collect(
            Collectors.toMap(CanonicalSchema::digest, schema -> schema, (first, again) -> first, LinkedHashMap::new))
        .values()
        .stream()
        .toList();
  }
}
