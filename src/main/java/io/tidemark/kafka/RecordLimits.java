package io.tidemark.kafka;

import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * Maximum sizes of a record (1 MiB), a request (2 MiB) and a batch (8 MiB), in bytes. Each maximum leaves room above
 * the previous one, so that a record that passes one check also passes the later checks.
 */
public final class RecordLimits {

  /**
   * Maximum size of a record with key, headers and overhead. It is just below the default limit of brokers and
   * topics.
   */
  public static final int RECORD = 1 << 20;

  /** Bytes reserved for everything in a record except its value: key, headers, and its part of the batch's overhead. */
  private static final int AROUND_VALUE = 64 << 10;

  /**
   * Maximum size of a value that the stream application stores or writes. A value of this size fits into internal
   * topics, which may have the broker's default limits.
   */
  public static final int VALUE = RECORD - AROUND_VALUE;

  /** Maximum size of a key: half of the bytes that are reserved for everything in a record except its value. */
  public static final int KEY = AROUND_VALUE / 2;

  /**
   * {@code max.request.size} of producers. It is twice {@link #RECORD}, since a producer compares this setting with an
   * upper bound of a record's size.
   */
  public static final int REQUEST = 2 * RECORD;

  /**
   * {@code max.message.bytes} of topics, for a batch of many records. Also the size of the largest value that readers
   * decode.
   */
  public static final int BATCH = 8 * RECORD;

  /**
   * {@code fetch.max.bytes} of the consumers of ledger, streams and {@link TopicReader}, which hold fetched records
   * in memory until the records are polled. Kafka's default is 50 MiB.
   */
  public static final int FETCH = 2 * BATCH;

  private RecordLimits() {}

  /**
   * Returns a serde that fails to serialize values larger than {@link #VALUE}. A value that is too large must fail
   * before it is stored or sent, since a producer that refuses one record of a transaction refuses the whole
   * transaction.
   *
   * @param name name of the store or topic, for the message
   */
  public static <V> Serde<V> bounded(String name, Serde<V> values) {
    Deserializer<V> deserializer = values.deserializer();
    return Serdes.serdeFrom((topic, value) -> {
      var bytes = values.serializer().serialize(topic, value);
      if (bytes != null && bytes.length > VALUE) {
        throw new UnreadableRecordException(UnreadableReason.TOO_LARGE,
            "what follows from it has %d bytes in %s; at most %d are stored or written"
                .formatted(bytes.length, name, VALUE));
      }
      return bytes;
    }, deserializer);
  }
}
