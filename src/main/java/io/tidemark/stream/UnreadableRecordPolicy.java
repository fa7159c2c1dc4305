package io.tidemark.stream;

import io.tidemark.event.DeadLetter;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.Quarantine;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.SchemaRegistryFailure;
import io.tidemark.topic.Topic;
import io.tidemark.topic.UnreadableRecord;
import io.tidemark.topic.UnreadableRecordException;
import io.tidemark.topic.UnreadableRecordException.UnreadableReason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Decides what follows a record that cannot be used: it is quarantined, with its dead letter in the transaction of the
 * records read beside it, and the application goes on. That holds for a record that cannot be decoded, for one whose
 * processing fails, and for one of which too large a record would follow.
 *
 * <p>The application stops where another attempt may succeed, as where the registry does not answer, and where
 * processing fails so often that the program must be wrong, and not the records.
 */
public final class UnreadableRecordPolicy
    implements DeserializationExceptionHandler, ProcessingExceptionHandler, ProductionExceptionHandler {

  /** The setting that holds the {@link DeadLetterSink}. */
  static final String DEAD_LETTERS = "tidemark.dead-letters";

  private DeadLetterSink deadLetters;

  /** Kafka creates it, then calls {@link #configure}. */
  @SuppressWarnings("NullAway.Init")
  public UnreadableRecordPolicy() {}

  @Override
  public void configure(Map<String, ?> settings) {
    deadLetters = (DeadLetterSink) Objects.requireNonNull(settings.get(DEAD_LETTERS), DEAD_LETTERS);
  }

  @Override
  public DeserializationExceptionHandler.Response handleError(
      ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception failure) {
    var unreadable = UnreadableRecordException.in(failure);
    return unreadable == null
        ? DeserializationExceptionHandler.Response.fail()
        : DeserializationExceptionHandler.Response.resume(
            List.of(deadLetters.quarantine(UnreadableRecord.of(record, unreadable))));
  }

  @Override
  public ProcessingExceptionHandler.Response handleError(
      ErrorHandlerContext context, Record<?, ?> record, Exception failure) {
    var unusable = unusable(failure);
    return unusable == null || !deadLetters.goesOnAfter(unusable)
        ? ProcessingExceptionHandler.Response.fail()
        : ProcessingExceptionHandler.Response.resume(List.of(deadLetters.quarantine(source(context, unusable))));
  }

  /** As by default: no record is to blame for what Kafka does not take. */
  @Override
  public ProductionExceptionHandler.Response handleError(
      ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception failure) {
    return failure instanceof RetriableException
        ? ProductionExceptionHandler.Response.retry()
        : ProductionExceptionHandler.Response.fail();
  }

  /** A value that follows from a record is too large to be written; nothing of it was sent. */
  @Override
  @SuppressWarnings("rawtypes") // as in Kafka
  public ProductionExceptionHandler.Response handleSerializationError(
      ErrorHandlerContext context, ProducerRecord record, Exception failure, SerializationExceptionOrigin origin) {
    var unusable = UnreadableRecordException.in(failure);
    return unusable == null
        ? ProductionExceptionHandler.Response.fail()
        : ProductionExceptionHandler.Response.resume(List.of(deadLetters.quarantine(source(context, unusable))));
  }

  /** What is wrong with a record whose processing failed; null where Kafka, the disk or the registry is to blame. */
  private static @Nullable UnreadableRecordException unusable(Exception failure) {
    var unreadable = UnreadableRecordException.in(failure);
    if (unreadable != null) {
      return unreadable;
    }
    var isOfThePlatform = Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause)
        .anyMatch(cause -> cause instanceof KafkaException || cause instanceof SchemaRegistryFailure);
    return isOfThePlatform
        ? null
        : new UnreadableRecordException(UnreadableReason.UNPROCESSABLE, "its processing failed: " + failure, failure);
  }

  /** The record of the topic whose processing failed, somewhere behind it. */
  private static UnreadableRecord source(ErrorHandlerContext context, UnreadableRecordException failure) {
    return new UnreadableRecord(String.valueOf(context.topic()), context.partition(), context.offset(),
        context.timestamp(), context.sourceRawKey(), context.sourceRawValue(), failure.reason(),
        String.valueOf(failure.getMessage()));
  }

  /** Quarantines the records of one application, and encodes their dead letters. Thread-safe. */
  static final class DeadLetterSink {

    /** So many records whose processing fails within the period are the program's fault, and not theirs. */
    static final int MOST_FAILURES = 100;

    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final Topic<DeadLetter> topic;
    private final AvroSerde<DeadLetter> serde;
    private final Quarantine quarantine;
    private final InstantSource clock;
    private final Deque<Instant> failures = new ArrayDeque<>();

    DeadLetterSink(Topic<DeadLetter> topic, SchemaRegistry registry, Quarantine quarantine, InstantSource clock) {
      this.topic = topic;
      this.serde = topic.serde(registry);
      this.quarantine = quarantine;
      this.clock = clock;
    }

    private synchronized boolean goesOnAfter(UnreadableRecordException failure) {
      if (failure.reason() != UnreadableReason.UNPROCESSABLE) {
        return true;
      }
      var now = clock.instant();
      failures.removeIf(at -> at.isBefore(now.minus(PERIOD)));
      failures.add(now);
      return failures.size() <= MOST_FAILURES;
    }

    /** Its dead letter has the time of reading: with the record's own, retention might delete it at once. */
    private ProducerRecord<byte[], byte[]> quarantine(UnreadableRecord unreadable) {
      var deadLetter = quarantine.add(unreadable);
      return new ProducerRecord<>(topic.name(), deadLetter.getTarget().getBytes(StandardCharsets.UTF_8),
          serde.encode(topic.name(), deadLetter));
    }
  }
}
