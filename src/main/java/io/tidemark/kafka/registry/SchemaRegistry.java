package io.tidemark.kafka.registry;

import org.apache.avro.Schema;

/** A registry of the schemas of values. An id in front of each encoded value tells its schema. */
public sealed interface SchemaRegistry permits BuiltInRegistry, ConfluentRegistry {

  /**
   * Returns the kind of this registry: {@code built-in} or {@code external}. This kind is recorded with each state of
   * a source, since another registry could not decode the source's values.
   */
  String identity();

  /**
   * Returns the id of a schema. A new schema is registered under the subject.
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

  /** Adds a schema of this program, so that values of this schema can be decoded without a request. */
  void addKnown(Schema schema);
}
