package io.tidemark.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.LedgerFailure;
import io.tidemark.market.Failure;
import io.tidemark.topic.SchemaRegistryFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class RestartPolicyTest {

  final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  final List<String> events = new ArrayList<>();
  final RestartPolicy restarts =
      new RestartPolicy("main", () -> Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS)), timer);

  @Test
  void passingFailure_isFollowedByASessionAfterAPause() {
    fail(new IllegalStateException("once"));

    assertThat(events).isEmpty();
    timer.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(events).containsExactly("again");
  }

  @Test
  void sameFailureThreeTimesAtOnePlace_isFinal() {
    for (int i = 0; i < 3; i++) {
      fail(new IllegalStateException("again"));
    }
    timer.advanceTimeBy(Duration.ofSeconds(2));

    assertThat(events).containsExactlyInAnyOrder("again", "again", "final: again");
  }

  @Test
  void failuresFarApart_areNotCountedTogether() {
    for (int i = 0; i < 5; i++) {
      fail(new IllegalStateException("rare"));
      timer.advanceTimeBy(Duration.ofMinutes(11));
    }

    assertThat(events).hasSize(5).containsOnly("again");
  }

  @Test
  void kafkaThatDoesNotAnswer_isWaitedForWithoutEnd() {
    for (int i = 0; i < 10; i++) {
      fail(new LedgerFailure.TimedOut("nobody there", null));
      timer.advanceTimeBy(Duration.ofSeconds(32));
    }

    assertThat(events).hasSize(10).containsOnly("again");
  }

  @Test
  void registryThatDoesNotAnswer_isWaitedFor() {
    for (int i = 0; i < 5; i++) {
      fail(new SchemaRegistryFailure.RegistryUnreachable("registry x does not answer", null));
    }
    timer.advanceTimeBy(Duration.ofSeconds(2));

    assertThat(events).hasSize(5).containsOnly("again");
  }

  @Test
  void badKey_isFinalAtOnce() {
    fail(new Failure.BadKey("key refused"));

    assertThat(events).containsExactly("final: key refused");
  }

  private void fail(RuntimeException failure) {
    restarts.afterFailure(failure).subscribe(next -> events.add("again"),
        end -> events.add("final: " + end.getMessage()));
  }
}
