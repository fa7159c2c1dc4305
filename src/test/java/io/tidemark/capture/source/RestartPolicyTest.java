package io.tidemark.capture.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.ledger.LedgerFailure;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import io.tidemark.market.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
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

  static Stream<RuntimeException> passing() {
    return Stream.of(
        new IllegalStateException("a full disk"),
        LedgerFailure.of("main", "commit", new SaslAuthenticationException("login failed")),
        LedgerFailure.of("main", "commit", new SslAuthenticationException("certificate expired")),
        LedgerFailure.of("main", "commit", new TransactionalIdAuthorizationException("no right")),
        new LedgerFailure.TimedOut("nobody there", null),
        new SchemaRegistryFailure.RegistryUnreachable("401; check registry.user", null),
        new SchemaRegistryFailure.RejectedByRegistry("409 incompatible"),
        new Failure.BadKey("401"));
  }

  @ParameterizedTest
  @MethodSource("passing")
  void passingFailure_startsSessionsForever_afterGrowingPauses(RuntimeException failure) {
    var pauses = new ArrayList<Long>();
    for (int i = 0; i < 20; i++) {
      var before = timer.now(TimeUnit.SECONDS);
      fail(failure);
      while (events.size() == i) {
        timer.advanceTimeBy(Duration.ofSeconds(1));
      }
      pauses.add(timer.now(TimeUnit.SECONDS) - before);
    }

    assertThat(events).hasSize(20).containsOnly("again");
    assertThat(pauses.subList(0, 6)).containsExactly(2L, 4L, 8L, 16L, 30L, 30L);
  }

  @Test
  void failuresFarApart_areEachFollowedByAShortPause() {
    for (int i = 0; i < 5; i++) {
      fail(new IllegalStateException("rare"));
      timer.advanceTimeBy(Duration.ofSeconds(2));
      assertThat(events).hasSize(i + 1).containsOnly("again");
      timer.advanceTimeBy(Duration.ofMinutes(11));
    }
  }

  @Test
  void programThatIsBroken_isFinal() {
    fail(new AssertionError("another version"));

    assertThat(events).containsExactly("final: another version");
  }

  private void fail(Throwable failure) {
    restarts.afterFailure(failure).subscribe(next -> events.add("again"),
        end -> events.add("final: " + end.getMessage()));
  }
}
