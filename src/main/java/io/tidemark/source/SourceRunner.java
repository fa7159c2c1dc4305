package io.tidemark.source;

import io.tidemark.change.ChangeDetector;
import io.tidemark.event.Budget;
import io.tidemark.event.SourceState;
import io.tidemark.http.client.HttpMarketData;
import io.tidemark.ledger.Deadlines;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.ledger.ProducerFactory;
import io.tidemark.ledger.RestoreProgress;
import io.tidemark.ledger.SourceHealth;
import io.tidemark.market.ServiceClock;
import io.tidemark.metrics.SourceMetrics;
import io.tidemark.poll.BudgetLimiter;
import io.tidemark.poll.PollClock;
import io.tidemark.poll.PollHealth;
import io.tidemark.poll.Poller;
import io.tidemark.poll.Schedule;
import io.tidemark.rule.RuleSet;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A source that this instance works whenever it is its own: each life begins with what is committed. */
public final class SourceRunner implements OwnershipListener, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SourceRunner.class);

  private final SourceSettings source;
  private final LedgerSettings ledgerSettings;
  private final SchemaRegistry registry;
  private final SourceMetrics metrics;
  private final RuleSet rules;
  private final Consumer<Throwable> ended;
  private final Scheduler thread;
  private final KafkaOutage outage;
  private final ServiceClock service = ServiceClock.system();
  private volatile SourceHealth health;
  private @Nullable SessionLoop loop;

  /**
   * @param rules of the configuration
   * @param ended hears why this instance cannot work the source any more
   */
  SourceRunner(
      SourceSettings source,
      LedgerSettings ledgerSettings,
      SchemaRegistry registry,
      SourceMetrics meters,
      RuleSet rules,
      Consumer<Throwable> ended) {
    this.source = source;
    this.ledgerSettings = ledgerSettings;
    this.registry = registry;
    this.metrics = meters;
    this.rules = rules;
    this.ended = ended;
    this.thread = Schedulers.newSingle("ledger-" + source.name());
    this.outage = new KafkaOutage(source.name(), InstantSource.system(), Schedulers.parallel());
    this.health = idle(SourceHealth.STANDBY, null);
    meters.status(() -> health().status());
    meters.outage(outage::since);
  }

  /** How it stands here, now. */
  public SourceHealth health() {
    var since = outage.since();
    return since == null || !health.isOwner() ? health : health.degraded("Kafka has not answered since " + since);
  }

  @Override
  public void onAssigned(Lease lease) {
    LOG.info("source {}: it is ours", source.name());
    health = idle(SourceHealth.STARTING, null);
    var lives = new RestartPolicy(source.name(), InstantSource.system(), Schedulers.parallel());
    loop = SessionLoop.start(lease, lives, this::session, thread, Schedulers.parallel(), this::giveUp);
  }

  @Override
  public CompletableFuture<Void> onRevoked() {
    if (loop == null) {
      return CompletableFuture.completedFuture(null);
    }
    return loop.stopInOrder().thenRun(() -> {
      LOG.info("source {}: given back", source.name());
      standBy();
    });
  }

  @Override
  public void onLost() {
    if (loop != null) {
      LOG.warn("source {}: lost; the group did not hear of this instance, another may have it", source.name());
      loop.abort();
      standBy();
    }
  }

  @Override
  public void close() {
    thread.dispose();
  }

  private void standBy() {
    metrics.stopPolling();
    if (!health.status().equals(SourceHealth.GIVEN_UP)) {
      health = idle(SourceHealth.STANDBY, null);
    }
  }

  private void giveUp(Throwable failure) {
    metrics.stopPolling();
    health = idle(SourceHealth.GIVEN_UP, failure.getMessage());
    ended.accept(failure);
  }

  private SourceHealth idle(String status, @Nullable String word) {
    return SourceHealth.idle(source.name(), status, word, Instant.now());
  }

  private Mono<Void> session(SessionLoop tenure) {
    return Mono.using(
        () -> ledger(tenure),
        ledger -> Mono.using(this::announcing, announcing -> runSession(ledger, announcing, tenure)))
        .doOnError(metrics::sessionFailed);
  }

  private Ledger ledger(SessionLoop tenure) {
    health = idle(SourceHealth.RESTORING, null);
    var start = Instant.now();
    var ledger = Ledger.start(
        ledgerSettings, registry, metrics.bound(ProducerFactory.KAFKA), InstantSource.system(), whileOwner(tenure),
        metrics.commits());
    outage.ended();
    LOG.info("source {}: {} pools and {} tokens known from before, restored in {} ms; {} targets are watched",
        source.name(), ledger.states().size("pool"), ledger.states().size("token"),
        Duration.between(start, Instant.now()).toMillis(), source.watch().targets().size());
    return ledger;
  }

  /** A restore that is not worth going on with ends. */
  private RestoreProgress whileOwner(SessionLoop tenure) {
    var log = new RestoreProgressLog(source.name(), InstantSource.system());
    return (read, total) -> {
      if (!tenure.isContinuing()) {
        throw new CancellationException("source " + source.name() + " is not ours any more");
      }
      log.restored(read, total);
      metrics.progress().restored(read, total);
      health = idle(SourceHealth.RESTORING, "%,d of about %,d records".formatted(read, total));
    };
  }

  private CommandAnnouncer announcing() {
    return CommandAnnouncer.open(ledgerSettings, registry, rules);
  }

  private Mono<Void> runSession(Ledger ledger, CommandAnnouncer announcing, SessionLoop tenure) {
    var before = ledger.sourceState();
    ledger.commitSourceState(state -> SourceState.newBuilder(state).setStatus(SourceHealth.POLLING).build());
    announcing.announce(ledger, Instant.now());
    var time = PollClock.system(Schedulers.parallel());
    var limiter = new BudgetLimiter(source.limits(), spent(before), source.watch().callsPerRound(),
        budget -> SourceSession.reserve(ledger, budget, outage, thread), tenure.lease()::held, service, time);
    var now = Instant.now();
    var schedule = new Schedule(source.watch().targets(), source.watch().histories(), lastObserved(ledger), now);
    var detection = detection(source, ledgerSettings, before.getWatchingSince(), now);
    var resources = ledgerSettings.topics().resources().stream().map(ResourceTopics::resource).toList();
    var deadlines = new Deadlines(detection, ledger.states(), resources);
    var names = source.watch().targets().stream().map(watched -> watched.target().name()).toList();
    var sight = new PollHealth(names, lastObserved(ledger), now);
    metrics.startPolling(source.watch().targets(), ledger.states()::targetState, detection::staleAt,
        limiter::remaining);
    return Mono.using(
        () -> new HttpMarketData(source.client(), Poller::permitFurtherRequest, InstantSource.system(), service),
        market -> {
          metrics.drift(market::clockDrift);
          return new SourceSession(ledger, announcing, detection, deadlines, limiter,
              new Poller(market, limiter, schedule, time), sight, outage, thread,
              state -> health = health(state, tenure), metrics)
              .until(tenure.stopRequested());
        });
  }

  private static SourceHealth health(SourceState state, SessionLoop tenure) {
    return new SourceHealth(state.getSource(), state.getStatus(), state.getMessage(), tenure.lease().held(),
        state.getBudget(), state.getOldestTarget(), state.getOldestObservedAt(), state.getLastError(),
        state.getLastErrorAt(), state.getHeartbeatAt());
  }

  public static ChangeDetector detection(
      SourceSettings source, LedgerSettings ledger, Instant watchingSince, Instant startedAt) {
    return new ChangeDetector(
        source.publishing(), ledger.topics().retention().changes(), source.evictAfter(), watchingSince, startedAt);
  }

  /** Null where nothing was ever reserved. */
  private static @Nullable Budget spent(SourceState before) {
    return before.getBudget().getReservedAt() == null ? null : before.getBudget();
  }

  private static Function<String, @Nullable Instant> lastObserved(Ledger ledger) {
    return target -> {
      var state = ledger.states().targetState(target);
      return state == null || Objects.equals(state.getObservedPages(), 0) ? null : state.getObservedAt();
    };
  }
}
