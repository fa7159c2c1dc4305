package io.tidemark.stream;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Instant;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class StoreRestoreProgressTest {

  static final TopicPartition CHANGELOG = new TopicPartition("t.stream-members-changelog", 2);

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger log = (Logger) LoggerFactory.getLogger(StoreRestoreProgress.class);
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private final StoreRestoreProgress progress = new StoreRestoreProgress(() -> now);

  @BeforeEach
  void listen() {
    lines.start();
    log.addAppender(lines);
  }

  @AfterEach
  void leave() {
    log.detachAppender(lines);
  }

  @Test
  void longRestore_isLoggedNowAndThen() {
    progress.onRestoreStart(CHANGELOG, "members", 100, 1_100);
    restored(4, 250);
    restored(7, 250);
    restored(1, 250);
    progress.onRestoreEnd(CHANGELOG, "members", 1_000);

    assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly(
        "store members of partition 2: 500 of 1000 records restored, 50 %",
        "store members of partition 2: 1000 records restored in 12000 ms");
  }

  @Test
  void storeWithNothingToRestore_logsNothing() {
    progress.onRestoreStart(CHANGELOG, "members", 100, 100);
    progress.onRestoreEnd(CHANGELOG, "members", 0);

    assertThat(lines.list).isEmpty();
  }

  private void restored(int seconds, long records) {
    now = now.plusSeconds(seconds);
    progress.onBatchRestored(CHANGELOG, "members", 0, records);
  }
}
