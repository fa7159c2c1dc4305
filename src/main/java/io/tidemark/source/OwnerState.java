package io.tidemark.source;

import io.tidemark.event.SourceState;
import io.tidemark.ledger.SourceStatus;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What this instance does with a source. The methods of a state that return one are the only steps out of it. */
public sealed interface OwnerState {

  /** The last sign of life of the thread that works the source. */
  Instant at();

  /** What is wrong, or how far it is, for people; null where there is nothing to add. */
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

  /** Whether this instance is the owner. */
  default boolean isOwner() {
    return this instanceof Owned;
  }

  /** Another instance is the owner, or none is. */
  record Standby(Instant at) implements OwnerState {

    Starting assigned(Instant now) {
      return new Starting(now);
    }
  }

  /** This instance is the owner, until the source is released or given up. */
  sealed interface Owned extends OwnerState {

    /** A session begins with restoring what is committed. */
    default Restoring restoring(Instant now) {
      return new Restoring(null, now);
    }

    default Standby released(Instant now) {
      return new Standby(now);
    }

    default GivenUp givenUp(@Nullable String reason, Instant now) {
      return new GivenUp(reason, now);
    }

    /** A session failed, and another one begins after a pause. */
    default Polling failed(@Nullable String reason, Instant now) {
      return new Polling(SourceStatus.DEGRADED, reason, now);
    }

    /** The same state, with a reason for being degraded. */
    default Polling degraded(String reason) {
      return new Polling(SourceStatus.DEGRADED, reason, at());
    }
  }

  /** The first session is about to begin. */
  record Starting(Instant at) implements Owned {}

  /** A session has begun. */
  sealed interface InSession extends Owned {

    /** The session ticks: the state of the source is as it committed it. */
    default Polling polling(SourceState state) {
      return new Polling(SourceStatus.of(state.getStatus()), state.getMessage(), state.getHeartbeatAt());
    }
  }

  /** A session restores what is committed. */
  record Restoring(@Nullable String message, Instant at) implements InSession {

    Restoring restored(long read, long total, Instant now) {
      return new Restoring(String.format(Locale.ROOT, "%,d of about %,d records", read, total), now);
    }

    /** It waits for something that it has to restore. */
    Restoring waiting(String reason, Instant now) {
      return new Restoring(reason, now);
    }

    /** It goes on waiting. */
    Restoring waiting(Instant now) {
      return new Restoring(message, now);
    }
  }

  /**
   * A session polls.
   *
   * @param committedStatus the status in {@code source.state}: polling, degraded or stopped
   */
  record Polling(SourceStatus committedStatus, @Nullable String message, Instant at) implements InSession {}

  /** This instance cannot work the source and leaves it to the others. No step leads out of this state. */
  record GivenUp(@Nullable String message, Instant at) implements OwnerState {}
}
