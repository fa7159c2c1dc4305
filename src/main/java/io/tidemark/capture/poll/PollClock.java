package io.tidemark.capture.poll;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import reactor.core.scheduler.Scheduler;

/**
 * The clocks of polling.
 *
 * @param timer scheduler that runs delayed work
 * @param clock wall clock, for months, days and due times
 * @param nanos monotonic clock in nanoseconds, for the limits per minute
 */
public record PollClock(Scheduler timer, InstantSource clock, LongSupplier nanos) {

  /** Returns the clocks of this machine. */
  public static PollClock system(Scheduler timer) {
    return new PollClock(timer, InstantSource.system(), System::nanoTime);
  }

  Instant now() {
    return clock.instant();
  }
}
