package io.tidemark.source;

import io.tidemark.change.ChangeDetector;
import io.tidemark.change.ResourceUpdate;
import io.tidemark.event.Budget;
import io.tidemark.event.Origin;
import io.tidemark.event.SourceState;
import io.tidemark.ledger.Deadlines;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.SourceHealth;
import io.tidemark.market.Failure;
import io.tidemark.market.Snapshot;
import io.tidemark.metrics.SourceMetrics;
import io.tidemark.poll.BudgetLimiter;
import io.tidemark.poll.PollHealth;
import io.tidemark.poll.Poller;
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
final class SourceSession {

  /** That of their arrival; those of one millisecond by name, so that their records tell the order for good. */
  private static final Comparator<Snapshot> ORDER =
      Comparator.<Snapshot, Instant>comparing(sweep -> sweep.observedAt().truncatedTo(ChronoUnit.MILLIS))
          .thenComparing(sweep -> sweep.target().name());

  private static final Duration TICK = Duration.ofSeconds(1);
  /** Sweeps that come together share a transaction. */
  private static final int BATCH_SIZE = 8;
  private static final Duration BATCH_WAIT = Duration.ofMillis(20);

  private final Ledger ledger;
  private final CommandAnnouncer announcing;
  private final ChangeDetector detection;
  private final Deadlines deadlines;
  private final BudgetLimiter limiter;
  private final Poller poller;
  private final PollHealth pollHealth;
  private final KafkaOutage outage;
  private final Scheduler thread;
  private final Consumer<SourceState> stateListener;
  private final SourceMetrics metrics;

  /** @param said hears what is said of the source, with every tick */
  SourceSession(
      Ledger ledger,
      CommandAnnouncer announcing,
      ChangeDetector detection,
      Deadlines deadlines,
      BudgetLimiter limiter,
      Poller poller,
      PollHealth sight,
      KafkaOutage silence,
      Scheduler thread,
      Consumer<SourceState> said,
      SourceMetrics meters) {
    this.ledger = ledger;
    this.announcing = announcing;
    this.detection = detection;
    this.deadlines = deadlines;
    this.limiter = limiter;
    this.poller = poller;
    this.pollHealth = sight;
    this.outage = silence;
    this.thread = thread;
    this.stateListener = said;
    this.metrics = meters;
  }

  /** Lives until told to stop; fails with what ended it before. */
  Mono<Void> until(Mono<Void> stop) {
    return Flux.merge(committedSnapshots(), ticks())
        .takeUntilOther(stop.publishOn(thread))
        .then(Mono.defer(this::stopInOrder))
        .onErrorResume(Failure.BadKey.class, this::stoppedByBadKey);
  }

  private Flux<List<CommittedSnapshot>> committedSnapshots() {
    return poller.snapshots() // what was seen
        .bufferTimeout(BATCH_SIZE, BATCH_WAIT, Schedulers.parallel(), true)
        .publishOn(thread, 1)
        .map(this::detect) // what of it is new
        .doOnNext(looks -> outage.run(ledger::commit)) // what is now in Kafka
        .doOnNext(metrics::committed);
  }

  private List<CommittedSnapshot> detect(List<Snapshot> sweeps) {
    return sweeps.stream().sorted(ORDER).map(this::detect).toList();
  }

  private CommittedSnapshot detect(Snapshot sweep) {
    var outcome = ledger.append(detection.detect(sweep, ledger.states()));
    deadlines.note(outcome, Instant.now());
    pollHealth.recordPoll(sweep, outcome.targetState().getComplete());
    return new CommittedSnapshot(sweep, outcome);
  }

  private Flux<Long> ticks() {
    return Flux.interval(TICK).onBackpressureDrop().publishOn(thread, 1).doOnNext(second -> outage.run(this::tick));
  }

  private void tick() {
    var now = Instant.now();
    var due = new ArrayList<ResourceUpdate>();
    deadlines.readNext(now);
    for (var entry = deadlines.poll(now); entry != null; entry = deadlines.poll(now)) {
      if (ledger.append(entry, origin(entry))) {
        due.add(entry);
      }
      deadlines.note(entry, now);
    }
    ledger.commit();
    metrics.flushed(due);
    ledger.updateSourceState(this::withCurrentHealth);
    announcing.announce(ledger, now);
    ledger.tick();
    stateListener.accept(ledger.sourceState());
  }

  /** That nothing changed and that nothing was looked at are different things: this is how anyone tells them apart. */
  private SourceState withCurrentHealth(SourceState state) {
    var trouble = pollHealth.degradedReason();
    var oldest = pollHealth.oldest();
    var error = pollHealth.lastError();
    return SourceState.newBuilder(state)
        .setStatus(trouble == null ? SourceHealth.POLLING : SourceHealth.DEGRADED)
        .setMessage(trouble)
        .setBudget(limiter.budget())
        .setOldestTarget(oldest == null ? null : oldest.target())
        .setOldestObservedAt(oldest == null ? null : oldest.at())
        .setLastError(error == null ? state.getLastError() : error)
        .setLastErrorAt(error == null ? state.getLastErrorAt() : pollHealth.lastErrorAt())
        .build();
  }

  private Mono<Void> stopInOrder() {
    ledger.updateSourceState(
        state -> SourceState.newBuilder(withCurrentHealth(state)).setStatus(SourceHealth.STOPPED).build());
    return limiter.settleReservation();
  }

  private static Origin origin(ResourceUpdate entry) {
    var change = entry.change();
    return change == null ? new Origin() : (Origin) change.get(change.getSchema().getField("origin").pos());
  }

  private Mono<Void> stoppedByBadKey(Failure.BadKey failure) {
    return Mono
        .<Void>fromRunnable(() -> ledger.commitSourceState(state -> SourceState.newBuilder(state)
            .setStatus(SourceHealth.STOPPED).setMessage(failure.getMessage()).build()))
        .subscribeOn(thread)
        .then(Mono.error(failure));
  }

  /** Commits what is reserved, on the ledger's thread. */
  static Mono<Void> reserve(Ledger ledger, Budget budget, KafkaOutage silence, Scheduler thread) {
    return Mono.<Void>fromRunnable(() -> silence.run(
        () -> ledger.commitSourceState(state -> SourceState.newBuilder(state).setBudget(budget).build())))
        .subscribeOn(thread);
  }
}
