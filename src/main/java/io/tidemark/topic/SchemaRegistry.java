package io.tidemark.topic;

import org.apache.avro.Schema;

/** Where the schemas of values are found by the number that stands before each value. */
public sealed interface SchemaRegistry permits BuiltInRegistry, ConfluentRegistry {

  /** What the cluster remembers of which registry it was written with. */
  String identity();

  /**
   * The id of a schema, which is registered where it is not yet.
   *
   * @throws RegistryFailure if that cannot be had
   */
  int id(String subject, Schema schema);

  /**
   * The schema of an id, complete with documentation and properties.
   *
   * @throws RegistryFailure if that cannot be had
   */
  Schema schema(int id);

  /** Tells of a schema that this program reads with: values written with it need no asking. */
  void addKnown(Schema schema);
}
