package io.tidemark.cli;

import io.tidemark.change.Detection;
import io.tidemark.change.Entry;
import io.tidemark.cli.meter.Look;
import io.tidemark.cli.meter.SourceMeters;
import io.tidemark.event.Budget;
import io.tidemark.event.Origin;
import io.tidemark.event.SourceState;
import io.tidemark.ledger.Deadlines;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.SourceHealth;
import io.tidemark.market.Failure;
import io.tidemark.market.Sweep;
import io.tidemark.poll.Limiter;
import io.tidemark.poll.Poller;
import io.tidemark.poll.Sight;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** One life of a source: what is seen, what of it is new, and what of that is in Kafka. The ledger's is one thread. */
final class SourceLife {

  /** That of their arrival; those of one millisecond by name, so that their records tell the order for good. */
  private static final Comparator<Sweep> ORDER =
      Comparator.<Sweep, Instant>comparing(sweep -> sweep.observedAt().truncatedTo(ChronoUnit.MILLIS))
          .thenComparing(sweep -> sweep.target().name());

  private static final Duration TICK = Duration.ofSeconds(1);
  /** Sweeps that come together share a transaction. */
  private static final int AT_ONCE = 8;
  private static final Duration TOGETHER = Duration.ofMillis(20);

  private final Ledger ledger;
  private final Announcing announcing;
  private final Detection detection;
  private final Deadlines deadlines;
  private final Limiter limiter;
  private final Poller poller;
  private final Sight sight;
  private final Silence silence;
  private final Scheduler thread;
  private final Consumer<SourceState> said;
  private final SourceMeters meters;

  /** @param said hears what is said of the source, with every tick */
  SourceLife(
      Ledger ledger,
      Announcing announcing,
      Detection detection,
      Deadlines deadlines,
      Limiter limiter,
      Poller poller,
      Sight sight,
      Silence silence,
      Scheduler thread,
      Consumer<SourceState> said,
      SourceMeters meters) {
    this.ledger = ledger;
    this.announcing = announcing;
    this.detection = detection;
    this.deadlines = deadlines;
    this.limiter = limiter;
    this.poller = poller;
    this.sight = sight;
    this.silence = silence;
    this.thread = thread;
    this.said = said;
    this.meters = meters;
  }

  /** Lives until told to stop; fails with what ended it before. */
  Mono<Void> until(Mono<Void> stop) {
    return Flux.merge(changes(), ticks())
        .takeUntilOther(stop.publishOn(thread))
        .then(Mono.defer(this::inOrder))
        .onErrorResume(Failure.BadKey.class, this::stopped);
  }

  private Flux<List<Look>> changes() {
    return poller.sweeps() // what was seen
        .bufferTimeout(AT_ONCE, TOGETHER, Schedulers.parallel(), true)
        .publishOn(thread, 1)
        .map(this::take) // what of it is new
        .doOnNext(looks -> silence.during(ledger::commit)) // what is now in Kafka
        .doOnNext(meters::committed);
  }

  private List<Look> take(List<Sweep> sweeps) {
    return sweeps.stream().sorted(ORDER).map(this::take).toList();
  }

  private Look take(Sweep sweep) {
    var outcome = ledger.take(detection.detect(sweep, ledger.states()));
    deadlines.note(outcome, Instant.now());
    sight.saw(sweep, outcome.target().getComplete());
    return new Look(sweep, outcome);
  }

  private Flux<Long> ticks() {
    return Flux.interval(TICK).onBackpressureDrop().publishOn(thread, 1).doOnNext(second -> silence.during(this::tick));
  }

  private void tick() {
    var now = Instant.now();
    var due = new ArrayList<Entry>();
    deadlines.readOn(now);
    for (var entry = deadlines.poll(now); entry != null; entry = deadlines.poll(now)) {
      if (ledger.take(entry, origin(entry))) {
        due.add(entry);
      }
      deadlines.note(entry, now);
    }
    ledger.commit();
    meters.flushed(due);
    ledger.update(this::asItIs);
    announcing.announce(ledger, now);
    ledger.tick();
    said.accept(ledger.source());
  }

  /** That nothing changed and that nothing was looked at are different things: this is how anyone tells them apart. */
  private SourceState asItIs(SourceState state) {
    var trouble = sight.trouble();
    var oldest = sight.oldest();
    var error = sight.lastError();
    return SourceState.newBuilder(state)
        .setStatus(trouble == null ? SourceHealth.POLLING : SourceHealth.DEGRADED)
        .setWord(trouble)
        .setBudget(limiter.budget())
        .setOldestTarget(oldest == null ? null : oldest.target())
        .setOldestObservedAt(oldest == null ? null : oldest.at())
        .setLastError(error == null ? state.getLastError() : error)
        .setLastErrorAt(error == null ? state.getLastErrorAt() : sight.lastErrorAt())
        .build();
  }

  private Mono<Void> inOrder() {
    ledger.update(state -> SourceState.newBuilder(asItIs(state)).setStatus(SourceHealth.STOPPED).build());
    return limiter.settle();
  }

  private static Origin origin(Entry entry) {
    var change = entry.change();
    return change == null ? new Origin() : (Origin) change.get(change.getSchema().getField("origin").pos());
  }

  private Mono<Void> stopped(Failure.BadKey failure) {
    return Mono
        .<Void>fromRunnable(() -> ledger.updateNow(state -> SourceState.newBuilder(state)
            .setStatus(SourceHealth.STOPPED).setWord(failure.getMessage()).build()))
        .subscribeOn(thread)
        .then(Mono.error(failure));
  }

  /** Commits what is reserved, on the ledger's thread. */
  static Mono<Void> reserve(Ledger ledger, Budget budget, Silence silence, Scheduler thread) {
    return Mono.<Void>fromRunnable(() -> silence.during(
        () -> ledger.updateNow(state -> SourceState.newBuilder(state).setBudget(budget).build())))
        .subscribeOn(thread);
  }
}
