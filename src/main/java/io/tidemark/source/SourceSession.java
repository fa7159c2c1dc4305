package io.tidemark.source;

import static java.util.Objects.requireNonNullElse;
import static java.util.stream.Collectors.toSet;

import io.tidemark.change.ChangeDetector;
import io.tidemark.change.ChangeSet;
import io.tidemark.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.Budget;
import io.tidemark.event.ChangeView;
import io.tidemark.event.KeyReport;
import io.tidemark.event.Origin;
import io.tidemark.event.PoolState;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetState;
import io.tidemark.http.client.HttpClientSettings;
import io.tidemark.http.client.HttpMarketData;
import io.tidemark.ledger.Deadlines;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.SourceStatus;
import io.tidemark.market.ServiceClock;
import io.tidemark.market.Snapshot;
import io.tidemark.poll.BudgetLimiter;
import io.tidemark.poll.KeyProbe;
import io.tidemark.poll.PollClock;
import io.tidemark.poll.PollHealth;
import io.tidemark.poll.Poller;
import io.tidemark.poll.Schedule;
import io.tidemark.poll.Schedule.KnownTarget;
import io.tidemark.poll.Schedule.Shown;
import io.tidemark.poll.WatchList.WatchedTarget;
import io.tidemark.source.SourceListener.CommittedSnapshot;
import io.tidemark.source.Sources.ConfiguredSource;
import io.tidemark.topic.ResourceTopics;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * One session of a source's owner: polls the service, detects what changed and commits it. All but the polling is done by
 * the ledger's thread.
 */
final class SourceSession {

  /** Of snapshots: by arrival, within a millisecond by name, so that their records keep the order. */
  private static final Comparator<Snapshot> ORDER = Comparator
      .<Snapshot, Instant>comparing(snapshot -> snapshot.observedAt().truncatedTo(ChronoUnit.MILLIS))
      .thenComparing(snapshot -> snapshot.target().name());

  private static final Logger LOG = LoggerFactory.getLogger(SourceSession.class);

  private static final String POOL = "pool";

  private static final Duration TICK = Duration.ofSeconds(1);

  /** So candles close less than two seconds after their windows: with the second tick that is 700 ms after the end. */
  private static final Duration TICK_PHASE = Duration.ofMillis(800);
  /** Snapshots that arrive together share a transaction. */
  private static final int BATCH_SIZE = 8;
  private static final Duration BATCH_WAIT = Duration.ofMillis(20);

  /** Clocks that differ by less are fine. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(5);

  private final Ledger ledger;
  private final CommandAnnouncer announcer;
  private final AddedTargets added;
  private final List<WatchedTarget> configured;
  private final KafkaOutage outage;
  private final Scheduler thread;
  private final SourceListener listener;
  private final Consumer<SourceState> afterTick;
  private final ChangeDetector detector;
  private final Deadlines deadlines;
  private final BudgetLimiter limiter;
  private final Schedule schedule;
  private final Poller poller;
  private final PollHealth health;
  /** Asks the service for the calls of the keys; empty where it is not asked. */
  private final Flux<KeyReport> reports;
  private final Supplier<@Nullable Duration> clockDrift;
  /** The targets that are watched besides the configured ones. */
  private List<WatchedTarget> watchedToo = List.of();

  /**
   * A session that goes on from what the ledger restored.
   *
   * @param lease permits calls to the service while it is held
   * @param thread the ledger's
   * @param afterTick receives the state of the source after every tick
   */
  SourceSession(
      ConfiguredSource source,
      Ledger ledger,
      CommandAnnouncer announcer,
      AddedTargets added,
      HttpMarketData market,
      ServiceClock service,
      Lease lease,
      KafkaOutage outage,
      Scheduler thread,
      Consumer<SourceState> afterTick) {
    this.ledger = ledger;
    this.announcer = announcer;
    this.added = added;
    this.outage = outage;
    this.thread = thread;
    this.listener = source.listener();
    this.afterTick = afterTick;
    var before = ledger.sourceState();
    var clock = PollClock.system(Schedulers.parallel());
    var now = Instant.now();
    var settings = source.settings();
    configured = settings.watch().targets();
    detector = settings.detector(source.ledger().topics().retention().changes(), before.getWatchingSince(), now);
    var resources = source.ledger().topics().resources().stream().map(ResourceTopics::resource).toList();
    deadlines = new Deadlines(detector, ledger.states(), resources, added::isWatched);
    limiter = new BudgetLimiter(settings.limits(), reservation(before), settings.watch().callsPerRound(),
        this::reserve, lease::held, service, clock);
    schedule = new Schedule(settings.watch(), this::knownTarget, clock);
    poller = new Poller(market, limiter, schedule, clock, HttpClientSettings.MAX_CONNECTIONS, listener::pollChosen);
    reports = settings.asksForCalls()
        ? new KeyProbe(settings.name(), settings.limits(), limiter, market::keyReport, clock).reports()
        : Flux.empty();
    health = new PollHealth(
        configured.stream().map(watched -> watched.target().name()).toList(), this::lastObservedAt, now);
    clockDrift = market::clockDrift;
    if (!watchAdded(now)) {
      reportTargets();
    }
  }

