package io.tidemark.receiver;

import io.tidemark.event.Alert;
import java.time.Instant;

/** What one message tells: an alert, or of how many there were. */
public sealed interface Notification {

  /** The same at every attempt to deliver it, and no other message's: an alert and its end are two. */
  String id();

  /** One alert. */
  record SingleAlert(Alert alert) implements Notification {
    @Override
    public String id() {
      return alert.getId() + "/" + alert.getStatus();
    }
  }

  /** Alerts that were too many, or too late, to be told one by one. */
  record AlertDigest(String id, AlertCounts counts, Instant from, Instant to) implements Notification {}
}
