package io.tidemark.stream;

import com.google.common.hash.Hashing;
import io.tidemark.event.DeadLetter;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.SchemaRegistryFailure;
import io.tidemark.topic.Topic;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what follows an unreadable record: it is written to the dead letters, in the transaction of the records read
 * with it, and the application continues. Where the registry does not give the schema, it stops: another version, or a
 * later attempt, can read the record.
 */
public final class UnreadableRecordPolicy implements DeserializationExceptionHandler {

  /** The setting that holds the {@link DeadLetterSink}. */
  static final String DEAD_LETTERS = "tidemark.dead-letters";

  private static final Logger LOG = LoggerFactory.getLogger(UnreadableRecordPolicy.class);
  private static final int MAX_BODY = 512 << 10;

  private DeadLetterSink deadLetters;

  /** The topic of dead letters, the registry of its schema, and the count of dead letters written. */
  record DeadLetterSink(Topic<DeadLetter> topic, SchemaRegistry registry, LongAdder written) {}

  /** Kafka creates it, then calls {@link #configure}. */
  @SuppressWarnings("NullAway.Init")
  public UnreadableRecordPolicy() {}

  @Override
  public void configure(Map<String, ?> settings) {
    deadLetters = (DeadLetterSink) Objects.requireNonNull(settings.get(DEAD_LETTERS), DEAD_LETTERS);
  }

  @Override
  public Response handleError(ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception failure) {
    if (Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause)
        .anyMatch(SchemaRegistryFailure.class::isInstance)) {
      return Response.fail();
    }
    var position = "%s/%d/%d".formatted(record.topic(), record.partition(), record.offset());
    LOG.warn("{} is unreadable and goes to {}, the application continues: {}", position, deadLetters.topic().name(),
        failure.getMessage());
    deadLetters.written().increment();
    return Response.resume(List.of(deadLetter(position, record, failure)));
  }

  private ProducerRecord<byte[], byte[]> deadLetter(
      String position, ConsumerRecord<byte[], byte[]> record, Exception failure) {
    var value = record.value() == null ? new byte[0] : record.value();
    var at = Instant.ofEpochMilli(record.timestamp());
    var deadLetter = DeadLetter.newBuilder()
        .setOperation("stream")
        .setTarget(position)
        .setReason(String.valueOf(failure.getMessage()))
        .setSentAt(at)
        .setReceivedAt(at)
        .setLength(value.length)
        .setDigest(Hashing.sha256().hashBytes(value).toString())
        .setTruncated(value.length > MAX_BODY)
        .setBody(ByteBuffer.wrap(Arrays.copyOf(value, Math.min(value.length, MAX_BODY))))
        .build();
    var topic = deadLetters.topic();
    var bytes = topic.serde(deadLetters.registry()).encode(topic.name(), deadLetter);
    return new ProducerRecord<>(
        topic.name(), null, record.timestamp(), position.getBytes(StandardCharsets.UTF_8), bytes);
  }
}
