package io.tidemark.source;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** A source while it is ours: life after life, until it is given back, lost or has no life left. */
final class SessionLoop {

  private static final Duration LEASE_CHECK_INTERVAL = Duration.ofMillis(200);

  private final Lease lease;
  private final RestartPolicy restarts;
  private final Scheduler timer;
  private final Sinks.Empty<Void> stopRequested = Sinks.empty();
  private final Sinks.Empty<Void> lost = Sinks.empty();
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private volatile boolean ending;

  private SessionLoop(Lease lease, RestartPolicy lives, Scheduler timer) {
    this.lease = lease;
    this.restarts = lives;
    this.timer = timer;
  }

  /**
   * Begins with the first life.
   *
   * @param life one life: fails with what ends it, completes when it was told to stop
   * @param thread the ledger's
   * @param ended hears why there is no life left
   */
  static SessionLoop start(
      Lease lease,
      RestartPolicy lives,
      Function<SessionLoop, Mono<Void>> life,
      Scheduler thread,
      Scheduler timer,
      Consumer<Throwable> ended) {
    var tenure = new SessionLoop(lease, lives, timer);
    Mono.defer(() -> life.apply(tenure))
        .subscribeOn(thread)
        .retryWhen(Retry.from(deaths -> deaths
            .concatMap(death -> tenure.isContinuing(death.failure()))
            .takeWhile(goesOn -> goesOn)))
        .cancelOn(Schedulers.boundedElastic()) // closing takes a while
        .takeUntilOther(tenure.lost.asMono())
        .doFinally(signal -> tenure.finished.complete(null))
        .subscribe(nothing -> {}, ended);
    return tenure;
  }

  Lease lease() {
    return lease;
  }

  /** Completes when the source is to be given back: nothing more is asked. */
  Mono<Void> stopRequested() {
    return stopRequested.asMono();
  }

  /** Whether it is neither given back nor lost. */
  boolean isContinuing() {
    return !ending;
  }

  /** Completes when all is committed and closed. */
  CompletableFuture<Void> stopInOrder() {
    ending = true;
    stopRequested.tryEmitEmpty();
    return finished;
  }

  /** At once: whatever is under way is dropped. */
  void abort() {
    ending = true;
    lost.tryEmitEmpty();
  }

  /** Whether there is another life: said when it may begin, or at once when there is none. */
  private Mono<Boolean> isContinuing(Throwable death) {
    return isContinuing() ? next(death).takeUntilOther(stopRequested()).defaultIfEmpty(false) : Mono.just(false);
  }

  /** The next life begins no sooner than the source is certainly still ours: it would take it from whoever has it. */
  private Mono<Boolean> next(Throwable death) {
    return restarts.afterFailure(death).then(Mono.fromSupplier(() -> lease.held() ? true : null)
        .repeatWhenEmpty(Integer.MAX_VALUE,
            empty -> empty.concatMap(times -> Mono.delay(LEASE_CHECK_INTERVAL, timer), 1)));
  }
}
