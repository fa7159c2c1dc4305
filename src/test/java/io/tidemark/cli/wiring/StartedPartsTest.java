package io.tidemark.cli.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class StartedPartsTest {

  final List<String> closed = new CopyOnWriteArrayList<>();

  @Test
  void parts_areClosedInReverse() {
    var running = new StartedParts();
    running.add("first", () -> closed.add("first"));
    running.add("second", () -> closed.add("second"));

    running.close();

    assertThat(closed).containsExactly("second", "first");
  }

  @Test
  void partThatDoesNotStop_isLeftBehindInTime() {
    var never = new CountDownLatch(1);
    var running = new StartedParts(Duration.ofMillis(50));
    running.add("quick", () -> closed.add("quick"));
    running.add("stuck", never::await);

    running.close();

    assertThat(closed).containsExactly("quick");
    assertThat(never.getCount()).as("still stuck").isEqualTo(1);
  }

  @Test
  void partThatFailsToStop_keepsNobodyElseFromIt() {
    var running = new StartedParts();
    running.add("first", () -> closed.add("first"));
    running.add("broken", () -> {
      throw new IllegalStateException("broken");
    });

    running.close();

    assertThat(closed).containsExactly("first");
  }

  @Test
  void afterTheEnd_nothingIsStarted() {
    var running = new StartedParts();
    running.close();

    assertThatThrownBy(() -> running.add("late", () -> closed.add("late"))).hasMessageContaining("late");
    assertThat(closed).containsExactly("late");
  }
}
