package io.tidemark.poll;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import reactor.core.scheduler.Scheduler;

/**
 * The time that polling lives by.
 *
 * @param timer wakes what waits
 * @param clock tells months, days and due times
 * @param nanos counts nanoseconds that are never set back, for the limits per minute
 */
public record PollClock(Scheduler timer, InstantSource clock, LongSupplier nanos) {

  /** The machine's time. */
  public static PollClock system(Scheduler timer) {
    return new PollClock(timer, InstantSource.system(), System::nanoTime);
  }

  /** A scheduler's own time, such as a virtual one. */
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
