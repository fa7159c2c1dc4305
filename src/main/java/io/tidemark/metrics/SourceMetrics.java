package io.tidemark.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import io.tidemark.change.ResourceUpdate;
import io.tidemark.event.TargetState;
import io.tidemark.ledger.LedgerListener;
import io.tidemark.ledger.ProducerFactory;
import io.tidemark.ledger.RestoreProgress;
import io.tidemark.poll.RemainingBudget;
import io.tidemark.poll.WatchList.WatchedTarget;
import io.tidemark.receiver.DeliveryListener;
import io.tidemark.receiver.Receiver;
import io.tidemark.source.CommittedSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The figures of one source, over all its lives in this process. */
public final class SourceMetrics implements AutoCloseable {

  private final MeterRegistry registry;
  private final String source;
  private final InstantSource clock;
  private final PollMetrics polls;
  private final ChangeMetrics changes;
  private final LedgerMetrics ledger;
  private final BudgetMetrics budget;
  private final StatusMetrics status;
  private volatile Supplier<@Nullable Duration> drift = () -> null;
  private volatile Supplier<@Nullable Instant> outageSince = () -> null;
  private @Nullable KafkaClientMetrics producer;

  SourceMetrics(String source, MeterRegistry registry, InstantSource clock) {
    this.source = source;
    this.registry = registry;
    this.clock = clock;
    polls = new PollMetrics(source, registry, clock);
    changes = new ChangeMetrics(source, registry);
    ledger = new LedgerMetrics(source, registry);
    budget = new BudgetMetrics(source, registry, clock);
    status = new StatusMetrics(source, registry);
    Gauge.builder("tidemark.clock.drift", this::drift)
        .description("How far this machine's clock is ahead of the service's, to a second.")
        .baseUnit("seconds")
        .tag("source", source)
        .register(registry);
    Gauge.builder("tidemark.kafka.silent", this::outageSeconds)
        .description("How long Kafka has not answered the ledger; 0 where it does.")
        .baseUnit("seconds")
        .tag("source", source)
        .register(registry);
  }

  /** Hears of transactions. */
  public LedgerListener commits() {
    return ledger;
  }

  /** Hears how far a restore is. */
  public RestoreProgress progress() {
    return ledger;
  }

  /** The same producers, with Kafka's own figures of the newest. */
  public ProducerFactory bound(ProducerFactory producers) {
    return config -> {
      var made = producers.create(config);
      unbind();
      var figures = new KafkaClientMetrics(made, Tags.of("source", source));
      figures.bindTo(registry);
      producer = figures;
      return made;
    };
  }

  /** How far this machine's clock is ahead of the service's, from now on; null while it is not known. */
  public void drift(Supplier<@Nullable Duration> ahead) {
    drift = ahead;
  }

  /** Since when Kafka does not answer; null where it does. */
  public void outage(Supplier<@Nullable Instant> since) {
    outageSince = since;
  }

  /** A life begins to poll. */
  public void startPolling(
      Collection<WatchedTarget> watched,
      Function<String, @Nullable TargetState> known,
      Function<TargetState, Instant> staleAt,
      Supplier<RemainingBudget> left) {
    var staleness = new TargetStaleness(staleAt);
    staleness.watch(watched, known, clock.instant());
    polls.startPolling(staleness);
    changes.registerAtZero(staleness.operations());
    budget.startPolling(left);
  }

  /** What is now in Kafka. */
  public void committed(List<CommittedSnapshot> observed) {
    observed.forEach(committed -> {
      polls.committed(committed);
      changes.committed(committed);
    });
  }

  /** What is now in Kafka without a look. */
  public void flushed(List<ResourceUpdate> entries) {
    entries.forEach(changes::committed);
  }

  /** What the source does here, from now on: a word of {@link io.tidemark.ledger.SourceHealth}. */
  public void status(Supplier<String> word) {
    status.is(word);
  }

  /** Hears what becomes of messages to these receivers. */
  public DeliveryListener deliveries(List<Receiver> receivers) {
    var deliveries = new DeliveryMetrics(source, registry);
    receivers.forEach(receiver -> deliveries.registerAtZero(receiver.name()));
    return deliveries;
  }

  /** A life is over. */
  public void sessionFailed(Throwable failure) {
    status.sessionFailed(failure);
    stopPolling();
  }

  /** Nothing is polled here any more. */
  public void stopPolling() {
    polls.stopPolling();
    budget.stopPolling();
    drift = () -> null;
  }

  @Override
  public synchronized void close() {
    stopPolling();
    unbind();
  }

  private double drift() {
    var ahead = drift.get();
    return ahead == null ? Double.NaN : ahead.toMillis() / 1000.0;
  }

  private double outageSeconds() {
    var since = outageSince.get();
    return since == null ? 0 : Duration.between(since, clock.instant()).toSeconds();
  }

  private synchronized void unbind() {
    if (producer != null) {
      producer.close();
      producer = null;
    }
  }
}
