package io.tidemark.capture.ledger;

import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a ledger ended or could not start, or why a rebuild failed. If a commit failed, it is unknown
 * whether its transaction was committed. If the transaction was committed, a new ledger restores the records that it
 * wrote.
 */
public abstract sealed class LedgerFailure extends RuntimeException {
  private LedgerFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Another instance is the owner of the source now. */
  public static final class Fenced extends LedgerFailure {
    Fenced(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * A failure that may pass, so that a new session may succeed: Kafka or the registry did not answer, a transaction
   * was open for too long, the process was suspended, or the registry does not know a schema.
   */
  public static sealed class TimedOut extends LedgerFailure {
    public TimedOut(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Kafka answers that a topic does not exist. If the topic is one of the {@link StateTopics}, a new session is
   * refused. Otherwise it can succeed once the topic exists again.
   */
  public static final class TopicMissing extends TimedOut {
    TopicMissing(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * The committed records do not allow a start or a rebuild, for example because they contradict the configuration or
   * because records are lost. A new attempt is refused too until the cause is removed.
   */
  public static final class Refused extends LedgerFailure {
    Refused(String message) {
      super(message, null);
    }
  }

  /** Any other failure. */
  public static final class Unexpected extends LedgerFailure {
    Unexpected(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Classifies a failure. Returns a {@link LedgerFailure} as it is. {@code doing} is the failed action, as the verb
   * after "cannot" in the message, such as {@code commit}.
   */
  public static LedgerFailure of(String source, String doing, RuntimeException cause) {
    if (cause instanceof LedgerFailure known) {
      return known;
    }
    var failed = "source %s: cannot %s: ".formatted(source, doing);
    if (has(cause, ProducerFencedException.class) || has(cause, InvalidProducerEpochException.class)) {
      return new Fenced(failed + "another instance is now the owner of the source", cause);
    }
    if (cause instanceof SchemaRegistryFailure.RegistryUnreachable) {
      return new TimedOut(failed + cause.getMessage(), cause);
    }
    if (has(cause, InvalidTimestampException.class)) {
      return new Unexpected(
          failed + "Kafka refuses the timestamps of its records; is the clock of this machine more than an hour fast?",
          cause);
    }
    if (isTopicMissing(cause)) {
      return new TopicMissing(
          failed + "a topic is missing; was it deleted? The next start of the program creates the topic again, or"
              + " reports the loss if the topic held states (" + details(cause) + ")",
          cause);
    }
    if (has(cause, InvalidTxnStateException.class)) {
      return new TimedOut(
          failed
              + "Kafka ended the transaction before the commit, as it does if a transaction is open for longer than a"
              + " minute; was this process suspended, or its machine overloaded? (" + details(cause) + ")",
          cause);
    }
    if (has(cause, RetriableException.class) || isUnresolvable(cause) || isUnacknowledged(cause)) {
      return new TimedOut(
          failed + "Kafka does not answer; is the cluster up, are its disks healthy? (" + cause.getMessage() + ")",
          cause);
    }
    return new Unexpected(failed + describe(root(cause)), cause);
  }

  private static String describe(Throwable root) {
    var message = root.getMessage();
    return switch (root) {
      case AuthorizationException denied ->
          "Kafka does not allow it; has the user lost a right that docs/running/security.md names? (" + message + ")";
      case RecordTooLargeException large ->
          "Kafka refuses a record because it is too large; was max.message.bytes of a topic made smaller? The next "
              + "start of the program sets max.message.bytes again (" + message + ")";
      default -> root.toString();
    };
  }

  /**
   * Returns whether the client rejected {@code bootstrap.servers}, as it does if no broker's name can be resolved,
   * which is often the case while a cluster is stopped.
   */
  private static boolean isUnresolvable(Throwable failure) {
    return causes(failure)
        .anyMatch(
            cause -> cause instanceof ConfigException && String.valueOf(cause.getMessage()).contains("bootstrap"));
  }

  /**
   * Returns whether the broker did not acknowledge sent records within the delivery timeout. The client reports it as a
   * bare {@link KafkaException}, so that only the message tells.
   */
  private static boolean isUnacknowledged(Throwable failure) {
    return causes(failure).anyMatch(cause -> cause instanceof KafkaException
        && String.valueOf(cause.getMessage()).contains("hasn't received acknowledgment"));
  }

  /**
   * Returns whether a broker said that a topic is missing. A producer that no broker answers times out as well, without
   * such a cause. Only the message tells that a topic was created again with fewer partitions.
   */
  static boolean isTopicMissing(Throwable failure) {
    return has(failure, UnknownTopicOrPartitionException.class) || has(failure, UnknownTopicIdException.class)
        || causes(failure).anyMatch(cause -> cause instanceof TimeoutException
            && String.valueOf(cause.getMessage()).contains("with partition count"));
  }

  private static String details(Throwable failure) {
    var message = String.valueOf(failure.getMessage());
    var root = String.valueOf(root(failure).getMessage());
    return message.contains(root) ? message : message + ": " + root;
  }

  private static boolean has(Throwable failure, Class<? extends Throwable> type) {
    return causes(failure).anyMatch(type::isInstance);
  }

  private static Throwable root(Throwable failure) {
    return causes(failure).reduce(failure, (outer, inner) -> inner);
  }

  private static Stream<@Nullable Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, one -> one != null, one -> one == null ? null : one.getCause());
  }
}
