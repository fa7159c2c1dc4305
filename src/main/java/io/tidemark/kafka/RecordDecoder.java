package io.tidemark.kafka;

import io.tidemark.event.Watch;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * A decoder of the records of one topic, which reports why a record cannot be decoded. Every reader of the topic uses
 * this class, so that a record is readable either for all readers or for none. Thread-safe.
 */
public record RecordDecoder<V extends SpecificRecord>(Topic<V> topic, AvroSerde<V> serde) {

  /**
   * Decodes the key of a record. Returns null if the record has no key and the records of the topic need none.
   *
   * @throws UnreadableRecordException if the key is missing, too large or not UTF-8
   */
  public @Nullable String key(byte @Nullable [] bytes) {
    if (bytes == null) {
      if (topic.isKeyed()) {
        throw unreadable(UnreadableReason.MISSING_KEY, "a record without a key");
      }
      return null;
    }
    if (bytes.length > RecordLimits.KEY) {
      throw unreadable(UnreadableReason.TOO_LARGE,
          "a key of %d bytes; readers take at most %d".formatted(bytes.length, RecordLimits.KEY));
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw unreadable(UnreadableReason.BAD_KEY, "a key that is not UTF-8");
    }
  }

  /**
   * Decodes the value of a record, or returns null for a tombstone of a compacted topic.
   *
   * @throws UnreadableRecordException if the bytes are too large or not a value of the topic, if the registry does
   *     not know their schema or it is not Avro, or for a tombstone if the topic is not compacted
   * @throws SchemaRegistryFailure if the registry does not answer or rejects the request, or if it does not know a
   *     schema yet that it may still learn. In the topic {@code watch}, such a schema makes the record unreadable at
   *     once: any command may write there, perhaps with another registry, and no reader may wait for its schema
   */
  public @Nullable V value(byte @Nullable [] bytes) {
    if (bytes == null) {
      if (!topic.cleanup().isCompacted()) {
        throw unreadable(UnreadableReason.MISSING_VALUE, "a tombstone, in a topic that is not compacted");
      }
      return null;
    }
    if (bytes.length > RecordLimits.BATCH) {
      throw unreadable(UnreadableReason.TOO_LARGE,
          "a value of %d bytes; readers take at most %d".formatted(bytes.length, RecordLimits.BATCH));
    }
    try {
      return serde.decode(topic.name(), bytes);
    } catch (SchemaRegistryFailure.UnknownSchema e) {
      throw UnreadableRecordException.of(e);
    } catch (SchemaRegistryFailure.RegistryUnreachable e) {
      throw topic.value().equals(Watch.class) && e.getCause() instanceof SchemaRegistryFailure.UnknownSchema unknown
          ? UnreadableRecordException.of(unknown)
          : e;
    }
  }

  /** Returns a deserializer of keys that throws the same exceptions as {@link #key}. */
  public Deserializer<String> keys() {
    return (name, bytes) -> key(bytes);
  }

  /** Returns a deserializer of values that throws the same exceptions as {@link #value}. */
  public Deserializer<V> values() {
    return (name, bytes) -> value(bytes);
  }

  private UnreadableRecordException unreadable(UnreadableReason reason, String what) {
    return new UnreadableRecordException(reason, "topic %s: %s".formatted(topic.name(), what));
  }
}
