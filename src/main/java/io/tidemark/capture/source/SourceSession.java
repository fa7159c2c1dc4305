package io.tidemark.capture.source;

import static java.util.Objects.requireNonNullElse;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.Deadlines;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.LedgerFailure;
import io.tidemark.capture.ledger.SourceStatus;
import io.tidemark.capture.poll.BudgetLimiter;
import io.tidemark.capture.poll.KeyProbe;
import io.tidemark.capture.poll.PollClock;
import io.tidemark.capture.poll.PollHealth;
import io.tidemark.capture.poll.Poller;
import io.tidemark.capture.poll.RemainingBudget;
import io.tidemark.capture.poll.Schedule;
import io.tidemark.capture.source.SourceListener.CommittedSnapshot;
import io.tidemark.capture.source.Sources.ConfiguredSource;
import io.tidemark.event.Budget;
import io.tidemark.event.ChangeView;
import io.tidemark.event.KeyReport;
import io.tidemark.event.Origin;
import io.tidemark.event.SourceState;
import io.tidemark.http.client.HttpClientSettings;
import io.tidemark.http.client.HttpMarketData;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.market.ServiceClock;
import io.tidemark.market.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * One session of the owner of a source: it polls the service, detects what changed and commits the changes.
 * Everything but the requests to the service and their scheduling runs on the ledger's thread.
 */
final class SourceSession {

  /**
   * Orders snapshots by the time at which their last answer arrived; ties within a millisecond break by target name.
   */
  private static final Comparator<Snapshot> ORDER = Comparator
      .<Snapshot, Instant>comparing(snapshot -> snapshot.observedAt().truncatedTo(ChronoUnit.MILLIS))
      .thenComparing(snapshot -> snapshot.target().name());

  private static final Logger LOG = LoggerFactory.getLogger(SourceSession.class);

  /** Maximum number of snapshots that share a transaction because they arrive together. */
  private static final int BATCH_SIZE = 8;
  private static final Duration BATCH_WAIT = Duration.ofMillis(20);

  private static final Duration TICK = Duration.ofSeconds(1);

  /**
   * Delay of a tick after the full second. A candle closes at the second tick that comes 700 ms or more after the end
   * of the candle's window, which is 1.8 seconds after the end.
   */
  private static final Duration PHASE = Duration.ofMillis(800);

  /** Maximum time between two ticks of the timer. Slow commits do not delay these ticks. */
  private static final Duration MAX_TICK_GAP = Duration.ofMinutes(1);

  /**
   * Tolerance for differences between clocks. A session is degraded if the time of its newest records is more than this
   * ahead of this machine's clock, or if this machine's clock is more than this ahead of the service's clock.
   */
  private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(5);

  /** How far this machine's clock may be behind the service's before the session is degraded. */
  private static final Duration SLOW_CLOCK_TOLERANCE = Duration.ofMinutes(1);

  private final SourceListener listener;
  private final Ledger ledger;
  private final Scheduler thread;
  private final KafkaOutage outage;
  private final CommandAnnouncer announcer;
  private final HttpMarketData market;
  private final Consumer<SourceState> afterTick;
  private final BudgetLimiter limiter;
  private final Poller poller;
  private final ChangeDetector detector;
  private final Deadlines deadlines;
  private final SessionTargets targets;
  private final PollHealth polls = new PollHealth();
  private final SnapshotSpans spans;
  private Instant tickedAt = Instant.now();

  /**
   * Reports of the service on how many calls it has counted for each key; empty if the service is not asked for them.
   */
  private final Flux<KeyReport> reports;

  /**
   * The client of the service, with the clock and the lease that a session needs to call the service.
   *
   * @param lease permits calls while it is held
   */
  record MarketAccess(HttpMarketData market, ServiceClock clock, Lease lease) {}

