package io.tidemark.receiver;

/** Observes deliveries, for metrics; called by the threads of the receivers. */
public interface DeliveryListener {

  /** Counts an attempt by its outcome: delivered, later (it is tried again) or refused (given up). */
  void attempted(String receiver, String outcome);

  /** Reports whether a receiver takes notifications; not while all that is tried fails, several times in a row. */
  void taking(String receiver, boolean takes);

  /** Counts alerts that were part of a digest instead of having a notification of their own. */
  void digested(String receiver, int alerts);
}
