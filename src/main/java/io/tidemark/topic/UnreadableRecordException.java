package io.tidemark.topic;

import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** A record that its reader cannot use, whoever reads it again: the bytes are wrong, not the network or the cluster. */
public final class UnreadableRecordException extends SerializationException {

  private final UnreadableReason reason;

  /** Why a record cannot be used: a closed set, for metrics and dead letters. */
  public enum UnreadableReason {
    MISSING_KEY("missing_key"),
    /** In a topic that is not compacted: a tombstone there means nothing. */
    MISSING_VALUE("missing_value"),
    /** The key is not UTF-8. */
    BAD_KEY("bad_key"),
    /** The value does not begin with a zero byte and an id: another program's. */
    NO_SCHEMA_ID("no_schema_id"),
    UNKNOWN_SCHEMA("unknown_schema"),
    /** The value is one of another topic. */
    OTHER_SCHEMA("other_schema"),
    MALFORMED("malformed"),
    TOO_LARGE("too_large"),
    /** The value is readable, and its processing failed. */
    UNPROCESSABLE("unprocessable");

    private final String wire;

    UnreadableReason(String wire) {
      this.wire = wire;
    }

    /** As in the dead letter. */
    public String wire() {
      return wire;
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

  /** The failure to decode a value whose schema the registry does not have, or has as another one. */
  static UnreadableRecordException of(SchemaRegistryFailure.UnknownSchema failure) {
    var reason = failure.isOther() ? UnreadableReason.OTHER_SCHEMA : UnreadableReason.UNKNOWN_SCHEMA;
    return new UnreadableRecordException(reason, String.valueOf(failure.getMessage()), failure);
  }

  /** What is wrong with the record among the causes of a failure; null where the failure is none of the record's. */
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
