package io.tidemark.stream;

import io.tidemark.event.DeadLetter;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.UnreadableRecord;
import io.tidemark.kafka.UnreadableRecordException;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
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
 * A policy for records that the stream application cannot use. Such a record is quarantined, its dead letter is written
 * in the current transaction, and the application continues. The policy applies to records that cannot be decoded, to
 * records whose processing fails, and to records from which a value is derived that is too large to be written.
 *
 * <p>The stream thread fails instead if another attempt may succeed, for example if the registry does not answer. It
 * also fails if processing fails so often that the program must be at fault, not the records. {@link
 * StreamFailurePolicy} then replaces the thread or stops the application.
 */
public final class UnreadableRecordPolicy
    implements DeserializationExceptionHandler, ProcessingExceptionHandler, ProductionExceptionHandler {

  /** Key of the setting that holds the {@link DeadLetterSink}. */
  static final String DEAD_LETTERS = "tidemark.dead-letters";

  private DeadLetterSink deadLetters;

  /** Creates an instance for Kafka, which then calls {@link #configure}. */
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

  /** Responds as Kafka Streams does by default, because no input record is to blame if Kafka rejects a write. */
  @Override
  public ProductionExceptionHandler.Response handleError(
      ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception failure) {
    return failure instanceof RetriableException
        ? ProductionExceptionHandler.Response.retry()
        : ProductionExceptionHandler.Response.fail();
  }

  /**
   * Quarantines an input record if a value derived from it is too large to be written. No part of the value was sent.
   */
  @Override
  @SuppressWarnings("rawtypes") // as in Kafka
  public ProductionExceptionHandler.Response handleSerializationError(
      ErrorHandlerContext context, ProducerRecord record, Exception failure, SerializationExceptionOrigin origin) {
    var unusable = UnreadableRecordException.in(failure);
    return unusable == null
        ? ProductionExceptionHandler.Response.fail()
        : ProductionExceptionHandler.Response.resume(List.of(deadLetters.quarantine(source(context, unusable))));
  }

  /** Returns the failure as a failure of the record, or null if Kafka, the disk or the registry is to blame. */
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

  /**
   * Returns the record whose processing failed in any node of the topology: a record of an input topic or, in the
   * second processor, of the repartition topic.
   */
  private static UnreadableRecord source(ErrorHandlerContext context, UnreadableRecordException failure) {
    return new UnreadableRecord(String.valueOf(context.topic()), context.partition(), context.offset(),
        context.timestamp(), context.sourceRawKey(), context.sourceRawValue(), failure.reason(),
        String.valueOf(failure.getMessage()));
  }

  /** A sink that quarantines the records of one application and encodes their dead letters. Thread-safe. */
  static final class DeadLetterSink {

    /**
     * Maximum number of records whose processing may fail within {@link #PERIOD}. If more records fail, the program
     * is at fault, not the records.
     */
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

    /**
     * Quarantines a record and returns its dead letter. The dead letter has the time of writing as its timestamp.
     * With the timestamp of the record, retention might delete the dead letter at once.
     */
    private ProducerRecord<byte[], byte[]> quarantine(UnreadableRecord unreadable) {
      var deadLetter = quarantine.add(unreadable);
      return new ProducerRecord<>(topic.name(), deadLetter.getTarget().getBytes(StandardCharsets.UTF_8),
          serde.encode(topic.name(), deadLetter));
    }
  }
}