  /** Watches what commands and follow rules added, and nothing else besides the configuration; whether that changed. */
  private boolean watchAdded(Instant now) {
    added.removeExpired(now).forEach(name -> ledger.withdraw(AddedTarget.KIND, name));
    var next = added.watched(now);
    if (next.equals(watchedToo)) {
      return false;
    }
    watchedToo.stream().filter(each -> !next.contains(each)).map(each -> each.target().name()).forEach(name -> {
      poller.unwatch(name);
      health.unwatch(name);
    });
    next.stream().filter(each -> !watchedToo.contains(each)).forEach(each -> {
      schedule.watch(each, knownTarget(each.target().name()));
      health.watch(each.target().name(), now);
    });
    watchedToo = next;
    reportTargets();
    return true;
  }

  private void reportTargets() {
    var all = Stream.concat(configured.stream(), watchedToo.stream()).toList();
    listener.pollingStarted(all, ledger.states()::targetState, detector::staleAt, limiter::remaining, clockDrift);
  }

  /** Runs until it is stopped. Fails with what ended it before. */
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
        .doOnNext(batch -> outage.run(ledger::commit)) // commit: what is now in Kafka
        .doOnNext(listener::snapshotsCommitted);
  }

  private List<CommittedSnapshot> detect(List<Snapshot> snapshots) {
    return snapshots.stream().sorted(ORDER).map(this::detect).toList();
  }

  private CommittedSnapshot detect(Snapshot snapshot) {
    var detected = detector.detect(snapshot, ledger.states());
    detected.targetState().setLearned(schedule.learned(snapshot.target().name()));
    detected.targetState().setRetry(schedule.retry(snapshot.target().name()));
    var outcome = ledger.append(detected);
    learn(outcome);
    follow(outcome);
    deadlines.note(outcome, Instant.now());
    outcome.deadLetters().forEach(letter -> LOG.warn(
        "source {}: target {}: page {} is kept as a dead letter, equal ones are counted; {}", letter.getSource(),
        letter.getTarget(), letter.getPage(), letter.getReason()));
    health.recordPoll(snapshot, outcome.targetState().getComplete());
    return new CommittedSnapshot(snapshot, outcome);
  }

  /** Gives the schedule what a snapshot showed: which pools, and which of them changed so that it was published. */
  private void learn(ChangeSet outcome) {
    var state = outcome.targetState();
    if (!state.getComplete()) {
      return;
    }
    var published = outcome.updates().stream().filter(update -> update.change() != null).toList();
    var changed = published.stream().filter(SourceSession::isPool).map(ResourceUpdate::key).collect(toSet());
    var other = !outcome.listings().isEmpty() || published.stream().anyMatch(update -> !isPool(update));
    schedule.learn(state.getTarget(), new Shown(state.getChanged() ? pools(state) : null, changed, other));
    published.forEach(update -> {
      if (update.state() instanceof PoolState pool) {
        schedule.seed(update.key(), tradesOfADay(pool));
      }
    });
  }

  /** Watches pools that entered a list, where a rule wants it: committed with the listings. */
  private void follow(ChangeSet outcome) {
    var now = Instant.now();
    outcome.listings().stream().flatMap(listing -> added.follow(listing, now).stream()).forEach(ledger::append);
  }

  private static boolean isPool(ResourceUpdate update) {
    return update.resource().equals(POOL);
  }

  private List<String> pools(TargetState state) {
    return detector.resourcesOf(state, ledger.states()).entrySet().stream()
        .filter(shown -> shown.getValue().equals(POOL))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static @Nullable Long tradesOfADay(PoolState pool) {
    var activity = pool.getKnown().getActivity();
    var windows = activity == null ? null : activity.getTransactions();
    var trades = windows == null ? null : windows.getH24();
    return trades == null ? null : requireNonNullElse(trades.getBuys(), 0L) + requireNonNullElse(trades.getSells(), 0L);
  }

  private @Nullable KnownTarget knownTarget(String target) {
    var state = ledger.states().targetState(target);
    return state == null || Objects.equals(state.getObservedPages(), 0)
        ? null
        : new KnownTarget(state.getObservedAt(), pools(state), state.getLearned());
  }

  private Flux<Long> ticks() {
    return Mono.defer(() -> Mono.delay(untilNextTick(Instant.now())))
        .repeat()
        .onBackpressureDrop()
        .publishOn(thread, 1)
        .doOnNext(second -> outage.run(this::tick));
  }

  /** The time to the next tick, {@link #TICK_PHASE} after a full second and at least half a second away. */
  static Duration untilNextTick(Instant now) {
    var inPhase = now.toEpochMilli() - TICK_PHASE.toMillis();
    var next = (Math.floorDiv(inPhase + TICK.toMillis() / 2, TICK.toMillis()) + 1) * TICK.toMillis();
    return Duration.ofMillis(next - inPhase);
  }

  private void tick() {
    var now = Instant.now();
    var updates = appendDue(now);
    watchAdded(now);
    ledger.commit();
    listener.updatesCommitted(updates);
    ledger.updateSourceState(this::withCurrentHealth);
    announcer.announce(ledger, now);
    ledger.tick();
    afterTick.accept(ledger.sourceState());
  }

  /** Appends what is due without a snapshot, such as withheld values. */
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

  /** Shows readers whether nothing changed or nothing was polled. */
  private SourceState withCurrentHealth(SourceState state) {
    var degraded = degradedReason();
    var message = degraded == null ? health.problem() : degraded;
    var oldest = health.oldest();
    var error = health.lastError();
    return SourceState.newBuilder(state)
        .setStatus((degraded == null ? SourceStatus.POLLING : SourceStatus.DEGRADED).wire())
        .setMessage(message)
        .setBudget(limiter.budget())
        .setOldestTarget(oldest == null ? null : oldest.target())
        .setOldestObservedAt(oldest == null ? null : oldest.at())
        .setLastError(error == null ? state.getLastError() : error)
        .setLastErrorAt(error == null ? state.getLastErrorAt() : health.lastErrorAt())
        .build();
  }

  private @Nullable String degradedReason() {
    var ahead = ledger.clockAhead();
    var drift = clockDrift.get();
    if (ahead.compareTo(CLOCK_TOLERANCE) > 0) {
      return "the time of its records is %d s ahead of this machine's clock, after an owner with a fast clock: no timer "
          .formatted(ahead.toSeconds()) + "runs until the clock is there";
    }
    if (drift != null && drift.compareTo(CLOCK_TOLERANCE) > 0) {
      return "this machine's clock is %d s ahead of the service's; synchronize it".formatted(drift.toSeconds());
    }
    var keysOut = limiter.remaining().keysOut();
    return keysOut == null && health.isDegraded() ? health.problem() : keysOut;
  }

  private Mono<Void> stopInOrder() {
    ledger.updateSourceState(
        state -> SourceState.newBuilder(withCurrentHealth(state)).setStatus(SourceStatus.STOPPED.wire()).build());
    return limiter.settleReservation();
  }

  private Mono<Void> reserve(Budget budget) {
    return onLedgerThread(() -> outage.run(
        () -> ledger.commitSourceState(state -> SourceState.newBuilder(state).setBudget(budget).build())));
  }

  private Mono<Void> onLedgerThread(Runnable work) {
    return Mono.<Void>fromRunnable(work).subscribeOn(thread);
  }

  /** The budget that earlier sessions reserved; null where nothing was ever reserved. */
  private static @Nullable Budget reservation(SourceState before) {
    return before.getBudget().getReservedAt() == null ? null : before.getBudget();
  }

  private @Nullable Instant lastObservedAt(String target) {
    var state = ledger.states().targetState(target);
    return state == null || Objects.equals(state.getObservedPages(), 0) ? null : state.getObservedAt();
  }
}
