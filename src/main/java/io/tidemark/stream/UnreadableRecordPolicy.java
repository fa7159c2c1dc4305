package io.tidemark.stream;

import io.tidemark.event.DeadLetter;
import io.tidemark.topic.RegistryFailure;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
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
 * What is on a topic and is none of its values: it goes to the dead letters, with the transaction of what was read
 * beside it, and the rest goes on. A value of a schema that cannot be had is no poison, for another version or another
 * moment can read it: that stops.
 */
public final class UnreadableRecordPolicy implements DeserializationExceptionHandler {

  /** Setting that holds where letters go. */
  static final String DEAD_LETTERS = "tidemark.dead-letters";

  private static final Logger log = LoggerFactory.getLogger(UnreadableRecordPolicy.class);
  private static final int LARGEST_BODY = 512 << 10;

  private DeadLetterSink deadLetters;

  /** The topic of dead letters, the registry of what is on it, and how many were written. */
  record DeadLetterSink(Topic<DeadLetter> topic, SchemaRegistry registry, LongAdder written) {}

  /** Made by Kafka, which then configures it. */
  @SuppressWarnings("NullAway.Init")
  public UnreadableRecordPolicy() {}

  @Override
  public void configure(Map<String, ?> settings) {
    deadLetters = (DeadLetterSink) Objects.requireNonNull(settings.get(DEAD_LETTERS), DEAD_LETTERS);
  }

  @Override
  public Response handleError(ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception failure) {
    if (Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause)
        .anyMatch(RegistryFailure.class::isInstance)) {
      return Response.fail();
    }
    var place = "%s/%d/%d".formatted(record.topic(), record.partition(), record.offset());
    log.warn("{} cannot be read and goes to {}: {}", place, deadLetters.topic().name(), failure.getMessage());
    deadLetters.written().increment();
    return Response.resume(List.of(deadLetter(place, record, failure)));
  }

  private ProducerRecord<byte[], byte[]> deadLetter(
      String place, ConsumerRecord<byte[], byte[]> record, Exception failure) {
    var value = record.value() == null ? new byte[0] : record.value();
    var at = Instant.ofEpochMilli(record.timestamp());
    var letter = DeadLetter.newBuilder()
        .setOperation("stream")
        .setTarget(place)
        .setReason(String.valueOf(failure.getMessage()))
        .setSentAt(at)
        .setReceivedAt(at)
        .setLength(value.length)
        .setDigest(sha256(value))
        .setTruncated(value.length > LARGEST_BODY)
        .setBody(ByteBuffer.wrap(Arrays.copyOf(value, Math.min(value.length, LARGEST_BODY))))
        .build();
    var topic = deadLetters.topic();
    var bytes = topic.serde(deadLetters.registry()).encode(topic.name(), letter);
    return new ProducerRecord<>(
        topic.name(), null, record.timestamp(), place.getBytes(StandardCharsets.UTF_8), bytes);
  }

  private static String sha256(byte[] value) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
