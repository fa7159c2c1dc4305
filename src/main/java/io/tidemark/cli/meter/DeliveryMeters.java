package io.tidemark.cli.meter;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.receiver.Deliveries;
import java.util.List;

/** What becomes of the messages to receivers. */
final class DeliveryMeters implements Deliveries {

  private final Counted attempts;
  private final Counted digested;

  DeliveryMeters(String source, MeterRegistry registry) {
    attempts = new Counted(registry, source, "tidemark.deliveries",
        "Attempts to tell a receiver: delivered, later (it is tried again) or refused for good.");
    digested = new Counted(registry, source, "tidemark.deliveries.digested.alerts",
        "Alerts that became part of a digest instead of a message of their own.");
  }

  /** All that may be said of a receiver is there at 0. */
  void expect(String receiver) {
    List.of("delivered", "later", "refused").forEach(
        outcome -> attempts.expect("receiver", receiver, "outcome", outcome));
    digested.expect("receiver", receiver);
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
