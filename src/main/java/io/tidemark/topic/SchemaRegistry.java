package io.tidemark.topic;

import org.apache.avro.Schema;

/** The schemas of values, by the id in front of each value. */
public sealed interface SchemaRegistry permits BuiltInRegistry, ConfluentRegistry {

  /** What the cluster stores of the registry its values were encoded with. */
  String identity();

  /**
   * The id of a schema. Registers it where it is new.
   *
   * @throws SchemaRegistryFailure if the registry does not give one
   */
  int id(String subject, Schema schema);

  /**
   * The schema of an id, complete with documentation and properties.
   *
   * @throws SchemaRegistryFailure if the registry does not give it
   */
  Schema schema(int id);

  /** Adds a schema of this program: values encoded with it need no request. */
  void addKnown(Schema schema);
}
