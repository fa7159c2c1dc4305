package io.tidemark.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Why this life of a source ended: nothing of the transaction can be relied on, neither that it is in Kafka nor that it
 * is not. The ledger is closed; what is true is what a new one restores.
 */
public abstract sealed class LedgerFailure extends RuntimeException {
  private LedgerFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Another instance writes the source now. */
  public static final class Fenced extends LedgerFailure {
    Fenced(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Kafka did not answer in time. */
  public static final class TimedOut extends LedgerFailure {
    TimedOut(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Anything else that Kafka or the registry did not take. */
  public static final class Other extends LedgerFailure {
    Other(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
