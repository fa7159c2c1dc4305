package io.tidemark.kafka;

import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * A failure to use a record that the record itself causes. Reading it again fails in the same way, unlike after a
 * failure of the network or the cluster.
 */
public final class UnreadableRecordException extends SerializationException {

  private final UnreadableReason reason;

  /** The reason why a record cannot be used: a closed set, for metrics and dead letters. */
  public enum UnreadableReason {
    MISSING_KEY,
    /**
     * The record is a tombstone that readers cannot interpret, such as a tombstone in a topic that is not compacted.
     */
    MISSING_VALUE,
    /** The record lacks the header that the topic's only writer gives every record, so another program wrote it. */
    MISSING_HEADER,
    /** The key is not UTF-8. */
    BAD_KEY,
    /** The value does not begin with a zero byte and a schema id, so another program wrote it. */
    NO_SCHEMA_ID,
    UNKNOWN_SCHEMA,
    /**
     * The value's schema id is that of a schema with another name, or of one that is not Avro: the value belongs to
     * another topic or program, or another registry assigned the id.
     */
    OTHER_SCHEMA,
    MALFORMED,
    TOO_LARGE,
    /** The value is readable, but its processing failed. */
    UNPROCESSABLE;

    /** Returns the name of the reason in dead letters and in JSON. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public UnreadableRecordException(UnreadableReason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  UnreadableRecordException(UnreadableReason reason, String message) {
    this(reason, message, null);
  }

  public UnreadableReason reason() {
    return reason;
  }

  public static UnreadableRecordException of(SchemaRegistryFailure.UnknownSchema failure) {
    return new UnreadableRecordException(
        UnreadableReason.UNKNOWN_SCHEMA, String.valueOf(failure.getMessage()), failure);
  }

  /**
   * Returns the first exception in a failure's chain of causes that says what is wrong with a record, or null if an
   * unreadable record did not cause the failure.
   */
  public static @Nullable UnreadableRecordException in(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .map(UnreadableRecordException::ofOne)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable UnreadableRecordException ofOne(Throwable failure) {
    return switch (failure) {
      case UnreadableRecordException unreadable -> unreadable;
      case SchemaRegistryFailure.UnknownSchema unknown -> of(unknown);
      case SerializationException other ->
          new UnreadableRecordException(UnreadableReason.MALFORMED, String.valueOf(other.getMessage()), other);
      default -> null;
    };
  }
}
