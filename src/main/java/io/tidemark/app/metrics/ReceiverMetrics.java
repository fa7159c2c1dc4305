package io.tidemark.app.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.tidemark.notify.DeliveryListener;
import io.tidemark.notify.Receiver;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Metrics of the deliveries to a source's receivers. */
final class ReceiverMetrics implements DeliveryListener {

  private final MeterFactory meters;
  private final InstantSource clock;
  private final MeterProvider<Counter> attempts;
  private final MeterProvider<Counter> digested;
  private final Map<String, DeliveryState> states = new ConcurrentHashMap<>();

  ReceiverMetrics(List<Receiver> receivers, MeterFactory meters, InstantSource clock) {
    this.meters = meters;
    this.clock = clock;
    attempts = meters.counters("tidemark.deliveries",
        "Attempts to notify a receiver, by outcome: delivered, later (to be tried again) or refused (given up).");
    digested = meters.counters("tidemark.deliveries.digested.alerts",
        "Alerts delivered in a digest instead of in single notifications.");
    receivers.stream().map(Receiver::name).forEach(this::register);
  }

  private void register(String receiver) {
    List.of("delivered", "later", "refused")
        .forEach(outcome -> attempts.withTags("receiver", receiver, "outcome", outcome).increment(0));
    digested.withTags("receiver", receiver).increment(0);
    var of = meters.with("receiver", receiver);
    of.gauge("tidemark.receiver.accepting",
        "1 while a receiver accepts notifications; 0 after several failures in a row, until a delivery succeeds.",
        () -> state(receiver).accepts() ? 1 : 0);
    of.gauge("tidemark.receiver.reading",
        "1 while the delivery to a receiver reads its alerts or stands by; 0 after a failure, until it works for a minute.",
        () -> state(receiver).reads() ? 1 : 0);
    of.gauge("tidemark.receiver.unreadable.partitions",
        "Partitions that are read for a receiver, but for which Kafka does not answer.",
        () -> state(receiver).unreadable());
    of.gauge("tidemark.receiver.waiting.alerts", "Alerts that were read for a receiver and are not delivered yet.",
        () -> state(receiver).waiting());
    of.gauge("tidemark.receiver.oldest.waiting", "seconds",
        "Time since the oldest alert that was read for a receiver and is not delivered yet; 0 if there is none.",
        () -> age(state(receiver).oldest()));
  }

  private DeliveryState state(String receiver) {
    return states.getOrDefault(receiver, DeliveryState.INITIAL);
  }

  /** Returns the seconds since the oldest waiting alert, or 0 if none waits. */
  private double age(@Nullable Instant oldest) {
    return oldest == null ? 0 : Math.max(0, Duration.between(oldest, clock.instant()).toMillis() / 1000.0);
  }

  @Override
  public void attempted(String receiver, String outcome) {
    attempts.withTags("receiver", receiver, "outcome", outcome).increment();
  }

  @Override
  public void digested(String receiver, int alerts) {
    digested.withTags("receiver", receiver).increment(alerts);
  }

  @Override
  public void reported(String receiver, DeliveryState state) {
    states.put(receiver, state);
  }
}
