package io.tidemark.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** The writing of a source until the first failure: after it nothing more is written, and everyone hears of it. */
final class TransactionalWriter {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final String source;
  private final Producer<byte[], byte[]> producer;
  private final LedgerListener commits;
  private volatile @Nullable RuntimeException failure;

  private TransactionalWriter(String source, Producer<byte[], byte[]> producer, LedgerListener commits) {
    this.source = source;
    this.producer = producer;
    this.commits = commits;
  }

  /** @throws LedgerFailure if Kafka's address, or what else is set for it, is of no use now */
  static TransactionalWriter of(LedgerSettings settings, ProducerFactory producers, LedgerListener commits) {
    try {
      return new TransactionalWriter(settings.source(), producers.create(LedgerClients.producer(settings)), commits);
    } catch (RuntimeException e) {
      throw LedgerFailure.of(settings.source(), "reach Kafka", e);
    }
  }

  /** Whoever wrote under the same name cannot any longer; what it did not commit is gone. */
  void fenceOthers() {
    producer.initTransactions();
  }

  /** One transaction, all of one time. */
  void write(Instant stamp, List<PendingRecord> drafts) {
    checkOpen();
    var begun = System.nanoTime();
    producer.beginTransaction();
    drafts.forEach(draft -> checkQueued(producer.send(draft.stamped(stamp))));
    producer.commitTransaction();
    commits.committed(drafts.size(), Duration.ofNanos(System.nanoTime() - begun));
  }

  /** What waited in vain, as for a topic the producer has not learned of, ends it before the rest waits as long. */
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

  /** To be called with whatever goes wrong; the first ends it. */
  LedgerFailure fail(String doing, RuntimeException cause) {
    var failure = LedgerFailure.of(source, doing, cause);
    if (failure == null) {
      failure = failure;
      producer.close(Duration.ZERO);
    }
    return failure;
  }

  void close() {
    if (failure == null) {
      failure = new IllegalStateException("source %s: its ledger is closed".formatted(source));
      producer.close(CLOSE_TIMEOUT);
    }
  }
}
