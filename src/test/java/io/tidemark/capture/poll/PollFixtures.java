package io.tidemark.capture.poll;

import io.tidemark.capture.poll.PlanLimits.KeyLimits;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** Plans and clocks of tests of polling. */
public final class PollFixtures {

  private PollFixtures() {}

  /** A plan with one key, which the source uses alone and which counts by calendar months. */
  static PlanLimits plan(int perMinute, long perMonth) {
    return plan(perMinute, perMonth, 1, 0, 1);
  }

  /** A plan with one key. */
  static PlanLimits plan(int perMinute, long perMonth, double share, long spent, int billingDay) {
    return new PlanLimits(List.of(new KeyLimits("1", perMinute, perMonth)), share, spent, billingDay);
  }

  /** Clocks that follow the time of a scheduler, such as a virtual-time scheduler. */
  public static PollClock clock(Scheduler timer) {
    return new PollClock(
        timer,
        () -> Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS)),
        () -> timer.now(TimeUnit.NANOSECONDS));
  }
}
