package io.tidemark.kafka.registry;

import org.apache.avro.Schema;

/**
 * A subject of a schema registry: the name under which the registry keeps the versions of a schema, and this program's
 * version of the schema.
 */
public interface Subject {

  /** Returns the name of the subject, such as {@code tidemark.pool.changes-value}. */
  String subject();

  Schema schema();
}
