package io.tidemark.cli;

import io.tidemark.change.Detection;
import io.tidemark.cli.meter.SourceMeters;
import io.tidemark.cli.settings.SourceSettings;
import io.tidemark.event.Budget;
import io.tidemark.event.SourceState;
import io.tidemark.http.HttpMarketData;
import io.tidemark.ledger.Deadlines;
import io.tidemark.ledger.Lease;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.ledger.Owner;
import io.tidemark.ledger.Producers;
import io.tidemark.ledger.Progress;
import io.tidemark.ledger.SourceHealth;
import io.tidemark.market.ServiceClock;
import io.tidemark.poll.Limiter;
import io.tidemark.poll.Past;
import io.tidemark.poll.Poller;
import io.tidemark.poll.Schedule;
import io.tidemark.poll.Sight;
import io.tidemark.poll.Time;
import io.tidemark.rule.RuleSet;
import io.tidemark.topic.Registry;
import io.tidemark.topic.ResourceTopics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A source that this instance works whenever it is its own: each life begins with what is committed. */
final class SourceAtWork implements Owner, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SourceAtWork.class);

  private final SourceSettings source;
  private final LedgerSettings ledgerSettings;
  private final Registry registry;
  private final SourceMeters meters;
  private final RuleSet rules;
  private final Consumer<Throwable> ended;
  private final Scheduler thread;
  private final Silence silence;
  private final ServiceClock service = ServiceClock.system();
  private volatile SourceHealth health;
  private @Nullable Tenure tenure;

  /**
   * @param rules of the configuration
   * @param ended hears why this instance cannot work the source any more
   */
  SourceAtWork(
      SourceSettings source,
      LedgerSettings ledgerSettings,
      Registry registry,
      SourceMeters meters,
      RuleSet rules,
      Consumer<Throwable> ended) {
    this.source = source;
    this.ledgerSettings = ledgerSettings;
    this.registry = registry;
    this.meters = meters;
    this.rules = rules;
    this.ended = ended;
    this.thread = Schedulers.newSingle("ledger-" + source.name());
    this.silence = new Silence(source.name(), InstantSource.system(), Schedulers.parallel());
    this.health = idle(SourceHealth.STANDBY, null);
    meters.status(() -> health().status());
    meters.silence(silence::since);
  }

  /** How it stands here, now. */
  SourceHealth health() {
    var since = silence.since();
    return since == null || !health.owned() ? health : health.degraded("Kafka has not answered since " + since);
  }

  @Override
  public void take(Lease lease) {
    LOG.info("source {}: it is ours", source.name());
    health = idle(SourceHealth.STARTING, null);
    var lives = new Lives(source.name(), InstantSource.system(), Schedulers.parallel());
    tenure = Tenure.begin(lease, lives, this::life, thread, Schedulers.parallel(), this::giveUp);
  }

  @Override
  public CompletableFuture<Void> giveBack() {
    if (tenure == null) {
      return CompletableFuture.completedFuture(null);
    }
    return tenure.end().thenRun(() -> {
      LOG.info("source {}: given back", source.name());
      standBy();
    });
  }

  @Override
  public void lose() {
    if (tenure != null) {
      LOG.warn("source {}: lost; the group did not hear of this instance, another may have it", source.name());
      tenure.drop();
      standBy();
    }
  }

  @Override
  public void close() {
    thread.dispose();
  }

  private void standBy() {
    meters.rest();
    if (!health.status().equals(SourceHealth.GIVEN_UP)) {
      health = idle(SourceHealth.STANDBY, null);
    }
  }

  private void giveUp(Throwable failure) {
    meters.rest();
    health = idle(SourceHealth.GIVEN_UP, failure.getMessage());
    ended.accept(failure);
  }

  private SourceHealth idle(String status, @Nullable String word) {
    return SourceHealth.idle(source.name(), status, word, Instant.now());
  }

  private Mono<Void> life(Tenure tenure) {
    return Mono.using(
        () -> ledger(tenure),
        ledger -> Mono.using(this::announcing, announcing -> lifeWith(ledger, announcing, tenure)))
        .doOnError(meters::ended);
  }

  private Ledger ledger(Tenure tenure) {
    health = idle(SourceHealth.RESTORING, null);
    var start = Instant.now();
    var ledger = Ledger.start(
        ledgerSettings, registry, meters.bound(Producers.KAFKA), InstantSource.system(), whileOurs(tenure),
        meters.commits());
    silence.over();
    LOG.info("source {}: {} pools and {} tokens known from before, restored in {} ms; {} targets are watched",
        source.name(), ledger.states().size("pool"), ledger.states().size("token"),
        Duration.between(start, Instant.now()).toMillis(), source.watch().targets().size());
    return ledger;
  }

  /** A restore that is not worth going on with ends. */
  private Progress whileOurs(Tenure tenure) {
    var log = new RestoreLog(source.name(), InstantSource.system());
    return (read, total) -> {
      if (!tenure.goesOn()) {
        throw new CancellationException("source " + source.name() + " is not ours any more");
      }
      log.at(read, total);
      meters.progress().at(read, total);
      health = idle(SourceHealth.RESTORING, "%,d of about %,d records".formatted(read, total));
    };
  }

  private Announcing announcing() {
    return Announcing.begin(ledgerSettings, registry, rules);
  }

  private Mono<Void> lifeWith(Ledger ledger, Announcing announcing, Tenure tenure) {
    var before = ledger.source();
    ledger.updateNow(state -> SourceState.newBuilder(state).setStatus(SourceHealth.POLLING).build());
    announcing.announce(ledger, Instant.now());
    var time = Time.system(Schedulers.parallel());
    var limiter = new Limiter(source.limits(), spent(before), source.watch().round(),
        budget -> SourceLife.reserve(ledger, budget, silence, thread), tenure.lease()::held, service, time);
    var now = Instant.now();
    var schedule = new Schedule(source.watch().targets(), source.watch().days(), past(ledger), now);
    var detection = detection(source, ledgerSettings, before.getWatchingSince(), now);
    var resources = ledgerSettings.topics().resources().stream().map(ResourceTopics::resource).toList();
    var deadlines = new Deadlines(detection, ledger.states(), resources);
    var names = source.watch().targets().stream().map(watched -> watched.target().name()).toList();
    var sight = new Sight(names, past(ledger), now);
    meters.polls(source.watch().targets(), ledger.states()::target, detection::staleAt, limiter::left);
    return Mono.using(
        () -> new HttpMarketData(source.client(), Poller::furtherRequest, InstantSource.system(), service),
        market -> {
          meters.drift(market::clockDrift);
          return new SourceLife(ledger, announcing, detection, deadlines, limiter,
              new Poller(market, limiter, schedule, time), sight, silence, thread,
              state -> health = health(state, tenure), meters)
              .until(tenure.stop());
        });
  }

  private static SourceHealth health(SourceState state, Tenure tenure) {
    return new SourceHealth(state.getSource(), state.getStatus(), state.getWord(), tenure.lease().held(),
        state.getBudget(), state.getOldestTarget(), state.getOldestObservedAt(), state.getLastError(),
        state.getLastErrorAt(), state.getHeartbeatAt());
  }

  static Detection detection(
      SourceSettings source, LedgerSettings ledger, Instant watchingSince, Instant startedAt) {
    return new Detection(
        source.worth(), ledger.topics().retention().changes(), source.forgetAfter(), watchingSince, startedAt);
  }

  /** Null where nothing was ever reserved. */
  private static @Nullable Budget spent(SourceState before) {
    return before.getBudget().getReservedAt() == null ? null : before.getBudget();
  }

  private static Past past(Ledger ledger) {
    return target -> {
      var state = ledger.states().target(target);
      return state == null || Objects.equals(state.getSeenPages(), 0) ? null : state.getObservedAt();
    };
  }
}
