package io.tidemark.capture.source;

import io.tidemark.capture.ledger.SourceStatus;
import io.tidemark.event.SourceState;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The state of a source on this instance. A state changes only through its methods that return another state. */
public sealed interface OwnerState {

  /**
   * Returns the time of the last sign of life of a session, or the time at which this state began if no session has
   * given one since.
   */
  Instant at();

  /** Returns a message for people about a problem or the progress, or null if there is neither. */
  default @Nullable String message() {
    return null;
  }

  default SourceStatus status() {
    return switch (this) {
      case Standby standby -> SourceStatus.STANDBY;
      case Starting starting -> SourceStatus.STARTING;
      case Restoring restoring -> SourceStatus.RESTORING;
      case Polling polling -> polling.committedStatus();
      case GivenUp givenUp -> SourceStatus.GIVEN_UP;
    };
  }

  /** Returns whether this instance is the owner. */
  default boolean isOwner() {
    return this instanceof Owned;
  }

  /** State in which another instance is the owner, or there is no owner. */
  record Standby(Instant at) implements OwnerState {

    Starting assigned(Instant now) {
      return new Starting(now);
    }
  }

  /** State in which this instance is the owner, until the source is released or given up. */
  sealed interface Owned extends OwnerState {

    /** Returns the state in which a new session restores the committed records. */
    default Restoring restoring(Instant now) {
      return new Restoring(null, now);
    }

    default Standby released(Instant now) {
      return new Standby(now);
    }

    default GivenUp givenUp(@Nullable String reason, Instant now) {
      return new GivenUp(reason, now);
    }

    /**
     * Returns the state after a session has failed. Unless the failure is final, the next session begins after a
     * pause.
     */
    default Polling failed(@Nullable String reason, Instant now) {
      return new Polling(SourceStatus.DEGRADED, reason, now);
    }

    /** Returns the state while the ledger waits for Kafka. Waiting is no sign of life: the work may hang. */
    default Polling waitingForKafka(String reason) {
      return new Polling(SourceStatus.DEGRADED, reason, at());
    }
  }

  /** State in which the first session is about to begin. */
  record Starting(Instant at) implements Owned {}

  /** State in which a session has begun, or has failed and the next one has not begun. */
  sealed interface InSession extends Owned {

    /**
     * Returns the polling state for the given state of the source, which the session committed with its latest tick.
     */
    default Polling polling(SourceState state) {
      return new Polling(SourceStatus.of(state.getStatus()), state.getMessage(), state.getHeartbeatAt());
    }
  }

  /** State in which a session restores the committed records. */
  record Restoring(@Nullable String message, Instant at) implements InSession {

    Restoring restored(long read, long total, Instant now) {
      return new Restoring(String.format(Locale.ROOT, "%,d of about %,d records", read, total), now);
    }

    /** Returns this state with the reason why the session waits before it restores. */
    Restoring waiting(String reason, Instant now) {
      return new Restoring(reason, now);
    }

    /** Returns this state with a new time, because the session still waits. */
    Restoring waiting(Instant now) {
      return new Restoring(message, now);
    }
  }

  /**
   * State in which a session polls, or in which this instance owns a degraded source without a polling session: after
   * a failed session, or while Kafka does not answer.
   *
   * @param committedStatus the status that the session's latest tick committed to {@code source.state}, polling or
   *     degraded; also degraded, though not committed, after a failed session or while Kafka does not answer
   */
  record Polling(SourceStatus committedStatus, @Nullable String message, Instant at) implements InSession {

    /** Returns this state with a new time, because the next session still waits for the lease. */
    Polling waiting(Instant now) {
      return new Polling(committedStatus, message, now);
    }
  }

  /**
   * State in which this instance cannot run the source and leaves the source to other instances. This state is final.
   */
  record GivenUp(@Nullable String message, Instant at) implements OwnerState {}
}
