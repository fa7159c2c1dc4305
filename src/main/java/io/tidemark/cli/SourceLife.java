package io.tidemark.cli;

import io.tidemark.change.Detection;
import io.tidemark.change.Entry;
import io.tidemark.event.Budget;
import io.tidemark.event.Origin;
import io.tidemark.event.SourceState;
import io.tidemark.ledger.Deadlines;
import io.tidemark.ledger.Ledger;
import io.tidemark.market.Failure;
import io.tidemark.market.Sweep;
import io.tidemark.poll.Limiter;
import io.tidemark.poll.Poller;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** One life of a source: what is seen, what of it is new, and what of that is in Kafka. The ledger's is one thread. */
final class SourceLife {

  private static final Duration TICK = Duration.ofSeconds(1);
  /** Sweeps that come together share a transaction. */
  private static final int AT_ONCE = 8;
  private static final Duration TOGETHER = Duration.ofMillis(20);

  private final Ledger ledger;
  private final Detection detection;
  private final Deadlines deadlines;
  private final Limiter limiter;
  private final Poller poller;
  private final Scheduler thread;

  SourceLife(
      Ledger ledger, Detection detection, Deadlines deadlines, Limiter limiter, Poller poller, Scheduler thread) {
    this.ledger = ledger;
    this.detection = detection;
    this.deadlines = deadlines;
    this.limiter = limiter;
    this.poller = poller;
    this.thread = thread;
  }

  /** Lives until told to stop; fails with what ended it before. */
  Mono<Void> until(Mono<Void> stop) {
    return Flux.merge(changes(), ticks())
        .takeUntilOther(stop.publishOn(thread))
        .then(Mono.defer(limiter::settle))
        .onErrorResume(Failure.BadKey.class, this::stopped);
  }

  private Flux<List<Sweep>> changes() {
    return poller.sweeps() // what was seen
        .bufferTimeout(AT_ONCE, TOGETHER, Schedulers.parallel(), true)
        .publishOn(thread, 1)
        .doOnNext(this::take) // what of it is new
        .doOnNext(sweeps -> ledger.commit()); // what is now in Kafka
  }

  /** In the order of their arrival, which is that of the values they show. */
  private void take(List<Sweep> sweeps) {
    sweeps.stream().sorted(Comparator.comparing(Sweep::observedAt)).forEach(this::take);
  }

  private void take(Sweep sweep) {
    var outcome = ledger.take(detection.detect(sweep, ledger.states()));
    deadlines.note(outcome, Instant.now());
  }

  private Flux<Instant> ticks() {
    return Flux.interval(TICK).onBackpressureDrop().publishOn(thread, 1).map(second -> tick());
  }

  private Instant tick() {
    var now = Instant.now();
    for (var entry = deadlines.poll(now); entry != null; entry = deadlines.poll(now)) {
      ledger.take(entry, origin(entry));
      deadlines.note(entry, now);
    }
    ledger.commit();
    return ledger.tick();
  }

  private static Origin origin(Entry entry) {
    var change = entry.change();
    return change == null ? new Origin() : (Origin) change.get(change.getSchema().getField("origin").pos());
  }

  private Mono<Void> stopped(Failure.BadKey failure) {
    return Mono.<Void>fromRunnable(() -> ledger.updateNow(state ->
            SourceState.newBuilder(state).setStatus("stopped").setWord(failure.getMessage()).build()))
        .subscribeOn(thread)
        .then(Mono.error(failure));
  }

  /** Commits what is reserved, on the ledger's thread. */
  static Mono<Void> reserve(Ledger ledger, Budget budget, Scheduler thread) {
    return Mono.<Void>fromRunnable(
            () -> ledger.updateNow(state -> SourceState.newBuilder(state).setBudget(budget).build()))
        .subscribeOn(thread);
  }
}
