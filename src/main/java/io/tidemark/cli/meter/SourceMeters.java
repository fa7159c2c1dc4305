package io.tidemark.cli.meter;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import io.tidemark.change.Entry;
import io.tidemark.event.TargetState;
import io.tidemark.ledger.Commits;
import io.tidemark.ledger.Producers;
import io.tidemark.ledger.Progress;
import io.tidemark.poll.BudgetLeft;
import io.tidemark.poll.Watched;
import io.tidemark.receiver.Deliveries;
import io.tidemark.receiver.Receiver;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The figures of one source, over all its lives in this process. */
public final class SourceMeters implements AutoCloseable {

  private final MeterRegistry registry;
  private final String source;
  private final InstantSource clock;
  private final LookMeters looks;
  private final ChangeMeters changes;
  private final LedgerMeters ledger;
  private final BudgetMeters budget;
  private final StatusMeters status;
  private volatile Supplier<@Nullable Duration> drift = () -> null;
  private volatile Supplier<@Nullable Instant> silentSince = () -> null;
  private @Nullable KafkaClientMetrics producer;

  SourceMeters(String source, MeterRegistry registry, InstantSource clock) {
    this.source = source;
    this.registry = registry;
    this.clock = clock;
    looks = new LookMeters(source, registry, clock);
    changes = new ChangeMeters(source, registry);
    ledger = new LedgerMeters(source, registry);
    budget = new BudgetMeters(source, registry, clock);
    status = new StatusMeters(source, registry);
    Gauge.builder("tidemark.clock.drift", this::drift)
        .description("How far this machine's clock is ahead of the service's, to a second.")
        .baseUnit("seconds")
        .tag("source", source)
        .register(registry);
    Gauge.builder("tidemark.kafka.silent", this::silent)
        .description("How long Kafka has not answered the ledger; 0 where it does.")
        .baseUnit("seconds")
        .tag("source", source)
        .register(registry);
  }

  /** Hears of transactions. */
  public Commits commits() {
    return ledger;
  }

  /** Hears how far a restore is. */
  public Progress progress() {
    return ledger;
  }

  /** The same producers, with Kafka's own figures of the newest. */
  public Producers bound(Producers producers) {
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
  public void silence(Supplier<@Nullable Instant> since) {
    silentSince = since;
  }

  /** A life begins to poll. */
  public void polls(
      Collection<Watched> watched,
      Function<String, @Nullable TargetState> known,
      Function<TargetState, Instant> staleAt,
      Supplier<BudgetLeft> left) {
    var sights = new Sights(staleAt);
    sights.watch(watched, known, clock.instant());
    looks.watch(sights);
    changes.watch(sights.operations());
    budget.of(left);
  }

  /** What is now in Kafka. */
  public void committed(List<Look> seen) {
    seen.forEach(look -> {
      looks.seen(look);
      changes.seen(look);
    });
  }

  /** What is now in Kafka without a look. */
  public void flushed(List<Entry> entries) {
    entries.forEach(changes::written);
  }

  /** What the source does here, from now on: a word of {@link io.tidemark.ledger.SourceHealth}. */
  public void status(Supplier<String> word) {
    status.is(word);
  }

  /** Hears what becomes of messages to these receivers. */
  public Deliveries deliveries(List<Receiver> receivers) {
    var deliveries = new DeliveryMeters(source, registry);
    receivers.forEach(receiver -> deliveries.expect(receiver.name()));
    return deliveries;
  }

  /** A life is over. */
  public void ended(Throwable failure) {
    status.ended(failure);
    rest();
  }

  /** Nothing is polled here any more. */
  public void rest() {
    looks.rest();
    budget.rest();
    drift = () -> null;
  }

  @Override
  public synchronized void close() {
    rest();
    unbind();
  }

  private double drift() {
    var ahead = drift.get();
    return ahead == null ? Double.NaN : ahead.toMillis() / 1000.0;
  }

  private double silent() {
    var since = silentSince.get();
    return since == null ? 0 : Duration.between(since, clock.instant()).toSeconds();
  }

  private synchronized void unbind() {
    if (producer != null) {
      producer.close();
      producer = null;
    }
  }
}
