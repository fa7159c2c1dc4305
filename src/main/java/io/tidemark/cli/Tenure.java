package io.tidemark.cli;

import io.tidemark.ledger.Lease;
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
final class Tenure {

  private static final Duration GLANCE = Duration.ofMillis(200);

  private final Lease lease;
  private final Lives lives;
  private final Scheduler timer;
  private final Sinks.Empty<Void> stop = Sinks.empty();
  private final Sinks.Empty<Void> lost = Sinks.empty();
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private volatile boolean ending;

  private Tenure(Lease lease, Lives lives, Scheduler timer) {
    this.lease = lease;
    this.lives = lives;
    this.timer = timer;
  }

  /**
   * Begins with the first life.
   *
   * @param life one life: fails with what ends it, completes when it was told to stop
   * @param thread the ledger's
   * @param ended hears why there is no life left
   */
  static Tenure begin(
      Lease lease,
      Lives lives,
      Function<Tenure, Mono<Void>> life,
      Scheduler thread,
      Scheduler timer,
      Consumer<Throwable> ended) {
    var tenure = new Tenure(lease, lives, timer);
    Mono.defer(() -> life.apply(tenure))
        .subscribeOn(thread)
        .retryWhen(Retry.from(deaths -> deaths
            .concatMap(death -> tenure.goesOn(death.failure()))
            .takeWhile(goesOn -> goesOn)))
        .cancelOn(Schedulers.boundedElastic()) // closing takes a while
        .takeUntilOther(tenure.lost.asMono())
        .doFinally(signal -> tenure.over.complete(null))
        .subscribe(nothing -> {}, ended);
    return tenure;
  }

  Lease lease() {
    return lease;
  }

  /** Completes when the source is to be given back: nothing more is asked. */
  Mono<Void> stop() {
    return stop.asMono();
  }

  /** Whether it is neither given back nor lost. */
  boolean goesOn() {
    return !ending;
  }

  /** Completes when all is committed and closed. */
  CompletableFuture<Void> end() {
    ending = true;
    stop.tryEmitEmpty();
    return over;
  }

  /** At once: whatever is under way is dropped. */
  void drop() {
    ending = true;
    lost.tryEmitEmpty();
  }

  /** Whether there is another life: said when it may begin, or at once when there is none. */
  private Mono<Boolean> goesOn(Throwable death) {
    return goesOn() ? next(death).takeUntilOther(stop()).defaultIfEmpty(false) : Mono.just(false);
  }

  /** The next life begins no sooner than the source is certainly still ours: it would take it from whoever has it. */
  private Mono<Boolean> next(Throwable death) {
    return lives.after(death).then(Mono.fromSupplier(() -> lease.held() ? true : null)
        .repeatWhenEmpty(Integer.MAX_VALUE, empty -> empty.concatMap(times -> Mono.delay(GLANCE, timer), 1)));
  }
}
