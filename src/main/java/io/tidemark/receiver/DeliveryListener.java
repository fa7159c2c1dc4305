package io.tidemark.receiver;

/** Observes deliveries, for metrics; called by the threads of the receivers. */
public interface DeliveryListener {

  /** Counts an attempt by its outcome: delivered, later or refused. */
  void attempted(String receiver, String outcome);

  /** Counts alerts that were part of a digest instead of having a notification of their own. */
  void digested(String receiver, int alerts);
}
