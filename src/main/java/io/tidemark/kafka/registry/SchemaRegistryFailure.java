package io.tidemark.kafka.registry;

import org.jspecify.annotations.Nullable;

/** A failure of a request to a schema registry. Messages never contain a password. */
public abstract sealed class SchemaRegistryFailure extends RuntimeException {
  private SchemaRegistryFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * The registry did not answer, or its answer says nothing about the schema, such as a login page, an error of a
   * proxy, or an answer of a replica that lags.
   */
  public static final class RegistryUnreachable extends SchemaRegistryFailure {
    public RegistryUnreachable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * The registry does not know the id, for at least an hour if it is external. Either another registry assigned the id,
   * or the schema was deleted.
   */
  public static final class UnknownSchema extends SchemaRegistryFailure {
    public UnknownSchema(String message) {
      super(message, null);
    }
  }

  /** The registry returned a schema that is not Avro, such as Protobuf, or not complete in itself. */
  public static final class NotAvro extends SchemaRegistryFailure {
    public NotAvro(String message) {
      super(message, null);
    }
  }

  /** The registry rejected the request or the schema. */
  public static final class RejectedByRegistry extends SchemaRegistryFailure {
    public RejectedByRegistry(String message) {
      super(message, null);
    }
  }
}
