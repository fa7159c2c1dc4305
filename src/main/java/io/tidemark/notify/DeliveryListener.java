package io.tidemark.notify;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A callback that reports deliveries, for metrics. The threads of the receivers call it. */
public interface DeliveryListener {

  /** Counts an attempt by its outcome: delivered, later (to be tried again) or refused (given up). */
  void attempted(String receiver, String outcome);

  /** Counts the alerts of a digest that was delivered or given up. */
  void digested(String receiver, int alerts);

  /** Reports the state of the delivery to a receiver. Called at least with every poll of Kafka. */
  void reported(String receiver, DeliveryState state);

  /**
   * The state of the delivery to a receiver.
   *
   * @param accepts whether the receiver accepts notifications; false after several failures in a row, until the next
   *     delivery, or until the session ends or loses partitions
   * @param reads whether the delivery can read its topic; false after a failure until a session has lasted for a
   *     minute, and while the topic is missing. True for a delivery that stands by while another instance delivers
   * @param unreadable number of partitions for which Kafka does not answer, of those assigned to the receiver's
   *     consumer; counts up to five
   * @param waiting number of alerts that were read for the receiver and are not delivered yet
   * @param oldest event time of the oldest such alert; null if there is none
   */
  record DeliveryState(boolean accepts, boolean reads, int unreadable, int waiting, @Nullable Instant oldest) {

    /** The state before the first report. */
    public static final DeliveryState INITIAL = new DeliveryState(true, true, 0, 0, null);
  }
}
