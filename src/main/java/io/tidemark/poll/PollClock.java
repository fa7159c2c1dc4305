package io.tidemark.poll;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import reactor.core.scheduler.Scheduler;

/**
 * The clocks of polling.
 *
 * @param timer runs delayed work
 * @param clock the wall clock, for months, days and due times
 * @param nanos a monotonic clock in nanoseconds, for the limits per minute
 */
public record PollClock(Scheduler timer, InstantSource clock, LongSupplier nanos) {

  /** The clocks of this machine. */
  public static PollClock system(Scheduler timer) {
    return new PollClock(timer, InstantSource.system(), System::nanoTime);
  }

  /** The clock of a scheduler, such as a virtual one. */
  public static PollClock of(Scheduler timer) {
    return new PollClock(
        timer,
        () -> Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS)),
        () -> timer.now(TimeUnit.NANOSECONDS));
  }

  Instant now() {
    return clock.instant();
  }
}
