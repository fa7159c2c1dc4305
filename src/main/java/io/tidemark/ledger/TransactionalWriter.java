package io.tidemark.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Writes the transactions of a source until the first failure. After it nothing more is written, and every call fails. */
final class TransactionalWriter {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final String source;
  private final Producer<byte[], byte[]> producer;
  private final LedgerListener listener;
  private volatile @Nullable RuntimeException failure;

  private TransactionalWriter(String source, Producer<byte[], byte[]> producer, LedgerListener listener) {
    this.source = source;
    this.producer = producer;
    this.listener = listener;
  }

  /** @throws LedgerFailure if no producer can be created, as where no broker's name is known */
  static TransactionalWriter open(LedgerSettings settings, ProducerFactory producers, LedgerListener listener) {
    try {
      var producer = producers.create(LedgerClients.producer(settings));
      listener.producerCreated(producer);
      return new TransactionalWriter(settings.source(), producer, listener);
    } catch (RuntimeException e) {
      throw LedgerFailure.of(settings.source(), "reach Kafka", e);
    }
  }

  /** Fences every other writer of the source. Transactions that it did not commit are aborted. */
  void fenceOthers() {
    producer.initTransactions();
  }

  /** Commits records in one transaction, all with one timestamp. */
  void write(Instant stamp, List<PendingRecord> records) {
    checkOpen();
    var begun = System.nanoTime();
    producer.beginTransaction();
    records.forEach(record -> checkQueued(producer.send(record.stamped(stamp))));
    producer.commitTransaction();
    listener.committed(records.size(), Duration.ofNanos(System.nanoTime() - begun));
  }

  /** Fails at the first record that timed out, as for an unknown topic, before each of the others does. */
  private static void checkQueued(Future<?> record) {
    if (record.isDone() && record.state() == Future.State.FAILED) {
      throw new KafkaException(record.exceptionNow());
    }
  }

  void checkOpen() {
    if (failure != null) {
      throw failure;
    }
  }

  /** Ends the writing at the first failure. To be called with every one. */
  LedgerFailure fail(String doing, RuntimeException cause) {
    var newest = LedgerFailure.of(source, doing, cause);
    if (failure == null) {
      failure = newest;
      producer.close(Duration.ZERO);
    }
    return newest;
  }

  void close() {
    if (failure == null) {
      failure = new IllegalStateException("source %s: its ledger is closed".formatted(source));
      producer.close(CLOSE_TIMEOUT);
    }
  }
}
