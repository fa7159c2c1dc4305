package io.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A committed record of a topic.
 *
 * @param timestamp milliseconds since 1970
 * @param headers values of the headers as UTF-8 text, by name; if several headers have the same name, the value of
 *     the last of these headers
 * @param size size of key and value in bytes
 * @param value decoded value; null for a tombstone, for an unreadable record, and for a record of a topic that was
 *     not given to the reader's constructor
 * @param unreadable the same record with the reason why it is unreadable; null if it is readable
 */
public record CommittedRecord(
    String topic, int partition, long offset, long timestamp, @Nullable String key, Map<String, String> headers,
    int size, @Nullable SpecificRecord value, @Nullable UnreadableRecord unreadable) {

  /**
   * The position of a record.
   *
   * @param key key of the record; empty if the record has no key
   */
  public record RecordPosition(String topic, int partition, long offset, String key) {}

  static CommittedRecord of(
      ConsumerRecord<byte[], byte[]> record, @Nullable SpecificRecord value, @Nullable UnreadableRecord unreadable) {
    var headers = new HashMap<String, String>();
    record.headers()
        .forEach(header -> headers.put(header.key(), header.value() == null ? "" : new String(header.value(), UTF_8)));
    return new CommittedRecord(record.topic(), record.partition(), record.offset(), record.timestamp(),
        record.key() == null ? null : new String(record.key(), UTF_8), headers,
        Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize()), value, unreadable);
  }

  /** Returns the key, or an empty string if the record has no key. */
  public String keyText() {
    return key == null ? "" : key;
  }

  public Instant time() {
    return Instant.ofEpochMilli(timestamp);
  }

  /** Returns the value of a header, or an empty string if the record does not have the header. */
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  public RecordPosition position() {
    return new RecordPosition(topic, partition, offset, keyText());
  }

  /** Returns topic, partition and offset as text for messages. */
  public String location() {
    return topic + ", partition " + partition + ", offset " + offset;
  }
}
