package io.tidemark.kafka.registry;

import java.util.Collection;
import java.util.function.Consumer;
import org.apache.avro.Schema;

/** The schemas with which instances of every version write values. Methods block. */
public interface SharedSchemas {

  /**
   * Publishes the schemas that are not published yet, and waits until they are committed.
   *
   * @throws SchemaRegistryFailure if they cannot be published
   */
  void publish(Collection<Schema> schemas);

  /**
   * Visits the schemas published since the last call.
   *
   * @throws SchemaRegistryFailure if they cannot be read
   */
  void readNew(Consumer<Schema> visitor);
}
