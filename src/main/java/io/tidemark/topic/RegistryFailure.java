package io.tidemark.topic;

import org.jspecify.annotations.Nullable;

/** Why a registry did not give what it was asked for. Messages never hold a password. */
public abstract sealed class RegistryFailure extends RuntimeException {
  private RegistryFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** No answer, or one of a server in trouble: asking again later may help. */
  public static final class RegistryUnreachable extends RegistryFailure {
    public RegistryUnreachable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** It does not know the id: written with another registry, or taken from it since. */
  public static final class UnknownSchema extends RegistryFailure {
    public UnknownSchema(String message) {
      super(message, null);
    }
  }

  /** It does not accept the schema, the login or the question. */
  public static final class RejectedByRegistry extends RegistryFailure {
    public RejectedByRegistry(String message) {
      super(message, null);
    }
  }
}
