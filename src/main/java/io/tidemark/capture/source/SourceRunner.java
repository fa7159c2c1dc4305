package io.tidemark.capture.source;

import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.LedgerFailure;
import io.tidemark.capture.ledger.LedgerListener;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.capture.ledger.SourceStatus;
import io.tidemark.capture.poll.Poller;
import io.tidemark.capture.source.OwnerState.InSession;
import io.tidemark.capture.source.OwnerState.Owned;
import io.tidemark.capture.source.OwnerState.Polling;
import io.tidemark.capture.source.OwnerState.Restoring;
import io.tidemark.capture.source.OwnerState.Standby;
import io.tidemark.capture.source.SourceSession.MarketAccess;
import io.tidemark.capture.source.Sources.ConfiguredSource;
import io.tidemark.event.SourceState;
import io.tidemark.http.client.HttpMarketData;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.market.ServiceClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A runner of one source, which runs the source's sessions while this instance is the owner. */
public final class SourceRunner implements OwnershipListener, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SourceRunner.class);

  private final ConfiguredSource source;
  private final SchemaRegistry registry;
  private final Consumer<Throwable> onGivenUp;
  private final Scheduler thread;
  private final KafkaOutage outage;
  private final ServiceClock service = new ServiceClock(System::nanoTime);
  private volatile OwnerState state = new Standby(Instant.now());
  private @Nullable SessionLoop loop;

  /** @param onGivenUp receives the failure because of which this instance can no longer run the source */
  SourceRunner(ConfiguredSource source, SchemaRegistry registry, Consumer<Throwable> onGivenUp) {
    this.source = source;
    this.registry = registry;
    this.onGivenUp = onGivenUp;
    this.thread = Schedulers.newSingle("ledger-" + name());
    this.outage = new KafkaOutage(name(), InstantSource.system(), Schedulers.parallel());
  }

  public String name() {
    return source.settings().name();
  }

  /**
   * Returns the current state of the source on this instance. While Kafka does not answer the ledger of an owner, the
   * state is degraded. Its time remains that of the last sign of life. In an outage, each work of the ledger fails
   * within its timeout, so only work that hangs makes this time old.
   */
  public OwnerState state() {
    var since = outage.since();
    return since != null && state instanceof Owned owned
        ? owned.waitingForKafka(outage.message())
        : state;
  }

  /**
   * Returns the time at which Kafka stopped answering the ledger. Returns null if Kafka answers, or if this instance is
   * not the owner, since its ledger then asks nothing.
   */
  public @Nullable Instant kafkaOutageSince() {
    return state instanceof Owned ? outage.since() : null;
  }

  @Override
  public void onAssigned(Lease lease) {
    LOG.info("source {}: this instance is now the owner", name());
    outage.reset();
    step(Standby.class, standby -> standby.assigned(Instant.now()));
    var restarts = new RestartPolicy(name(), InstantSource.system(), Schedulers.parallel());
    loop = SessionLoop.start(
        lease, restarts, this::session, thread, Schedulers.parallel(),
        () -> step(Polling.class, failed -> failed.waiting(Instant.now())), this::giveUp);
  }

  @Override
  public CompletableFuture<Void> onRevoked() {
    if (loop == null) {
      return CompletableFuture.completedFuture(null);
    }
    return loop.stopInOrder().thenRun(() -> {
      LOG.info("source {}: this instance released the source and is no longer the owner", name());
      standBy();
    });
  }

  @Override
  public void onLost() {
    if (loop != null) {
      LOG.warn("source {}: the group took it from this instance, which stops polling; another instance may own it",
          name());
      loop.abort();
      standBy();
    }
  }

  @Override
  public void close() {
    thread.dispose();
  }

  private void standBy() {
    source.listener().pollingStopped();
    step(Owned.class, owned -> owned.released(Instant.now()));
  }

  private void giveUp(Throwable failure) {
    source.listener().pollingStopped();
    step(Owned.class, owned -> owned.givenUp(failure.getMessage(), Instant.now()));
    onGivenUp.accept(failure);
  }

  /**
   * Changes the state if it is of the given kind. Otherwise does nothing, so that a session that was lost cannot
   * change the state.
   */
  private synchronized <S extends OwnerState> void step(Class<S> from, Function<S, OwnerState> step) {
    if (from.isInstance(state)) {
      state = step.apply(from.cast(state));
    }
  }

  private Mono<Void> session(SessionLoop sessions) {
    return Mono.using(() -> ledger(sessions), ledger -> session(sessions, ledger))
        .takeUntilOther(uncaughtErrors(name()))
        .doOnError(failure -> !(failure.getCause() instanceof CancellationException), failure -> {
          source.listener().sessionFailed(failure);
          step(Owned.class, owned -> owned.failed(failure.getMessage(), Instant.now()));
        });
  }

  /**
   * Returns a Mono that fails with the next error that the current thread, which is the ledger's, does not catch.
   * Reactor does not pass on an error of the JVM, such as a {@link LinkageError}, but throws it through all operators.
   * Without this Mono, the session would neither continue nor fail. Such an error is wrapped, so that Reactor passes it
   * on and {@link RestartPolicy} treats it as final.
   */
  static Mono<Void> uncaughtErrors(String source) {
    var uncaught = Sinks.<Void>empty();
    Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {
      LOG.error("source {}: an error was not caught; the session ends", source, error);
      uncaught.tryEmitError(Exceptions.isFatal(error) ? new Error(error) : error);
    });
    return uncaught.asMono();
  }

  private Mono<Void> session(SessionLoop sessions, Ledger ledger) {
    var added = new AddedTargets(source.settings());
    return Mono.using(
        () -> CommandAnnouncer.open(source.ledger(), registry, source.announcements().get(), added::apply),
        announcer -> session(sessions, ledger, announcer, added));
  }

  private Mono<Void> session(SessionLoop sessions, Ledger ledger, CommandAnnouncer announcer, AddedTargets added) {
    ledger.commitSourceState(
        before -> SourceState.newBuilder(before).setStatus(SourceStatus.POLLING.wire()).build());
    announcer.announce(ledger, Instant.now());
    ledger.tick(); // the tick shows the streams the new time before they read records of that time
    return Mono.using(
        this::market,
        market -> new SourceSession(
            source, ledger, thread, outage, announcer, added, new MarketAccess(market, service, sessions.lease()),
            now -> step(InSession.class, session -> session.polling(now)))
            .runUntil(sessions.stopRequested()));
  }

  private HttpMarketData market() {
    return new HttpMarketData(
        source.settings().client(), Poller::permitFurtherRequest, Poller::keyOfRequest, InstantSource.system(),
        service);
  }

  private void checkTransactions() {
    try {
      source.transactions().check();
    } catch (KafkaException e) {
      throw LedgerFailure.of(name(), "read the transaction protocol", e);
    }
  }

  private Ledger ledger(SessionLoop sessions) {
    step(Owned.class, owned -> owned.restoring(Instant.now()));
    checkTransactions();
    var start = Instant.now();
    var ledger = Ledger.start(
        source.ledger(), registry, ProducerFactory.KAFKA, InstantSource.system(), new WhileOwner(sessions));
    outage.ended();
    LOG.info("source {}: restored {} pools and {} tokens in {} ms; {} targets are configured",
        name(), ledger.states().size("pool"), ledger.states().size("token"),
        Duration.between(start, Instant.now()).toMillis(), source.settings().watch().targets().size());
    return ledger;
  }

  /**
   * A listener for the ledger of a session. It ends a restore once the release of the source has begun, or if the
   * source is lost.
   */
  private final class WhileOwner implements LedgerListener {

    private final SessionLoop sessions;

    private WhileOwner(SessionLoop sessions) {
      this.sessions = sessions;
    }

    @Override
    public void producerCreated(Producer<byte[], byte[]> producer) {
      source.listener().producerCreated(producer);
    }

    @Override
    public void waiting() {
      checkOwner();
      step(Restoring.class, restoring -> restoring.waiting(Instant.now()));
    }

    @Override
    public void waiting(String message) {
      step(Restoring.class, restoring -> restoring.waiting(message, Instant.now()));
    }

    private void checkOwner() {
      if (!sessions.isContinuing()) {
        throw new CancellationException("source " + name() + ": this instance is no longer the owner");
      }
    }

    @Override
    public void restored(long read, long total) {
      checkOwner();
      source.listener().restored(read, total);
      step(Restoring.class, restoring -> restoring.restored(read, total, Instant.now()));
    }

    @Override
    public void committed(int records, Duration took) {
      source.listener().committed(records, took);
    }
  }
}
