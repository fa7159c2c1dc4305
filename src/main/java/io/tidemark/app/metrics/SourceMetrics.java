package io.tidemark.app.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.LedgerFailure;
import io.tidemark.capture.ledger.SourceStatus;
import io.tidemark.capture.poll.RemainingBudget;
import io.tidemark.capture.poll.Schedule.DueTarget;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.capture.source.SourceListener;
import io.tidemark.event.TargetState;
import io.tidemark.market.Failure;
import io.tidemark.notify.DeliveryListener;
import io.tidemark.notify.Receiver;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** The metrics of one source, over all its sessions in this process. */
public final class SourceMetrics implements SourceListener, AutoCloseable {

  private final MeterRegistry registry;
  private final String source;
  private final MeterFactory meters;
  private final InstantSource clock;
  private final PollMetrics polls;
  private final ChangeMetrics changes;
  private final Timer commits;
  private final Counter records;
  private final BudgetMetrics budget;
  private final MeterProvider<Counter> sessionFailures;
  private volatile Supplier<SourceStatus> status = () -> SourceStatus.STANDBY;
  private volatile Supplier<@Nullable Duration> clockDrift = () -> null;
  private volatile Supplier<@Nullable Instant> outageSince = () -> null;
  private volatile int rulesOutOfForce;
  private volatile Duration clockAhead = Duration.ZERO;
  private volatile long restoredRecords;
  private volatile long recordsToRestore;
  private @Nullable KafkaClientMetrics producer;

  SourceMetrics(String source, MeterRegistry registry, InstantSource clock) {
    this.source = source;
    this.registry = registry;
    this.meters = MeterFactory.ofSource(source, registry);
    this.clock = clock;
    polls = new PollMetrics(meters, clock);
    changes = new ChangeMetrics(source, meters);
    commits = meters.timers("tidemark.ledger.commit", "Transactions, and how long each took to commit.",
        5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000).withTags();
    records = meters.counters("tidemark.ledger.records", "Records committed, in all topics.").withTags();
    meters.gauge("tidemark.restore.records.read", "Records restored at the beginning of the session.",
        () -> restoredRecords);
    meters.gauge("tidemark.restore.records.expected", "Records to restore, approximately.", () -> recordsToRestore);
    budget = new BudgetMetrics(meters, clock);
    sessionFailures = meters.counters("tidemark.source.session.failures",
        "Sessions of the source's owner that a failure ended, by the failure.");
    Stream.of("fenced", "timed_out", "refused", "other")
        .forEach(reason -> sessionFailures.withTags("reason", reason).increment(0));
    for (var each : SourceStatus.values()) {
      meters.with("status", each.wire()).gauge("tidemark.source.status",
          "1 for the current status of the source in this process, 0 for the other statuses.",
          () -> status.get() == each ? 1 : 0);
    }
    meters.gauge("tidemark.clock.drift", "seconds",
        "How far this machine's clock is ahead of the service's clock, to a second.",
        this::drift);
    meters.gauge("tidemark.rules.out.of.force", "Rules that are out of force because their evaluation failed.",
        () -> rulesOutOfForce);
    meters.gauge("tidemark.ledger.clock.ahead", "seconds",
        "How far the ledger's clock is ahead of this machine's clock. The ledger's clock stands still until this"
            + " machine's clock catches up.",
        () -> clockAhead.toMillis() / 1000.0);
    meters.gauge("tidemark.kafka.outage", "seconds", "How long Kafka has not answered the ledger; 0 if it answers.",
        this::outage);
  }

  /**
   * Shows the status of the source in this process from now on.
   *
   * @param kafkaOutageSince the time since which Kafka has not answered; null if it answers
   */
  public void show(Supplier<SourceStatus> now, Supplier<@Nullable Instant> kafkaOutageSince) {
    status = now;
    outageSince = kafkaOutageSince;
  }

  /** Shows the number of rules that the owner of the source has put out of force. */
  public void showRulesOutOfForce(int count) {
    rulesOutOfForce = count;
  }

  /** Returns a listener that counts the deliveries to the given receivers. */
  public DeliveryListener deliveries(List<Receiver> receivers) {
    return new ReceiverMetrics(receivers, meters, clock);
  }

  /** Shows the Kafka client metrics of the new producer instead of those of the previous producer. */
  @Override
  public synchronized void producerCreated(Producer<byte[], byte[]> created) {
    unbind();
    producer = new KafkaClientMetrics(created, Tags.of("source", source));
    producer.bindTo(registry);
  }

  @Override
  public void restored(long read, long total) {
    restoredRecords = read;
    recordsToRestore = total;
  }

  @Override
  public void ticked(Duration ahead) {
    clockAhead = ahead;
  }

  @Override
  public void committed(int count, Duration took) {
    commits.record(took);
    records.increment(count);
  }

  @Override
  public void pollingStarted(
      List<WatchedTarget> targets,
      Function<String, @Nullable TargetState> known,
      Function<TargetState, Instant> staleAt,
      Supplier<RemainingBudget> remaining,
      Supplier<@Nullable Duration> drift) {
    var staleness = new TargetStaleness(targets, known, staleAt, clock.instant(), polls.staleness());
    polls.startPolling(staleness);
    changes.registerAtZero(staleness.operations());
    budget.startPolling(remaining);
    clockDrift = drift;
  }

  @Override
  public void pollChosen(DueTarget due) {
    polls.chosen(due);
  }

  @Override
  public void pollingStopped() {
    polls.stopPolling();
    budget.stopPolling();
    rulesOutOfForce = 0;
    clockAhead = Duration.ZERO;
    clockDrift = () -> null;
  }

  @Override
  public void snapshotsCommitted(List<CommittedSnapshot> snapshots) {
    snapshots.forEach(snapshot -> {
      polls.committed(snapshot);
      changes.committed(snapshot);
    });
  }

  @Override
  public void updatesCommitted(List<ResourceUpdate> updates) {
    updates.forEach(changes::committed);
  }

  @Override
  public void sessionFailed(Throwable failure) {
    sessionFailures.withTags("reason", reason(failure)).increment();
    pollingStopped();
  }

  private static String reason(Throwable failure) {
    return switch (failure) {
      case LedgerFailure.Fenced fenced -> "fenced";
      case LedgerFailure.TimedOut timedOut -> "timed_out";
      case LedgerFailure.Refused refused -> "refused";
      case Failure polled -> PollMetrics.label(polled.getClass());
      default -> "other";
    };
  }

  @Override
  public synchronized void close() {
    pollingStopped();
    unbind();
  }

  private double drift() {
    var ahead = clockDrift.get();
    return ahead == null ? Double.NaN : ahead.toMillis() / 1000.0;
  }

  private double outage() {
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
