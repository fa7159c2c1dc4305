package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.receiver.DeliveryListener;
import java.util.List;

/** Metrics of the notifications to receivers. */
final class DeliveryMetrics implements DeliveryListener {

  private final LabelledCounter attempts;
  private final LabelledCounter digested;

  DeliveryMetrics(String source, MeterRegistry registry) {
    attempts = new LabelledCounter(registry, source, "tidemark.deliveries",
        "Attempts to notify a receiver: delivered, later (it is tried again) or refused for good.");
    digested = new LabelledCounter(registry, source, "tidemark.deliveries.digested.alerts",
        "Alerts delivered in a digest instead of a notification of their own.");
  }

  /** Registers the counters of a receiver at 0. */
  void registerAtZero(String receiver) {
    List.of("delivered", "later", "refused").forEach(
        outcome -> attempts.registerAtZero("receiver", receiver, "outcome", outcome));
    digested.registerAtZero("receiver", receiver);
  }

  @Override
  public void attempted(String receiver, String outcome) {
    attempts.add(1, "receiver", receiver, "outcome", outcome);
  }

  @Override
  public void digested(String receiver, int alerts) {
    digested.add(alerts, "receiver", receiver);
  }
}
