package io.tidemark.receiver;

/** Observes deliveries, for metrics; called by the threads of the receivers. */
public interface DeliveryListener {

  /** Counts an attempt by its outcome: delivered, later (it is tried again) or refused (given up). */
  void attempted(String receiver, String outcome);

  /** Reports whether a receiver accepts notifications: not after several failures in a row, until the next is delivered. */
  void accepting(String receiver, boolean accepts);

  /** Counts alerts that were part of a digest instead of having a notification of their own. */
  void digested(String receiver, int alerts);
}
