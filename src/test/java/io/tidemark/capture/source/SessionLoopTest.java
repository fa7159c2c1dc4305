package io.tidemark.capture.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

class SessionLoopTest {

  static final Duration LENGTH = Duration.ofSeconds(8);

  final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  final Lease lease = new Lease(() -> timer.now(TimeUnit.NANOSECONDS), LENGTH, 0);
  final List<String> events = new ArrayList<>();
  int leaseChecks;

  @Test
  void stopped_theSessionEndsInOrder() {
    var loop = start(SessionLoopTest::working);

    var finished = loop.stopInOrder();

    assertThat(finished).isDone();
    assertThat(events).containsExactly("begins", "in order");
  }

  @Test
  void aborted_theSessionIsDropped() {
    var loop = start(SessionLoopTest::working);

    loop.abort();

    assertThat(loop.isContinuing()).isFalse();
    assertThat(events).containsExactly("begins");
  }

  @Test
  void sessionFails_theNextBeginsFromTheStart() {
    start(loop -> events.size() == 1 ? Mono.error(new IllegalStateException("once")) : working(loop));

    timer.advanceTimeBy(Duration.ofSeconds(3));

    assertThat(events).containsExactly("begins", "begins");
  }

  @Test
  void sessionFailsAndTheLeaseHasExpired_nextWaitsForTheGroup() {
    start(loop -> Mono.delay(LENGTH, timer).then(Mono.error(new IllegalStateException("stopped for a while"))));
    timer.advanceTimeBy(Duration.ofMinutes(5));
    var checks = leaseChecks;
    timer.advanceTimeBy(Duration.ofSeconds(1));

    assertThat(events).containsExactly("begins");
    assertThat(leaseChecks - checks).as("reported checks in one second").isEqualTo(5);
  }

  @Test
  void stoppedBetweenTwoSessions_itIsFinished() {
    var loop = start(each -> Mono.error(new IllegalStateException("once")));

    var finished = loop.stopInOrder();

    assertThat(finished).isDone();
    timer.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(events).containsExactly("begins");
  }

  @Test
  void finalFailure_isReported() {
    start(loop -> Mono.error(new AssertionError("another version")));

    assertThat(events).containsExactly("begins", "final: another version");
  }

  /** As when a class that detection, a commit or a tick needs cannot be loaded. */
  @Test
  void errorThatReactorThrowsDuringASession_isFinal_theSessionIsClosed() {
    var thread = Schedulers.newSingle("ledger");
    var failure = new CompletableFuture<Throwable>();
    var closed = new CompletableFuture<Void>();

    SessionLoop.start(lease, restarts(), loop -> Mono
        .using(() -> closed, any -> Flux.just(1).concatWith(Flux.never()).publishOn(thread)
            .map(SessionLoopTest::link).then(), any -> any.complete(null))
        .takeUntilOther(SourceRunner.uncaughtErrors("main")),
        thread, timer, () -> {}, failure::complete);

    assertThat(failure).succeedsWithin(Duration.ofSeconds(30)).isInstanceOf(Error.class).extracting(Throwable::getCause)
        .isInstanceOf(UnsatisfiedLinkError.class);
    assertThat(closed).isDone();
    thread.dispose();
  }

  private static int link(int any) {
    throw new UnsatisfiedLinkError("failed to map segment");
  }

  private SessionLoop start(Function<SessionLoop, Mono<Void>> session) {
    return SessionLoop.start(lease, restarts(), loop -> {
      events.add("begins");
      return session.apply(loop).doOnSuccess(done -> events.add("in order"));
    }, Schedulers.immediate(), timer, () -> leaseChecks++, end -> events.add("final: " + end.getMessage()));
  }

  private RestartPolicy restarts() {
    return new RestartPolicy("main", () -> Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS)), timer);
  }

  /** Runs until it is stopped. */
  private static Mono<Void> working(SessionLoop loop) {
    return Mono.<Void>never().takeUntilOther(loop.stopRequested());
  }
}
