package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.topic.Retention;
import io.tidemark.topic.TopicLayout;
import io.tidemark.topic.Topics;
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
      "main", "instance-1", new Topics("t.", Retention.DEFAULT), new TopicLayout(1, (short) 1), Map.of());

  final List<String> called = new ArrayList<>();

  /** The real one waits half a minute for each record of a topic that it knows nothing of. */
  @Test
  void recordThatWaitsInVain_isTheLastThatWaits() {
    var life = TransactionalWriter.open(SETTINGS, config -> producer(), LedgerListener.NONE);
    var drafts = Collections.nCopies(20, PendingRecord.of("t.pool.listing", "eth_0xa", new byte[1]));

    assertThatThrownBy(() -> life.write(Instant.EPOCH, drafts)).hasRootCauseInstanceOf(TimeoutException.class);

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
