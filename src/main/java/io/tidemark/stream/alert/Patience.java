package io.tidemark.stream.alert;

import io.tidemark.rule.Rule;
import io.tidemark.stream.alert.AlertInstance.Armed;
import io.tidemark.stream.alert.AlertInstance.Fired;
import io.tidemark.stream.alert.AlertInstance.Firing;
import io.tidemark.stream.alert.AlertInstance.Pending;
import io.tidemark.stream.alert.AlertInstance.Resolved;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long a rule waits, in milliseconds of the {@link GapFreeClock}.
 *
 * @param hold for how long a condition must hold before it fires
 * @param keep for how long it goes on firing when it does not hold any more
 * @param blind how long nothing may be known before it is given up
 * @param armed how long an event stays armed
 * @param cooldown how long an event is not told again: by the times of the events
 */
record Patience(long hold, long keep, long blind, long armed, long cooldown) {

  /** How long what is over is still said in {@code alerts.state}. */
  static final long RETENTION = Duration.ofHours(24).toMillis();

  static Patience of(Rule rule) {
    return new Patience(
        rule.holdFor().toMillis(),
        rule.keepFiringFor().toMillis(),
        rule.noDataFor().toMillis(),
        rule.within().toMillis(),
        rule.cooldown().toMillis());
  }

  /** When time alone brings the next step, by the watch: where there is none, it is forgotten. */
  long due(AlertInstance life) {
    return switch (life) {
      case Pending it -> it.blind() == null ? it.since() + hold : it.blind() + blind;
      case Firing it -> Stream.of(after(it.ending(), keep), after(it.blind(), blind))
          .filter(Objects::nonNull)
          .min(Long::compare)
          .orElse(Long.MAX_VALUE);
      case Armed it -> it.since() + armed;
      case Resolved it -> it.since() + Math.max(RETENTION, cooldown);
      case Fired it -> it.since() + Math.max(RETENTION, cooldown);
    };
  }

  /** The step that time brings when it is due; null where it is forgotten. */
  @Nullable
  AlertInstance elapse(AlertInstance life, Moment due) {
    return switch (life) {
      case Pending it -> it.blind() == null ? it.fires(due) : it.passes(due, Reasons.NO_DATA);
      case Firing it -> it.resolves(due, reason(it, due));
      case Armed it -> null;
      case Resolved it -> null;
      case Fired it -> null;
    };
  }

  /** Whether an event of a time is not to be told, after what was told before. */
  boolean isCooling(@Nullable AlertInstance life, Instant time) {
    var last = AlertInstance.firedAt(life);
    return last != null && time.isBefore(last.plusMillis(cooldown));
  }

  private String reason(Firing it, Moment due) {
    var ends = after(it.ending(), keep);
    return ends != null && ends <= due.shown() ? Reasons.OVER : Reasons.NO_DATA;
  }

  private static @Nullable Long after(@Nullable Long since, long time) {
    return since == null ? null : Long.valueOf(since + time);
  }
}
