package io.tidemark.receiver;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Observes deliveries, for metrics; called by the threads of the receivers. */
public interface DeliveryListener {

  /** Counts an attempt by its outcome: delivered, later (it is tried again) or refused (given up). */
  void attempted(String receiver, String outcome);

  /** Reports whether a receiver accepts notifications: not after several failures in a row, until the next is delivered. */
  void accepting(String receiver, boolean accepts);

  /** Counts alerts that were part of a digest instead of having a notification of their own. */
  void digested(String receiver, int alerts);

  /**
   * Reports whether the delivery to a receiver reads its topic: not after a failure, until a session has lasted for a
   * minute, and not while the topic is missing. A delivery that stands by for another instance reads.
   */
  void reading(String receiver, boolean reads);

  /** Reports how many of the partitions that are read for a receiver Kafka does not answer for. */
  void unreadable(String receiver, int partitions);

  /**
   * Reports the alerts that were read for a receiver and are not delivered.
   *
   * @param oldest event time of the oldest; null if there is none
   */
  void waiting(String receiver, int alerts, @Nullable Instant oldest);
}
