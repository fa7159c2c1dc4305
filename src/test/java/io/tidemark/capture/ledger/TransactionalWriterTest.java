package io.tidemark.capture.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.capture.ledger.Ledger.TransactionalWriter;
import io.tidemark.capture.ledger.TransactionBuffer.PendingRecord;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.Topics;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class TransactionalWriterTest {

  static final LedgerSettings SETTINGS = new LedgerSettings(
      "main", "instance-1", new Topics("t.", Retention.DEFAULT), new TopicLayout(1, (short) 1), Map.of(),
      TestSource.OPEN_TRANSACTION_WAIT);

  final List<String> called = new ArrayList<>();

  /** Kafka's producer waits half a minute for each record of an unknown topic. */
  @Test
  void recordThatTimesOut_isTheLastThatIsSent() {
    var writer = TransactionalWriter.open(SETTINGS, config -> producer(), LedgerListener.NONE);
    var pending =
        Collections.nCopies(20, new PendingRecord("t.pool.listing", null, new byte[1], new byte[1], Map.of()));

    assertThatThrownBy(() -> writer.write(Instant.EPOCH, pending)).hasRootCauseInstanceOf(TimeoutException.class);

    assertThat(called).containsExactly("beginTransaction", "send");
  }

  @SuppressWarnings("unchecked")
  private Producer<byte[], byte[]> producer() {
    return (Producer<byte[], byte[]>) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {Producer.class}, (producer, method, arguments) -> {
          called.add(method.getName());
          return method.getName().equals("send")
              ? CompletableFuture.failedFuture(new TimeoutException("no metadata"))
              : null;
        });
  }
}
