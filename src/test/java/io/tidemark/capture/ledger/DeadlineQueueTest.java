package io.tidemark.capture.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.ledger.DeadlineQueue.ResourceName;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeadlineQueueTest {

  static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  static final ResourceName POOL = new ResourceName("pool", "eth_0xa");
  static final ResourceName TOKEN = new ResourceName("token", "eth_0xa b");

  @TempDir
  Path folder;
  LocalStore local;
  DeadlineQueue agenda;

  @BeforeEach
  void open() {
    local = LocalStore.create(folder);
    agenda = new DeadlineQueue(local, 1, 2);
  }

  @AfterEach
  void close() {
    local.close();
  }

  @Test
  void whatIsDueFirst_comesFirstAndOnce() {
    agenda.put(TOKEN, NOON.plusSeconds(2));
    agenda.put(POOL, NOON.plusSeconds(1));

    assertThat(agenda.poll(NOON)).isNull();
    assertThat(agenda.poll(NOON.plusSeconds(2))).isEqualTo(POOL);
    assertThat(agenda.poll(NOON.plusSeconds(2))).isEqualTo(TOKEN);
    assertThat(agenda.poll(NOON.plusSeconds(2))).isNull();
  }

  @Test
  void severalTimesForOne_theEarliestCounts() {
    agenda.put(POOL, NOON.plusSeconds(2));
    agenda.put(POOL, NOON.plusSeconds(1));
    agenda.put(POOL, NOON.plusSeconds(3));

    assertThat(agenda.poll(NOON.plusSeconds(1))).isEqualTo(POOL);
    assertThat(agenda.poll(NOON.plusSeconds(9))).isNull();
  }

  @Test
  void deadlineInThePast_isDueAtOnce() {
    assertThat(agenda.poll(NOON)).isNull();

    agenda.put(POOL, NOON.minusSeconds(60));

    assertThat(agenda.poll(NOON)).isEqualTo(POOL);
  }

  @Test
  void partsOfAMillisecond_areNeverTooEarly() {
    agenda.put(POOL, NOON.plusNanos(1));

    assertThat(agenda.poll(NOON)).isNull();
    assertThat(agenda.poll(NOON.plusMillis(1))).isEqualTo(POOL);
  }

  @Test
  void removed_canBeAddedAgain() {
    agenda.put(POOL, NOON);
    agenda.poll(NOON);

    agenda.put(POOL, NOON.plusSeconds(5));

    assertThat(agenda.poll(NOON.plusSeconds(5))).isEqualTo(POOL);
  }
}
