package io.tidemark.stream.alert;

import io.tidemark.event.StoredAlertInstance;
import io.tidemark.rule.Rule;
import io.tidemark.rule.expression.Expression.Verdict;
import io.tidemark.stream.alert.GapFreeClock.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of one rule for one fingerprint, or null if the rule is inactive for that fingerprint. Conditions change
 * their state only by {@link #after} and the methods of {@link Active}. {@link AlertEvaluator} creates the states of
 * event rules.
 *
 * <p>{@code since}, {@code keepFiringSince} and {@code noDataSince} are milliseconds of the {@link GapFreeClock}. The
 * other times are event times.
 */
sealed interface AlertInstance {

  /** Reasons for which a condition is resolved. If a resource is removed, the reason of the removal is used instead. */
  String CONDITION_OVER = "over";

  String NO_DATA = "no data";
  String RULE_REMOVED = "rule removed";

  /** Reason that is used for a tombstone, such as the tombstone of an aggregate that has no members left. */
  String RESOURCE_REMOVED = "removed";

  /**
   * Minimum time for which a finished instance stays in {@code alerts.state}, in milliseconds of the {@link
   * GapFreeClock}. A longer cooldown of an event rule replaces it.
   */
  long RETENTION = Duration.ofHours(24).toMillis();

  /**
   * Returns the clock reading at which time alone leads to the next state or, if the instance is not active, at which
   * the instance is no longer needed; an armed instance is kept a while longer for late records. Returns {@link
   * Long#MAX_VALUE} if time alone never changes the state.
   */
  long dueAt(Rule rule);

  /** A condition that is pending or firing. */
  sealed interface Active extends AlertInstance {

    Active whenTrue(Reading now);

    AlertInstance whenFalse(Reading now);

    Active withoutData(Reading now);

    /** Returns the state that follows by time alone. Called when that state is due. */
    AlertInstance elapse(Reading now, Rule rule);

    Resolved resolve(Reading now, String reason);
  }

  /** A condition that holds, but not yet for as long as the rule requires. */
  record Pending(Instant startedAt, long since, @Nullable Long noDataSince) implements Active {

    /** Returns the pending state. Time without data does not count towards the required duration. */
    @Override
    public Pending whenTrue(Reading now) {
      return noDataSince == null ? this : new Pending(startedAt, since + Math.max(0, now.millis() - noDataSince), null);
    }

    @Override
    public Resolved whenFalse(Reading now) {
      return resolve(now, CONDITION_OVER);
    }

    @Override
    public Pending withoutData(Reading now) {
      return noDataSince != null ? this : new Pending(startedAt, since, now.millis());
    }

    @Override
    public long dueAt(Rule rule) {
      return noDataSince == null ? since + rule.holdFor().toMillis() : noDataSince + rule.noDataFor().toMillis();
    }

    @Override
    public AlertInstance elapse(Reading now, Rule rule) {
      return noDataSince == null
          ? new Firing(startedAt, now.time(), now.millis(), null, null)
          : resolve(now, NO_DATA);
    }

    @Override
    public Resolved resolve(Reading now, String reason) {
      return new Resolved(startedAt, null, now.time(), now.millis(), reason);
    }
  }

  /**
   * A condition that has held for as long as the rule requires. It may no longer hold, if the rule keeps firing for
   * some time.
   */
  record Firing(
      Instant startedAt, Instant firedAt, long since, @Nullable Long keepFiringSince, @Nullable Long noDataSince)
      implements Active {

    @Override
    public Firing whenTrue(Reading now) {
      return new Firing(startedAt, firedAt, since, null, null);
    }

    @Override
    public Firing whenFalse(Reading now) {
      return new Firing(startedAt, firedAt, since, keepFiringSince != null ? keepFiringSince : now.millis(), null);
    }

    @Override
    public Firing withoutData(Reading now) {
      return noDataSince != null ? this : new Firing(startedAt, firedAt, since, keepFiringSince, now.millis());
    }

    @Override
    public long dueAt(Rule rule) {
      return Math.min(after(keepFiringSince, rule.keepFiringFor()), after(noDataSince, rule.noDataFor()));
    }

    @Override
    public Resolved elapse(Reading now, Rule rule) {
      return resolve(now, after(keepFiringSince, rule.keepFiringFor()) <= now.millis() ? CONDITION_OVER : NO_DATA);
    }

    /**
     * Returns the resolved state. A condition never ends before the time at which it fired, even if the observation
     * that resolves it is from before that time.
     */
    @Override
    public Resolved resolve(Reading now, String reason) {
      var endedAt = now.time().isBefore(firedAt) ? firedAt : now.time();
      return new Resolved(startedAt, firedAt, endedAt, now.millis(), reason);
    }

    private static long after(@Nullable Long since, Duration duration) {
      return since == null ? Long.MAX_VALUE : since + duration.toMillis();
    }
  }

  /** A condition that is over. {@code firedAt} is null if the condition ended before it fired. */
  record Resolved(Instant startedAt, @Nullable Instant firedAt, Instant endedAt, long since, String reason)
      implements AlertInstance {

    @Override
    public long dueAt(Rule rule) {
      return since + retention(rule);
    }
  }

  /**
   * An event rule that was armed by a record and may fire on the same or a later record. {@code firedAt} is the time
   * at which the rule last fired for the fingerprint, or null if no such time is stored.
   */
  record Armed(Instant armedAt, long since, @Nullable Instant firedAt) implements AlertInstance {

    @Override
    public long dueAt(Rule rule) {
      return since + rule.within().toMillis();
    }
  }

  /** An event rule that fired. */
  record Fired(Instant firedAt, long since) implements AlertInstance {

    @Override
    public long dueAt(Rule rule) {
      return since + retention(rule);
    }
  }

  private static long retention(Rule rule) {
    return Math.max(RETENTION, rule.cooldown().toMillis());
  }

  /**
   * Returns whether an event at the given time must not fire, because the rule last fired less than a cooldown earlier.
   * A rule without a cooldown also fires for an event that is older than the one for which it last fired.
   */
  static boolean isCoolingDown(@Nullable AlertInstance instance, Rule rule, Instant time) {
    var last = lastFiredAt(instance);
    return last != null && rule.cooldown().isPositive() && time.isBefore(last.plus(rule.cooldown()));
  }

  /**
   * Returns the time at which an event rule last fired, or null if it never fired or its instance is no longer stored.
   */
  static @Nullable Instant lastFiredAt(@Nullable AlertInstance instance) {
    return switch (instance) {
      case Fired fired -> fired.firedAt();
      case Armed armed -> armed.firedAt();
      case null, default -> null;
    };
  }

  /**
   * Returns the state that follows from the verdict of a condition. If the next transition by time is already due in
   * that state, returns the state after this transition. Returns {@code before}, which may be null, if the condition
   * is neither pending nor firing and the verdict is not true.
   */
  static @Nullable AlertInstance after(
      Verdict verdict, @Nullable AlertInstance before, Reading now, Rule rule) {
    var next = switch (before) {
      case Active active -> switch (verdict) {
        case TRUE -> active.whenTrue(now);
        case FALSE -> active.whenFalse(now);
        case NO_DATA -> active.withoutData(now);
      };
      case null, default -> verdict == Verdict.TRUE ? new Pending(now.time(), now.millis(), null) : before;
    };
    return next instanceof Active active && active.dueAt(rule) <= now.millis() ? active.elapse(now, rule) : next;
  }

  /** Returns the stored state, or null if the rule is inactive. */
  static @Nullable AlertInstance read(StoredAlertInstance it) {
    return switch (it.getState()) {
      case "none" -> null;
      case "pending" -> new Pending(it.getStartedAt(), it.getSince(), it.getNoDataSince());
      case "firing" -> new Firing(
          it.getStartedAt(),
          Objects.requireNonNull(it.getFiredAt()),
          it.getSince(),
          it.getKeepFiringSince(),
          it.getNoDataSince());
      case "resolved" -> new Resolved(
          it.getStartedAt(),
          it.getFiredAt(),
          Objects.requireNonNull(it.getEndedAt()),
          it.getSince(),
          Objects.requireNonNull(it.getReason()));
      case "armed" -> new Armed(it.getStartedAt(), it.getSince(), it.getFiredAt());
      case "fired" -> new Fired(it.getStartedAt(), it.getSince());
      default -> throw new IllegalStateException("unknown state of an alert instance: " + it.getState());
    };
  }

  static void write(AlertInstance instance, StoredAlertInstance to) {
    to.setEndedAt(null);
    to.setReason(null);
    to.setKeepFiringSince(null);
    to.setNoDataSince(null);
    switch (instance) {
      case Pending it -> {
        write(to, "pending", it.startedAt(), null, it.since());
        to.setNoDataSince(it.noDataSince());
      }
      case Firing it -> {
        write(to, "firing", it.startedAt(), it.firedAt(), it.since());
        to.setKeepFiringSince(it.keepFiringSince());
        to.setNoDataSince(it.noDataSince());
      }
      case Resolved it -> {
        write(to, "resolved", it.startedAt(), it.firedAt(), it.since());
        to.setEndedAt(it.endedAt());
        to.setReason(it.reason());
      }
      case Armed it -> write(to, "armed", it.armedAt(), it.firedAt(), it.since());
      case Fired it -> write(to, "fired", it.firedAt(), it.firedAt(), it.since());
    }
  }

  private static void write(
      StoredAlertInstance to, String state, Instant startedAt, @Nullable Instant firedAt, long since) {
    to.setState(state);
    to.setStartedAt(startedAt);
    to.setFiredAt(firedAt);
    to.setSince(since);
  }
}
