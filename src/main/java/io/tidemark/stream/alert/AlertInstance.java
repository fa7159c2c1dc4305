package io.tidemark.stream.alert;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a rule stands with one fingerprint. The methods of a state are the only steps from it; where there is no state,
 * nothing has been wrong lately.
 *
 * <p>{@code since}, {@code ending} and {@code blind} are by the {@link GapFreeClock}, the others are times.
 */
sealed interface AlertInstance {

  /** The condition holds, and not for long enough yet. */
  record Pending(Instant startedAt, long since, @Nullable Long blind) implements AlertInstance {

    static Pending begin(Moment now) {
      return new Pending(now.time(), now.shown(), null);
    }

    /** It holds still: a time in which nothing could be said does not count. */
    Pending holds(Moment now) {
      return blind == null ? this : new Pending(startedAt, since + Math.max(0, now.shown() - blind), null);
    }

    Pending isBlind(Moment now) {
      return blind != null ? this : new Pending(startedAt, since, now.shown());
    }

    Firing fires(Moment now) {
      return new Firing(startedAt, now.time(), now.shown(), null, null);
    }

    Resolved passes(Moment now, String reason) {
      return new Resolved(startedAt, null, now.time(), now.shown(), reason);
    }
  }

  /** Someone was told. */
  record Firing(Instant startedAt, Instant firedAt, long since, @Nullable Long ending, @Nullable Long blind)
      implements AlertInstance {

    Firing holds() {
      return new Firing(startedAt, firedAt, since, null, null);
    }

    /** It does not hold, which may be short. */
    Firing fades(Moment now) {
      return ending != null ? this : new Firing(startedAt, firedAt, since, now.shown(), null);
    }

    Firing isBlind(Moment now) {
      return blind != null ? this : new Firing(startedAt, firedAt, since, ending, now.shown());
    }

    /** A look from before it fired ends it no sooner than that. */
    Resolved resolves(Moment now, String reason) {
      var endedAt = now.time().isBefore(firedAt) ? firedAt : now.time();
      return new Resolved(startedAt, firedAt, endedAt, now.shown(), reason);
    }
  }

  /** It is over; or was, before it fired. Kept for a time. */
  record Resolved(Instant startedAt, @Nullable Instant firedAt, Instant endedAt, long since, String reason)
      implements AlertInstance {}

  /**
   * A record armed an event's rule: it fires if another record says so in time.
   *
   * @param firedAt when it was told last, where it was
   */
  record Armed(Instant armedAt, long since, @Nullable Instant firedAt) implements AlertInstance {

    static Armed at(Moment now, @Nullable AlertInstance before) {
      return new Armed(now.time(), now.shown(), AlertInstance.firedAt(before));
    }
  }

  /** An event was told. */
  record Fired(Instant firedAt, long since) implements AlertInstance {

    static Fired at(Moment now) {
      return new Fired(now.time(), now.shown());
    }
  }

  /** When an event was told last; null where it was not, or long ago. */
  static @Nullable Instant firedAt(@Nullable AlertInstance life) {
    return switch (life) {
      case Fired fired -> fired.firedAt();
      case Armed armed -> armed.firedAt();
      case null, default -> null;
    };
  }
}
