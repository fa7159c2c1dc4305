package io.tidemark.kafka.registry;

import java.util.Collection;
import java.util.function.Consumer;
import org.apache.avro.Schema;

/**
 * The schemas that instances of every version publish, so that each instance can read the values of the others. Methods
 * block.
 */
public interface SharedSchemas {

  /**
   * Publishes the schemas that are not published yet, and waits until they are committed.
   *
   * @param visitor receives the schemas that others have published since the last call of a method of this object
   * @throws SchemaRegistryFailure if they cannot be published
   */
  void publish(Collection<Schema> schemas, Consumer<Schema> visitor);

  /**
   * Visits the schemas that were published since the last call, except those that {@link #publish} has read in the
   * meantime.
   *
   * @throws SchemaRegistryFailure if they cannot be read
   */
  void readNew(Consumer<Schema> visitor);
}
