package io.tidemark.capture.source;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * A loop that runs sessions of a source one after the other, until the source is released or lost, or a failure is
 * final. After a failed session, the next one begins only while the lease is held: if the failed session was fenced,
 * a session that began at once would fence the rightful owner.
 */
final class SessionLoop {

  private static final Duration LEASE_CHECK_INTERVAL = Duration.ofMillis(200);

  private final Lease lease;
  private final RestartPolicy restarts;
  private final Scheduler timer;
  private final Sinks.Empty<Void> stopRequested = Sinks.empty();
  private final Sinks.Empty<Void> lost = Sinks.empty();
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private volatile boolean ending;

  private SessionLoop(Lease lease, RestartPolicy restarts, Scheduler timer) {
    this.lease = lease;
    this.restarts = restarts;
    this.timer = timer;
  }

  /**
   * Begins the first session.
   *
   * @param session runs one session; the returned Mono fails if the session fails, and completes when it is stopped
   * @param thread the ledger's thread
   * @param onFinal receives a failure after which no session follows
   */
  static SessionLoop start(
      Lease lease,
      RestartPolicy restarts,
      Function<SessionLoop, Mono<Void>> session,
      Scheduler thread,
      Scheduler timer,
      Consumer<Throwable> onFinal) {
    var loop = new SessionLoop(lease, restarts, timer);
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

  /** Returns whether the source is neither released nor lost. */
  boolean isContinuing() {
    return !ending;
  }

  /** Stops the session in order. The future completes after everything is committed and closed. */
  CompletableFuture<Void> stopInOrder() {
    ending = true;
    stopRequested.tryEmitEmpty();
    return finished;
  }

  /** Stops the session at once and drops work in progress. */
  void abort() {
    ending = true;
    lost.tryEmitEmpty();
  }

  /** Returns a Mono that emits true when the next session may begin, or false at once if no session follows. */
  private Mono<Boolean> continuesAfter(Throwable failure) {
    return isContinuing() ? next(failure).takeUntilOther(stopRequested()).defaultIfEmpty(false) : Mono.just(false);
  }

  /** Waits for the pause, and then until the lease is held. */
  private Mono<Boolean> next(Throwable failure) {
    return restarts.afterFailure(failure).then(Mono.fromSupplier(() -> lease.held() ? true : null)
        .repeatWhenEmpty(Integer.MAX_VALUE,
            empty -> empty.concatMap(times -> Mono.delay(LEASE_CHECK_INTERVAL, timer), 1)));
  }
}
