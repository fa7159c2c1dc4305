package io.tidemark.stream.alert;

import io.tidemark.event.Trouble;
import io.tidemark.stream.alert.Life.Armed;
import io.tidemark.stream.alert.Life.Fired;
import io.tidemark.stream.alert.Life.Firing;
import io.tidemark.stream.alert.Life.Pending;
import io.tidemark.stream.alert.Life.Resolved;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lives as they are stored. */
final class Lives {

  private Lives() {}

  /** Null where nothing has been wrong lately. */
  static @Nullable Life read(Trouble it) {
    return switch (it.getPhase()) {
      case "none" -> null;
      case "pending" -> new Pending(it.getStartedAt(), it.getSince(), it.getBlind());
      case "firing" -> new Firing(
          it.getStartedAt(), Objects.requireNonNull(it.getFiredAt()), it.getSince(), it.getEnding(), it.getBlind());
      case "resolved" -> new Resolved(
          it.getStartedAt(), it.getFiredAt(), Objects.requireNonNull(it.getEndedAt()), it.getSince(),
          Objects.requireNonNull(it.getReason()));
      case "armed" -> new Armed(it.getStartedAt(), it.getSince(), it.getFiredAt());
      case "fired" -> new Fired(it.getStartedAt(), it.getSince());
      default -> throw new IllegalStateException("a trouble is " + it.getPhase());
    };
  }

  static void write(Life life, Trouble to) {
    clear(to);
    switch (life) {
      case Pending it -> {
        begun(to, "pending", it.startedAt(), null, it.since());
        to.setBlind(it.blind());
      }
      case Firing it -> {
        begun(to, "firing", it.startedAt(), it.firedAt(), it.since());
        to.setEnding(it.ending());
        to.setBlind(it.blind());
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

  private static void begun(Trouble to, String phase, Instant startedAt, @Nullable Instant firedAt, long since) {
    to.setPhase(phase);
    to.setStartedAt(startedAt);
    to.setFiredAt(firedAt);
    to.setSince(since);
  }

  private static void clear(Trouble to) {
    to.setEndedAt(null);
    to.setReason(null);
    to.setEnding(null);
    to.setBlind(null);
  }
}
