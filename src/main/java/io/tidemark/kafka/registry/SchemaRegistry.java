package io.tidemark.kafka.registry;

import org.apache.avro.Schema;

/** A registry of the schemas of values. Each encoded value begins with the id of its schema. */
public sealed interface SchemaRegistry permits BuiltInRegistry, ConfluentRegistry {

  /**
   * Returns the kind of this registry: {@code built-in} or {@code external}. This kind is recorded with each state of a
   * source, since a reader with a registry of the other kind could not decode the source's values.
   */
  String identity();

  /**
   * Returns the id of a schema. Registers the schema under the subject if it is new.
   *
   * @throws SchemaRegistryFailure if the registry does not return an id
   */
  int id(String subject, Schema schema);

  /**
   * Returns the schema with the given id, including documentation and properties.
   *
   * @throws SchemaRegistryFailure if the registry does not return the schema
   */
  Schema schema(int id);

  /**
   * Returns the built-in registry, which also exists beside an external registry: for schemas of records that are not
   * values of topics.
   */
  BuiltInRegistry builtIn();

  /**
   * Adds a schema of this program to a built-in registry, so that values with this schema can be decoded without a
   * request. Does nothing in an external registry.
   */
  void addKnown(Schema schema);
}
