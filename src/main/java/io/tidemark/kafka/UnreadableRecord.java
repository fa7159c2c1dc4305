package io.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.DeadLetter;
import io.tidemark.event.DeadLetterBody;
import io.tidemark.event.QuarantinedRecord;
import io.tidemark.event.SafeText;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that a reader cannot use: its position, its bytes, and the reason why it cannot be used.
 *
 * @param timestamp milliseconds since 1970, as set by the record's writer
 * @param detail what is wrong, for people
 */
@SuppressWarnings("ArrayRecordComponent") // the arrays are never compared
public record UnreadableRecord(
    String topic, int partition, long offset, long timestamp, byte @Nullable [] key, byte @Nullable [] value,
    UnreadableReason reason, String detail) {

  private static final int LONGEST_KEY = 1000;
  private static final int LONGEST_KEY_TEXT = 100;
  private static final int LONGEST_DETAIL = 500;

  /** Shortens the detail, which may repeat text of the record. */
  public UnreadableRecord {
    detail = SafeText.singleLine(detail, LONGEST_DETAIL);
  }

  public static UnreadableRecord of(ConsumerRecord<byte[], byte[]> record, UnreadableRecordException failure) {
    return new UnreadableRecord(record.topic(), record.partition(), record.offset(), record.timestamp(), record.key(),
        record.value(), failure.reason(), String.valueOf(failure.getMessage()));
  }

  /** Returns the target of the record's dead letter: {@code topic/partition/offset}. */
  public String position() {
    return "%s/%d/%d".formatted(topic, partition, offset);
  }

  /** Returns the record's position, its key and what is wrong with it, for people. */
  public String describe() {
    var text = key == null ? "no key" : "key " + SafeText.escaped(new String(key, UTF_8), LONGEST_KEY_TEXT);
    return "topic %s, partition %d, offset %d, %s: %s".formatted(topic, partition, offset, text, detail);
  }

  /** Returns the record's dead letter, which holds as much of the value as fits. {@code readAt} is the current time. */
  DeadLetter deadLetter(String source, String role, Instant readAt) {
    var deadLetter = DeadLetter.newBuilder()
        .setSource(source)
        .setOperation(role)
        .setTarget(position())
        .setReason(describe())
        .setSentAt(Instant.ofEpochMilli(timestamp))
        .setReceivedAt(readAt)
        .setRecord(quarantined(role));
    return DeadLetterBody.putInto(deadLetter, value == null ? new byte[0] : value);
  }

  private QuarantinedRecord quarantined(String role) {
    return QuarantinedRecord.newBuilder()
        .setTopic(topic)
        .setPartition(partition)
        .setOffset(offset)
        .setTimestamp(Instant.ofEpochMilli(timestamp))
        .setKey(key == null ? null : ByteBuffer.wrap(Arrays.copyOf(key, Math.min(key.length, LONGEST_KEY))))
        .setRole(role)
        .setReason(reason.wire())
        .build();
  }
}
