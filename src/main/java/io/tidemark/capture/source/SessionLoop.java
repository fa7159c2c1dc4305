package io.tidemark.capture.source;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * A loop that runs one session of a source after another, until the source is released or lost, or a failure is final.
 * After a failed session, the next session begins only while the lease is held. Otherwise, if the failed session was
 * fenced by the rightful owner, the next session would fence that owner.
 */
final class SessionLoop {

  private static final Duration LEASE_CHECK_INTERVAL = Duration.ofMillis(200);

  private final Lease lease;
  private final RestartPolicy restarts;
  private final Scheduler timer;
  private final Runnable onLeaseCheck;
  private final Sinks.Empty<Void> stopRequested = Sinks.empty();
  private final Sinks.Empty<Void> lost = Sinks.empty();
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private volatile boolean ending;

  private SessionLoop(Lease lease, RestartPolicy restarts, Scheduler timer, Runnable onLeaseCheck) {
    this.lease = lease;
    this.restarts = restarts;
    this.timer = timer;
    this.onLeaseCheck = onLeaseCheck;
  }

  /**
   * @param session runs one session; the returned Mono fails if the session fails, and completes when it is stopped
   * @param thread the ledger's thread
   * @param onLeaseCheck runs before each check of the lease after a failed session, every {@link #LEASE_CHECK_INTERVAL}
   * @param onFinal receives a failure after which no session follows
   */
  static SessionLoop start(
      Lease lease,
      RestartPolicy restarts,
      Function<SessionLoop, Mono<Void>> session,
      Scheduler thread,
      Scheduler timer,
      Runnable onLeaseCheck,
      Consumer<Throwable> onFinal) {
    var loop = new SessionLoop(lease, restarts, timer, onLeaseCheck);
    Mono.defer(() -> session.apply(loop))
        .subscribeOn(thread)
        .retryWhen(Retry.from(failures -> failures
            .concatMap(retry -> loop.continuesAfter(retry.failure()))
            .takeWhile(continues -> continues)))
        .cancelOn(Schedulers.boundedElastic()) // closing takes a while
        .takeUntilOther(loop.lost.asMono())
        .doFinally(signal -> loop.finished.complete(null))
        .subscribe(nothing -> {}, onFinal);
    return loop;
  }

  Lease lease() {
    return lease;
  }

  /** Returns a Mono that completes when the source is to be released, so that the session stops polling. */
  Mono<Void> stopRequested() {
    return stopRequested.asMono();
  }

  /**
   * Returns whether neither {@link #stopInOrder} nor {@link #abort} has been called. While a session stops in order,
   * this returns false although this instance is still the owner.
   */
  boolean isContinuing() {
    return !ending;
  }

  /**
   * Stops the session gracefully. The returned future completes after the session has committed its final state and
   * is closed, after it has failed, or as soon as {@link #abort} is called.
   */
  CompletableFuture<Void> stopInOrder() {
    ending = true;
    stopRequested.tryEmitEmpty();
    return finished;
  }

  /** Stops the session immediately and drops work in progress. Does not wait until the session is closed. */
  void abort() {
    ending = true;
    lost.tryEmitEmpty();
  }

  /**
   * Returns a Mono that emits true when the next session may begin, emits false as soon as the source is to be
   * released, or fails if the failure is final.
   */
  private Mono<Boolean> continuesAfter(Throwable failure) {
    return isContinuing() ? next(failure).takeUntilOther(stopRequested()).defaultIfEmpty(false) : Mono.just(false);
  }

  /**
   * Returns a Mono that emits true after the pause of the restart policy, as soon as the lease is held, or fails if
   * the failure is final.
   */
  private Mono<Boolean> next(Throwable failure) {
    return restarts.afterFailure(failure).then(Mono.fromSupplier(this::leaseHeld)
        .repeatWhenEmpty(Integer.MAX_VALUE,
            empty -> empty.concatMap(times -> Mono.delay(LEASE_CHECK_INTERVAL, timer), 1)));
  }

  /** Returns true if the lease is held, and otherwise null. */
  private @Nullable Boolean leaseHeld() {
    onLeaseCheck.run();
    return lease.held() ? true : null;
  }
}