  /**
   * Creates a session that continues from the states that the ledger restored.
   *
   * @param thread the only thread that uses the ledger; other threads may read its states
   * @param outage detector that notes whether Kafka answers the ledger
   * @param afterTick receives the state of the source after every tick
   */
  SourceSession(
      ConfiguredSource source,
      Ledger ledger,
      Scheduler thread,
      KafkaOutage outage,
      CommandAnnouncer announcer,
      AddedTargets added,
      MarketAccess access,
      Consumer<SourceState> afterTick) {
    this.listener = source.listener();
    this.ledger = ledger;
    this.thread = thread;
    this.outage = outage;
    this.announcer = announcer;
    this.market = access.market();
    this.afterTick = afterTick;
    var settings = source.settings();
    var topics = source.ledger().topics();
    spans = new SnapshotSpans(source.ledger().traces(), String.valueOf(settings.client().baseUrl().getHost()));
    var before = ledger.sourceState();
    var now = Instant.now();
    var clock = PollClock.system(Schedulers.parallel());
    detector = settings.detector(topics.retention().changes(), before.getWatchingSince(), now);
    var resources = topics.resources().stream().map(ResourceTopics::resource).toList();
    deadlines = new Deadlines(detector, ledger.states(), resources, added::isWatched);
    var budget = before.getBudget().getReservedAt() == null ? null : before.getBudget();
    limiter = new BudgetLimiter(settings.limits(), budget,
        settings.watch().firstCalls(budget == null, name -> ledger.states().targetState(name) != null),
        this::reserve, access.lease()::held, access.clock(), clock);
    reports = settings.asksForCalls()
        ? new KeyProbe(settings.name(), settings.limits(), limiter, market::keyReport, clock).reports()
        : Flux.empty();
    var committed = new CommittedTargets(ledger.states());
    var schedule = new Schedule(settings.watch(), committed::known, clock);
    settings.watch().targets().forEach(each -> committed.resumeRetry(each.target().name(), schedule));
    poller = new Poller(market, limiter, schedule, clock, HttpClientSettings.MAX_CONNECTIONS, listener::pollChosen);
    var configured = settings.watch().targets();
    configured.stream().map(watched -> watched.target().name())
        .forEach(name -> polls.watch(name, requireNonNullElse(committed.observedAt(name), now)));
    Supplier<RemainingBudget> remaining = limiter::remaining; // one object, by which a listener knows the session
    targets = new SessionTargets(configured, added, ledger, committed, schedule, poller, polls,
        all -> listener.pollingStarted(
            all, ledger.states()::targetState, detector::staleAt, remaining, market::clockDrift));
    targets.update(now);
  }

  /** Runs the session until {@code stop} completes. The returned Mono fails if a failure ends the session earlier. */
  Mono<Void> runUntil(Mono<Void> stop) {
    return Flux.merge(commits(), ticks(), reports)
        .takeUntilOther(stop.publishOn(thread))
        .then(Mono.defer(this::stopInOrder));
  }

  private Flux<List<CommittedSnapshot>> commits() {
    return poller.snapshots() // poll: what the service answered
        .bufferTimeout(BATCH_SIZE, BATCH_WAIT, Schedulers.parallel(), true)
        .publishOn(thread, 1)
        .map(this::detect) // detect: what differs from the known state
        .doOnNext(this::commit) // commit: what is now in Kafka
        .doOnNext(listener::snapshotsCommitted);
  }

  private List<CommittedSnapshot> detect(List<Snapshot> snapshots) {
    return snapshots.stream().sorted(ORDER).map(this::detect).toList();
  }

  private CommittedSnapshot detect(Snapshot snapshot) {
    var begun = Instant.now();
    var detected = detector.detect(snapshot, ledger.states());
    targets.putScheduleInto(detected.targetState());
    var outcome = ledger.append(detected);
    spans.detected(snapshot, outcome, begun);
    // What these append is committed in the same transaction as the snapshot.
    targets.learn(outcome);
    targets.follow(outcome.listings());
    deadlines.note(outcome, Instant.now());
    logDeadLetters(outcome);
    var committed = new CommittedSnapshot(snapshot, outcome);
    polls.recordPoll(snapshot, outcome.targetState().getComplete() || committed.isRejected());
    return committed;
  }

  private void commit(List<CommittedSnapshot> batch) {
    var begun = Instant.now();
    outage.run(ledger::commit);
    spans.committed(batch, begun);
  }

  private static void logDeadLetters(ChangeSet outcome) {
    outcome.deadLetters().forEach(letter -> LOG.warn(
        "source {}: target {}: page {} is kept as a dead letter; further answers with the same problem are only "
            + "counted. Reason: {}",
        letter.getSource(), letter.getTarget(), letter.getPage(), letter.getReason()));
  }

  private Flux<Instant> ticks() {
    return Mono.defer(() -> Mono.delay(untilNextTick(Instant.now())))
        .repeat()
        .map(second -> tickedAt = requireNotSuspended(tickedAt, Instant.now()))
        .onBackpressureDrop()
        .publishOn(thread, false, 1)
        .doOnNext(now -> outage.run(() -> tick(now)));
  }

