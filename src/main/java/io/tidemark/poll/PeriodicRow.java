package io.tidemark.poll;

import io.tidemark.market.Target;
import io.tidemark.poll.WatchList.WatchedTarget;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A target that is polled periodically. */
final class PeriodicRow extends ScheduleRow {

  private final double periodMillis;
  private final double weight;
  private Instant start;
  private Target target;
  private @Nullable Instant last;
  private int calls;
  private boolean disabled;

  PeriodicRow(WatchedTarget watched, @Nullable Instant last, Instant start) {
    this.periodMillis = watched.period().toMillis();
    this.weight = watched.weight();
    this.target = watched.target();
    this.calls = target.pages();
    this.last = last;
    this.start = start;
  }

  @Override
  void prepare(Instant now) {
    super.prepare(now);
    last = last != null && last.isAfter(now) ? now : last;
    start = start.isAfter(now) ? now : start;
  }

  @Override
  Target target() {
    return target;
  }

  @Override
  Instant due(double stretch) {
    if (disabled) {
      return Instant.MAX;
    }
    return last == null ? start : last.plusMillis((long) period(stretch));
  }

  @Override
  double urgency(Instant now, double stretch) {
    return weight * (1 + Duration.between(due(stretch), now).toMillis() / period(stretch));
  }

  @Override
  double callsPerMinute(double stretch) {
    return disabled ? 0 : calls * 60_000 / period(stretch);
  }

  @Override
  void observed(Instant at, int calls) {
    this.last = at;
    this.calls = Math.max(1, calls);
  }

  /** An unreadable answer counts as a poll: the next one comes soon enough. */
  @Override
  void unreadable(Instant at, int calls) {
    observed(at, calls);
  }

  @Override
  void disable(Instant now) {
    disabled = true;
  }

  @Override
  void shorten(int pages) {
    target = new Target(target.source(), target.name(), target.query(), pages);
    calls = Math.min(calls, pages);
  }

  /** A weight of 2 stretches half as much. No target is polled more often than it is refreshed. */
  private double period(double stretch) {
    return periodMillis * Math.max(1, stretch / weight);
  }
}
