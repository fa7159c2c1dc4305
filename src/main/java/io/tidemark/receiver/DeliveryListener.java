package io.tidemark.receiver;

/** Hears what becomes of messages; called by the threads of the receivers. */
public interface DeliveryListener {

  /** @param outcome delivered, later or refused */
  void attempted(String receiver, String outcome);

  /** Alerts that became part of a digest instead of a message of their own. */
  void digested(String receiver, int alerts);

  DeliveryListener NONE = new DeliveryListener() {
    @Override
    public void attempted(String receiver, String outcome) {}

    @Override
    public void digested(String receiver, int alerts) {}
  };
}