  /**
   * Returns the time of this tick. Throws if the last tick was so long ago that this process was suspended or its clock
   * was set forward. Resources would otherwise expire before their targets could be polled. The next session gives them
   * time.
   */
  static Instant requireNotSuspended(Instant lastTick, Instant now) {
    var gap = Duration.between(lastTick, now);
    if (gap.compareTo(MAX_TICK_GAP) > 0) {
      throw new LedgerFailure.TimedOut("no timer ran for %d s; was this machine suspended, or its clock set forward?"
          .formatted(gap.toSeconds()), null);
    }
    return now;
  }

  /** Returns the time to the next tick that is more than half a second away. */
  static Duration untilNextTick(Instant now) {
    var inPhase = now.toEpochMilli() - PHASE.toMillis();
    var next = (Math.floorDiv(inPhase + TICK.toMillis() / 2, TICK.toMillis()) + 1) * TICK.toMillis();
    return Duration.ofMillis(next - inPhase);
  }

  private void tick(Instant now) {
    var updates = appendDue(now);
    targets.update(now);
    ledger.commit();
    listener.updatesCommitted(updates);
    ledger.updateSourceState(this::withHealth);
    announcer.announce(ledger, now);
    ledger.tick();
    announcer.announce(ledger, now); // commands that were fetched during the tick would otherwise wait for the next one
    listener.ticked(ledger.clockAhead());
    afterTick.accept(ledger.sourceState());
  }

  /**
   * Appends the updates that are due by now without a snapshot, such as the release of withheld values, and the
   * tombstones of targets to forget. If very many are due, the next ticks append the rest, with later timestamps. Also
   * reads some of the restored states that {@link Deadlines#readNext} has not read yet. Returns the appended updates.
   */
  private List<ResourceUpdate> appendDue(Instant now) {
    var appended = new ArrayList<ResourceUpdate>();
    deadlines.readNext(now);
    for (var update = deadlines.poll(now); update != null; update = deadlines.poll(now)) {
      if (ledger.append(update, origin(update))) {
        appended.add(update);
      }
      deadlines.note(update, now);
    }
    deadlines.pollUnwatched(now).forEach(ledger::forget);
    return appended;
  }

  private static Origin origin(ResourceUpdate update) {
    var change = update.change();
    return change == null ? new Origin() : requireNonNullElse(ChangeView.of(change).origin(change), new Origin());
  }

  private Mono<Void> stopInOrder() {
    ledger.updateSourceState(
        state -> SourceState.newBuilder(withHealth(state)).setStatus(SourceStatus.STOPPED.wire()).build());
    return limiter.settleReservation();
  }

  /**
   * Returns the given state with the current health of the session, so that readers can tell "nothing changed" from
   * "nothing was polled".
   */
  private SourceState withHealth(SourceState state) {
    var degraded = degradedReason();
    var oldest = polls.oldest();
    var error = polls.lastError();
    return SourceState.newBuilder(state)
        .setStatus((degraded == null ? SourceStatus.POLLING : SourceStatus.DEGRADED).wire())
        .setMessage(degraded == null ? polls.problem() : degraded)
        .setBudget(limiter.budget())
        .setOldestTarget(oldest == null ? null : oldest.target())
        .setOldestObservedAt(oldest == null ? null : oldest.at())
        .setLastError(error == null ? state.getLastError() : error)
        .setLastErrorAt(error == null ? state.getLastErrorAt() : polls.lastErrorAt())
        .build();
  }

  private @Nullable String degradedReason() {
    var ahead = ledger.clockAhead();
    var drift = market.clockDrift();
    if (ahead.compareTo(CLOCK_TOLERANCE) > 0) {
      return "the time of its records is %d s ahead of this machine's clock, after an owner with a fast clock: no timer "
          .formatted(ahead.toSeconds()) + "runs until the clock is there";
    }
    if (drift != null && drift.compareTo(CLOCK_TOLERANCE) > 0) {
      return "this machine's clock is %d s ahead of the service's; synchronize it".formatted(drift.toSeconds());
    }
    if (drift != null && drift.negated().compareTo(SLOW_CLOCK_TOLERANCE) > 0) {
      return ("this machine's clock is %d s behind the service's; synchronize it (NTP). Until then, answers are not ordered"
          + " by the service's times, and an outdated answer may count as the newest").formatted(
              drift.negated().toSeconds());
    }
    var keysOut = limiter.remaining().keysOut();
    return keysOut == null && polls.isDegraded() ? polls.problem() : keysOut;
  }

  private Mono<Void> reserve(Budget budget) {
    return Mono.<Void>fromRunnable(() -> outage.run(
        () -> ledger.commitSourceState(state -> SourceState.newBuilder(state).setBudget(budget).build())))
        .subscribeOn(thread);
  }
}
