package io.tidemark.ledger;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record about to be written: all but its time.
 *
 * @param partition null where the key says it
 * @param value null for a tombstone
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares drafts
record PendingRecord(
    String topic,
    @Nullable Integer partition,
    @Nullable String key,
    byte @Nullable [] value,
    Map<String, String> headers) {

  /** What Kafka adds to key, value and headers, generously: lengths, offsets, times. */
  private static final int OVERHEAD = 128;

  private static final int HEADER_OVERHEAD = 8;

  static PendingRecord of(String topic, String key, byte @Nullable [] value) {
    return new PendingRecord(topic, null, key, value, Map.of());
  }

  PendingRecord withHeaders(Map<String, String> more) {
    return new PendingRecord(topic, partition, key, value, more);
  }

  ProducerRecord<byte[], byte[]> stamped(Instant stamp) {
    var made = new ProducerRecord<byte[], byte[]>(
        topic, partition, stamp.toEpochMilli(), key == null ? null : bytes(key), value);
    headers.forEach((name, text) -> made.headers().add(name, bytes(text)));
    return made;
  }

  int size() {
    var size = OVERHEAD + (key == null ? 0 : bytes(key).length) + (value == null ? 0 : value.length);
    for (var header : headers.entrySet()) {
      size += HEADER_OVERHEAD + bytes(header.getKey()).length + bytes(header.getValue()).length;
    }
    return size;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
