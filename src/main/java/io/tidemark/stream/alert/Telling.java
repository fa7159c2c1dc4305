package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.StoredAlertInstance;
import io.tidemark.stream.alert.AlertInstance.Armed;
import io.tidemark.stream.alert.AlertInstance.Fired;
import io.tidemark.stream.alert.AlertInstance.Firing;
import io.tidemark.stream.alert.AlertInstance.Pending;
import io.tidemark.stream.alert.AlertInstance.Resolved;
import java.util.Objects;

/** What an alert says of the life behind it. */
final class Telling {

  private Telling() {}

  /** Brings an alert to what a life has come to. */
  static void of(AlertInstance life, Alert alert) {
    switch (life) {
      case Pending it -> {
        alert.setStatus("pending");
        alert.setStartedAt(it.startedAt());
        alert.setEventTime(it.startedAt());
      }
      case Firing it -> {
        alert.setStatus("firing");
        alert.setStartedAt(it.startedAt());
        alert.setFiredAt(it.firedAt());
        alert.setEventTime(it.firedAt());
      }
      case Resolved it -> {
        alert.setStatus("resolved");
        alert.setEndedAt(it.endedAt());
        alert.setEventTime(it.endedAt());
        alert.setReason(it.reason());
      }
      case Fired it -> {
        alert.setStatus("fired");
        alert.setFiredAt(it.firedAt());
        alert.setEventTime(it.firedAt());
      }
      case Armed it -> throw new IllegalStateException("nobody is told that a rule is armed");
    }
  }

  /** An id that the trouble's last alert does not have: two may begin at one moment. */
  static void number(Alert alert, StoredAlertInstance trouble) {
    var last = trouble.getAlert() == null ? "" : trouble.getAlert().getId();
    var same = last.equals(alert.getId()) || last.startsWith(alert.getId() + "-");
    if (same) {
      var rest = last.substring(alert.getId().length());
      var before = rest.isEmpty() ? 1 : Integer.parseInt(Objects.requireNonNull(rest).substring(1));
      alert.setId(alert.getId() + "-" + (before + 1));
    }
  }
}
