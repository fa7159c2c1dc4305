package io.tidemark.notify;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A callback that reports deliveries, for metrics. The threads of the receivers call it. */
public interface DeliveryListener {

  /** Counts an attempt by its outcome: delivered, later (to be tried again) or refused (given up). */
  void attempted(String receiver, String outcome);

  /**
   * Reports whether a receiver accepts notifications. {@code accepts} is false after several failures in a row, until
   * the next delivery, or until the session ends or loses partitions.
   */
  void accepting(String receiver, boolean accepts);

  /** Counts the alerts of a digest that was delivered or given up. */
  void digested(String receiver, int alerts);

  /**
   * Reports whether the delivery to a receiver can read its topic. {@code reads} is false after a failure until a
   * session has lasted for a minute, and while the topic is missing. It is true for a delivery that stands by while
   * another instance delivers.
   */
  void reading(String receiver, boolean reads);

  /**
   * Reports the number of partitions for which Kafka does not answer, of those assigned to a receiver's consumer.
   * Counts up to five.
   */
  void unreadable(String receiver, int partitions);

  /**
   * Reports the alerts that were read for a receiver and are not delivered yet.
   *
   * @param oldest event time of the oldest such alert; null if there is none
   */
  void waiting(String receiver, int alerts, @Nullable Instant oldest);
}
