package io.tidemark.topic;

import org.jspecify.annotations.Nullable;

/** A request that a schema registry did not fulfil. Messages never contain a password. */
public abstract sealed class SchemaRegistryFailure extends RuntimeException {
  private SchemaRegistryFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** No answer, or any that is no verdict on a schema, such as of a proxy, a login or a replica that lags. */
  public static final class RegistryUnreachable extends SchemaRegistryFailure {
    public RegistryUnreachable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * The registry does not know the id, or knows another schema by it: another registry assigned it, or the schema was
   * deleted, or the value is one of another topic.
   */
  public static final class UnknownSchema extends SchemaRegistryFailure {
    private final boolean other;

    public UnknownSchema(String message) {
      this(message, false);
    }

    UnknownSchema(String message, boolean other) {
      super(message, null);
      this.other = other;
    }

    /** Whether the registry knows another schema by the id. */
    public boolean isOther() {
      return other;
    }
  }

  /** The registry does not accept the schema. */
  public static final class RejectedByRegistry extends SchemaRegistryFailure {
    public RejectedByRegistry(String message) {
      super(message, null);
    }
  }
}
