package io.tidemark.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.LedgerFailure;
import io.tidemark.market.Failure;
import io.tidemark.topic.RegistryFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class RestartPolicyTest {

  final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  final List<String> said = new ArrayList<>();
  final RestartPolicy lives =
      new RestartPolicy("main", () -> Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS)), timer);

  @Test
  void passingFailure_givesAnotherLifeAfterAPause() {
    die(new IllegalStateException("once"));

    assertThat(said).isEmpty();
    timer.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(said).containsExactly("again");
  }

  @Test
  void sameFailureThreeTimesAtOnePlace_endsIt() {
    for (int i = 0; i < 3; i++) {
      die(new IllegalStateException("again"));
    }
    timer.advanceTimeBy(Duration.ofSeconds(2));

    assertThat(said).containsExactlyInAnyOrder("again", "again", "ended: again");
  }

  @Test
  void failuresFarApart_areForgiven() {
    for (int i = 0; i < 5; i++) {
      die(new IllegalStateException("rare"));
      timer.advanceTimeBy(Duration.ofMinutes(11));
    }

    assertThat(said).hasSize(5).containsOnly("again");
  }

  @Test
  void kafkaThatDoesNotAnswer_isWaitedForWithoutEnd() {
    for (int i = 0; i < 10; i++) {
      die(new LedgerFailure.TimedOut("nobody there", null));
      timer.advanceTimeBy(Duration.ofSeconds(32));
    }

    assertThat(said).hasSize(10).containsOnly("again");
  }

  @Test
  void registryThatIsAway_isWaitedFor() {
    for (int i = 0; i < 5; i++) {
      die(new RegistryFailure.RegistryUnreachable("registry x does not answer", null));
    }
    timer.advanceTimeBy(Duration.ofSeconds(2));

    assertThat(said).hasSize(5).containsOnly("again");
  }

  @Test
  void badKey_endsItAtOnce() {
    die(new Failure.BadKey("key refused"));

    assertThat(said).containsExactly("ended: key refused");
  }

  private void die(RuntimeException failure) {
    lives.afterFailure(failure).subscribe(next -> said.add("again"), end -> said.add("ended: " + end.getMessage()));
  }
}
