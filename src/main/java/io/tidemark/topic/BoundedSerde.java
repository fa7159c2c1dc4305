package io.tidemark.topic;

import io.tidemark.topic.UnreadableRecordException.UnreadableReason;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * Values of at most {@link RecordLimits#VALUE} bytes. A larger one fails before it is stored or sent: a producer in a
 * transaction that refuses a record refuses the whole transaction.
 */
public final class BoundedSerde {

  private BoundedSerde() {}

  /**
   * The same serde with this bound.
   *
   * @param name of the store or topic, for the message
   */
  public static <V> Serde<V> of(String name, Serde<V> values) {
    Deserializer<V> deserializer = values.deserializer();
    return Serdes.serdeFrom((topic, value) -> {
      var bytes = values.serializer().serialize(topic, value);
      if (bytes != null && bytes.length > RecordLimits.VALUE) {
        throw new UnreadableRecordException(UnreadableReason.TOO_LARGE,
            "what follows from it has %d bytes in %s; at most %d are stored or written"
                .formatted(bytes.length, name, RecordLimits.VALUE),
            null);
      }
      return bytes;
    }, deserializer);
  }
}
