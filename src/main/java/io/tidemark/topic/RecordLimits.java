package io.tidemark.topic;

import io.tidemark.topic.UnreadableRecordException.UnreadableReason;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * How large records may be. Each limit leaves room for the one before it, so that a record that passed one check fails
 * no later one: record 1 MiB, request 2 MiB, batch 8 MiB.
 */
public final class RecordLimits {

  /** A record with key, headers and overhead: what brokers and their topics accept by default. */
  public static final int RECORD = 1 << 20;

  /** Room for what surrounds a value: key, headers, batch. */
  private static final int AROUND_VALUE = 64 << 10;

  /** A value that streams store or write. Internal topics may have the broker's defaults. */
  public static final int VALUE = RECORD - AROUND_VALUE;

  /** A key: half of what surrounds a value. */
  public static final int KEY = AROUND_VALUE / 2;

  /** {@code max.request.size} of producers, which estimate the size of a record from above. */
  public static final int REQUEST = 2 * RECORD;

  /** {@code max.message.bytes} of topics, for a batch of many records, and the largest value that readers decode. */
  public static final int BATCH = 8 * RECORD;

  /** {@code fetch.max.bytes} of consumers, which keep what they fetched until it is polled. Kafka's default is 50 MiB. */
  public static final int FETCH = 2 * BATCH;

  private RecordLimits() {}

  /**
   * Bounds the values of a serde by {@link #VALUE}. A larger one fails before it is stored or sent: a producer in a
   * transaction that refuses a record refuses the whole transaction.
   *
   * @param name of the store or topic, for the message
   */
  public static <V> Serde<V> bounded(String name, Serde<V> values) {
    Deserializer<V> deserializer = values.deserializer();
    return Serdes.serdeFrom((topic, value) -> {
      var bytes = values.serializer().serialize(topic, value);
      if (bytes != null && bytes.length > VALUE) {
        throw new UnreadableRecordException(UnreadableReason.TOO_LARGE,
            "what follows from it has %d bytes in %s; at most %d are stored or written"
                .formatted(bytes.length, name, VALUE),
            null);
      }
      return bytes;
    }, deserializer);
  }
}
