package io.tidemark.serve.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.serve.feed.CatchUpLimiter.WaitingReader;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CatchUpLimiterTest {

  final CatchUpLimiter turns = new CatchUpLimiter();
  final CountDownLatch held = new CountDownLatch(1);
  final List<String> begun = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    held.countDown();
  }

  @Test
  void clientThatHoldsItsTurns_leavesHalfOfThemToOthers() {
    for (var i = 0; i < 3 * CatchUpLimiter.MOST; i++) {
      turns.add(turn("many"));
    }
    turns.add(turn("one"));

    await().until(() -> begun.contains("one"));
    assertThat(begun).filteredOn("many"::equals).hasSize(CatchUpLimiter.MOST_PER_CLIENT);
  }

  @Test
  void severalClientsThatHoldTheirTurns_leaveOneToAnother() {
    for (var i = 0; i < CatchUpLimiter.MOST; i++) {
      turns.add(turn("many"));
      turns.add(turn("more"));
      turns.add(turn("most"));
    }
    turns.add(turn("one"));

    await().until(() -> begun.contains("one"));
  }

  @Test
  void turnThatEnds_makesRoomForTheNextOfItsClient() {
    for (var i = 0; i < 2 * CatchUpLimiter.MOST; i++) {
      turns.add(turn("many"));
    }
    held.countDown();

    await().until(() -> begun.size() == 2 * CatchUpLimiter.MOST);
  }

  @Test
  void turnThatIsGivenUp_doesNotBegin() {
    for (var i = 0; i < CatchUpLimiter.MOST_PER_CLIENT; i++) {
      turns.add(turn("many"));
    }
    var waits = new WaitingReader("many", () -> begun.add("given up"));
    turns.add(waits);
    turns.remove(waits);
    turns.add(new WaitingReader("many", () -> begun.add("last")));
    held.countDown();

    await().until(() -> begun.contains("last"));
    assertThat(begun).doesNotContain("given up");
  }

  private WaitingReader turn(String client) {
    return new WaitingReader(client, () -> {
      begun.add(client);
      try {
        held.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }
}
