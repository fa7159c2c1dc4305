package io.tidemark.kafka;

import org.apache.avro.Schema;

/** A registry of the schemas of values, by the id in front of each value. */
public sealed interface SchemaRegistry permits BuiltInRegistry, ConfluentRegistry {

  /** Returns the identity that the cluster stores of the registry with which its values were encoded. */
  String identity();

  /**
   * Returns the id of a schema, which is registered if it is new.
   *
   * @throws SchemaRegistryFailure if the registry does not return an id
   */
  int id(String subject, Schema schema);

  /**
   * Returns the schema of an id, complete with documentation and properties.
   *
   * @throws SchemaRegistryFailure if the registry does not return the schema
   */
  Schema schema(int id);

  /** Adds a schema of this program, so that values encoded with it need no request. */
  void addKnown(Schema schema);
}
