package io.tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RunningComponentsTest {

  final List<String> closed = new CopyOnWriteArrayList<>();

  @Test
  void parts_areClosedInReverseOrder() {
    var parts = new RunningComponents();
    parts.add("first", () -> closed.add("first"));
    parts.add("second", () -> closed.add("second"));

    parts.close();

    assertThat(closed).containsExactly("second", "first");
  }

  @Test
  void hangingPart_isAbandonedAfterTheTimeout() {
    var never = new CountDownLatch(1);
    var parts = new RunningComponents(Duration.ofMillis(50), true);
    parts.add("quick", () -> closed.add("quick"));
    parts.add("stuck", never::await);

    parts.close();

    assertThat(closed).containsExactly("quick");
    assertThat(never.getCount()).as("still stuck").isEqualTo(1);
  }

  @Test
  void partThatIsSlowToClose_doesNotHoldUpTheOthers() {
    var firstIsClosed = new CountDownLatch(1);
    var parts = new RunningComponents();
    parts.add("first", () -> {
      closed.add("first");
      firstIsClosed.countDown();
    });
    parts.add("slow", () -> {
      firstIsClosed.await();
      closed.add("slow");
    });

    parts.close();

    assertThat(closed).containsExactly("first", "slow");
  }

  @Test
  void partThatOthersUse_isClosedWhenTheyHaveEnded() {
    var othersAreClosing = new CountDownLatch(1);
    var parts = new RunningComponents();
    parts.addShared("broker", () -> closed.add("broker"));
    parts.add("quick", () -> {
      closed.add("quick");
      othersAreClosing.countDown();
    });
    parts.add("slow", () -> {
      othersAreClosing.await();
      closed.add("slow");
    });

    parts.close();

    assertThat(closed).containsExactly("quick", "slow", "broker");
  }

  @Test
  void partThatOthersUse_isClosed_thoughOneOfThemHangs() {
    var never = new CountDownLatch(1);
    var parts = new RunningComponents(Duration.ofMillis(1_050), true);
    parts.addShared("broker", () -> closed.add("broker"));
    parts.add("stuck", never::await);

    parts.close();

    assertThat(closed).containsExactly("broker");
  }

  @Test
  void failingPart_doesNotKeepOthersFromClosing() {
    var parts = new RunningComponents();
    parts.add("first", () -> closed.add("first"));
    parts.add("broken", () -> {
      throw new IllegalStateException("broken");
    });

    parts.close();

    assertThat(closed).containsExactly("first");
  }

  @Test
  void partAddedAfterClosing_isClosedAtOnce() {
    var parts = new RunningComponents();
    parts.close();

    assertThatThrownBy(() -> parts.add("late", () -> closed.add("late"))).hasMessageContaining("late");
    assertThat(closed).containsExactly("late");
  }
}
