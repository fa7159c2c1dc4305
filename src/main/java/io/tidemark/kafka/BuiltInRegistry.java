package io.tidemark.kafka;

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
 * The registry that is used if no external one is configured. The id of a schema is derived from its text alone, so
 * every instance of every version derives the same id. The registry knows the schemas of its topics and of earlier
 * releases, and finds the schemas of later releases in the topic of schemas. The known schemas are loaded at the
 * first request for a schema that no serde has added, since a command that reads one topic needs no other schemas.
 */
public final class BuiltInRegistry implements SchemaRegistry {

  public static final String IDENTITY = "built-in";

  private final Map<Integer, Schema> known = new ConcurrentHashMap<>();

  private final List<Topic<?>> topics;
  private final Supplier<List<Schema>> released;

  /** Schemas of each subject, version 1 first; null before the first request. */
  private @Nullable Map<String, List<Schema>> subjects;

  private volatile @Nullable SchemaTopic published;

  public BuiltInRegistry(Collection<? extends Topic<?>> topics) {
    this(topics, () -> ReleasedSchemas.load().released());
  }

  /** @param released schemas of earlier releases, oldest first */
  BuiltInRegistry(Collection<? extends Topic<?>> topics, Supplier<List<Schema>> released) {
    this.topics = List.copyOf(topics);
    this.released = released;
  }

  /**
   * Returns the schemas of the topics by subject. The first call adds these schemas, and the schemas of earlier
   * releases, to the known ones.
   */
  private synchronized Map<String, List<Schema>> ownSchemas() {
    if (subjects == null) {
      var earlier = released.get();
      subjects =
          topics.stream().collect(Collectors.toUnmodifiableMap(Topic::subject, topic -> versions(topic, earlier)));
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
   * Publishes the current schemas in the given topic. From now on, every other schema is published in this topic
   * before its first use, and unknown schemas are looked up in this topic.
   */
  public void publishIn(SchemaTopic topic) {
    published = topic;
    topic.readNew(this::addKnown);
    topic.publish(ownSchemas().values().stream().map(List::getLast).toList());
  }

  /**
   * Sets the topic in which schemas that this version does not know are looked up from now on. Sends no request to
   * Kafka before the first lookup.
   */
  public void lookUpIn(SchemaTopic topic) {
    published = topic;
  }

  /** Returns the id of a schema, which is the same for every subject. */
  @Override
  public int id(String subject, Schema schema) {
    var topic = published;
    if (topic != null) {
      topic.publish(List.of(schema));
    }
    return add(schema);
  }

  @Override
  public Schema schema(int id) {
    var schema = find(id);
    var topic = published;
    if (schema == null && topic != null) {
      topic.readNew(this::addKnown);
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
  public void addKnown(Schema schema) {
    add(schema);
  }

  /** Returns the schema with the given id, or null if the id is unknown. */
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

  /** Returns the schemas of a subject, version 1 first; empty if there is no such subject. */
  public List<Schema> versions(String subject) {
    return ownSchemas().getOrDefault(subject, List.of());
  }

  private int add(Schema schema) {
    var digest = CanonicalSchema.digest(schema);
    var id = CanonicalSchema.id(digest);
    var other = known.putIfAbsent(id, schema);
    if (other != null && !CanonicalSchema.digest(other).equals(digest)) {
      throw new IllegalStateException("two schemas have the id %d: %s and %s; change a comment in one of them"
          .formatted(id, other.getFullName(), schema.getFullName()));
    }
    return id;
  }

  private static List<Schema> versions(Topic<?> topic, List<Schema> released) {
    var now = topic.schema();
    var earlier = released.stream().filter(schema -> schema.getFullName().equals(now.getFullName()));
    return Stream.concat(earlier, Stream.of(now))
        .collect(
            Collectors.toMap(CanonicalSchema::digest, schema -> schema, (first, again) -> first, LinkedHashMap::new))
        .values()
        .stream()
        .toList();
  }
}
