package io.tidemark.cli;

import io.tidemark.change.Detection;
import io.tidemark.cli.settings.SourceSettings;
import io.tidemark.event.Budget;
import io.tidemark.event.SourceState;
import io.tidemark.http.HttpMarketData;
import io.tidemark.ledger.Deadlines;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.ledger.Producers;
import io.tidemark.poll.Limiter;
import io.tidemark.poll.Past;
import io.tidemark.poll.Poller;
import io.tidemark.poll.Schedule;
import io.tidemark.poll.Time;
import io.tidemark.poll.Window;
import io.tidemark.topic.Registry;
import io.tidemark.topic.ResourceTopics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** A source at work, life after life: each begins with what is committed. */
final class SourceAtWork implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SourceAtWork.class);
  private static final Duration FORGET_AFTER = Duration.ofDays(30);
  private static final Duration CLOSES_WITHIN = Duration.ofSeconds(10);

  private final SourceSettings source;
  private final LedgerSettings ledgerSettings;
  private final Registry registry;
  private final Window window = new Window();
  private final Scheduler thread;
  private final Sinks.Empty<Void> stop = Sinks.empty();
  private final Sinks.Empty<Void> stopped = Sinks.empty();

  private SourceAtWork(SourceSettings source, LedgerSettings ledgerSettings, Registry registry) {
    this.source = source;
    this.ledgerSettings = ledgerSettings;
    this.registry = registry;
    this.thread = Schedulers.newSingle("ledger-" + source.name());
  }

  /** @param ended hears what ended it for good */
  static SourceAtWork start(
      SourceSettings source, LedgerSettings ledgerSettings, Registry registry, Consumer<Throwable> ended) {
    var atWork = new SourceAtWork(source, ledgerSettings, registry);
    var lives = new Lives(source.name(), InstantSource.system(), Schedulers.parallel());
    Mono.defer(atWork::life)
        .subscribeOn(atWork.thread)
        .retryWhen(Retry.from(deaths -> deaths.concatMap(death -> lives.after(death.failure()))))
        .takeUntilOther(atWork.stop.asMono().then(Mono.delay(CLOSES_WITHIN)))
        .doFinally(signal -> atWork.stopped.tryEmitEmpty())
        .subscribe(nothing -> {}, ended);
    return atWork;
  }

  @Override
  public void close() {
    stop.tryEmitEmpty();
    stopped.asMono().block(CLOSES_WITHIN);
    thread.dispose();
  }

  private Mono<Void> life() {
    return Mono.using(this::ledger, this::lifeWith);
  }

  private Ledger ledger() {
    var ledger = Ledger.start(ledgerSettings, registry, Producers.KAFKA, InstantSource.system(), (read, total) -> {});
    LOG.info("source {}: {} pools and {} tokens known from before; {} targets are watched", source.name(),
        ledger.states().size("pool"), ledger.states().size("token"), source.watch().targets().size());
    return ledger;
  }

  private Mono<Void> lifeWith(Ledger ledger) {
    var before = ledger.source();
    ledger.updateNow(state -> SourceState.newBuilder(state).setStatus("polling").build());
    var time = Time.system(Schedulers.parallel());
    var limiter = new Limiter(source.limits(), window, spent(before), source.watch().round(),
        budget -> SourceLife.reserve(ledger, budget, thread), time);
    var now = Instant.now();
    var schedule = new Schedule(source.watch().targets(), source.watch().days(), past(ledger), now);
    var detection = new Detection(source.worth(), ledgerSettings.topics().retention().changes(), FORGET_AFTER,
        before.getWatchingSince(), now);
    var resources = ledgerSettings.topics().resources().stream().map(ResourceTopics::resource).toList();
    var deadlines = new Deadlines(detection, ledger.states(), resources, now);
    return Mono.using(
        () -> new HttpMarketData(source.client(), limiter::again, InstantSource.system()),
        market -> new SourceLife(ledger, detection, deadlines, limiter, new Poller(market, limiter, schedule, time),
                thread)
            .until(stop.asMono()));
  }

  /** Null where nothing was ever reserved. */
  private static @Nullable Budget spent(SourceState before) {
    return before.getBudget().getReservedAt() == null ? null : before.getBudget();
  }

  private static Past past(Ledger ledger) {
    return target -> {
      var state = ledger.states().target(target);
      return state == null || !state.getComplete() ? null : state.getObservedAt();
    };
  }
}
