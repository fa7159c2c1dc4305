package io.tidemark.stream.alert;

import io.tidemark.event.StoredAlertInstance;
import io.tidemark.stream.alert.AlertInstance.Armed;
import io.tidemark.stream.alert.AlertInstance.Fired;
import io.tidemark.stream.alert.AlertInstance.Firing;
import io.tidemark.stream.alert.AlertInstance.Pending;
import io.tidemark.stream.alert.AlertInstance.Resolved;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lives as they are stored. */
final class Lives {

  private Lives() {}

  /** Null where nothing has been wrong lately. */
  static @Nullable AlertInstance read(StoredAlertInstance it) {
    return switch (it.getState()) {
      case "none" -> null;
      case "pending" -> new Pending(it.getStartedAt(), it.getSince(), it.getNoDataSince());
      case "firing" -> new Firing(
          it.getStartedAt(), Objects.requireNonNull(it.getFiredAt()), it.getSince(), it.getKeepFiringSince(),
          it.getNoDataSince());
      case "resolved" -> new Resolved(
          it.getStartedAt(), it.getFiredAt(), Objects.requireNonNull(it.getEndedAt()), it.getSince(),
          Objects.requireNonNull(it.getReason()));
      case "armed" -> new Armed(it.getStartedAt(), it.getSince(), it.getFiredAt());
      case "fired" -> new Fired(it.getStartedAt(), it.getSince());
      default -> throw new IllegalStateException("a trouble is " + it.getState());
    };
  }

  static void write(AlertInstance life, StoredAlertInstance to) {
    clear(to);
    switch (life) {
      case Pending it -> {
        begun(to, "pending", it.startedAt(), null, it.since());
        to.setNoDataSince(it.blind());
      }
      case Firing it -> {
        begun(to, "firing", it.startedAt(), it.firedAt(), it.since());
        to.setKeepFiringSince(it.ending());
        to.setNoDataSince(it.blind());
      }
      case Resolved it -> {
        begun(to, "resolved", it.startedAt(), it.firedAt(), it.since());
        to.setEndedAt(it.endedAt());
        to.setReason(it.reason());
      }
      case Armed it -> begun(to, "armed", it.armedAt(), it.firedAt(), it.since());
      case Fired it -> begun(to, "fired", it.firedAt(), it.firedAt(), it.since());
    }
  }

  private static void begun(StoredAlertInstance to, String phase, Instant startedAt, @Nullable Instant firedAt,
      long since) {
    to.setState(phase);
    to.setStartedAt(startedAt);
    to.setFiredAt(firedAt);
    to.setSince(since);
  }

  private static void clear(StoredAlertInstance to) {
    to.setEndedAt(null);
    to.setReason(null);
    to.setKeepFiringSince(null);
    to.setNoDataSince(null);
  }
}
