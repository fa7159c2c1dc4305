package io.tidemark.topic;

import io.tidemark.topic.UnreadableRecordException.UnreadableReason;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the records of one topic, and says what is wrong with those that it cannot decode: every reader uses it, so
 * that a record is readable for all of them or for none. Thread-safe.
 */
public record RecordDecoder<V extends SpecificRecord>(Topic<V> topic, AvroSerde<V> serde) {

  /**
   * The key; null where records of the topic have none.
   *
   * @throws UnreadableRecordException if it is missing or no text
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
   * The value; null in a tombstone, of a compacted topic.
   *
   * @throws UnreadableRecordException if the bytes are no value of the topic
   * @throws SchemaRegistryFailure if the registry does not answer
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
    }
  }

  /** For keys; throws what {@link #key} throws. */
  public Deserializer<String> keys() {
    return (name, bytes) -> key(bytes);
  }

  /** For values; throws what {@link #value} throws. */
  public Deserializer<V> values() {
    return (name, bytes) -> value(bytes);
  }

  private UnreadableRecordException unreadable(UnreadableReason reason, String what) {
    return new UnreadableRecordException(reason, "topic %s: %s".formatted(topic.name(), what));
  }
}
