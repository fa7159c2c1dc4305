package io.tidemark.kafka.registry;

import org.apache.avro.Schema;

/** A name under which a registry keeps the versions of a schema, and the version of this program. */
public interface Subject {

  /** Returns the name of the subject, such as {@code tidemark.pool.changes-value}. */
  String subject();

  Schema schema();
}
