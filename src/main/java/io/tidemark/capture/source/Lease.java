package io.tidemark.capture.source;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The right to call the service for a source, which expires before the group can make another instance the owner.
 * Heartbeats renew the lease. It is measured on a monotonic clock, so that a process that was suspended for long finds
 * its lease expired.
 */
public final class Lease {

  private final LongSupplier nanos;
  private final long length;
  private volatile long until;
  private volatile boolean ended;

  /**
   * @param from a time at which this instance certainly was a member of the group, in nanoseconds of the clock
   * @param length session timeout less a margin for clocks that run at different speeds and for requests in flight
   */
  public Lease(LongSupplier nanos, Duration length, long from) {
    this.nanos = nanos;
    this.length = length.toNanos();
    this.until = from + this.length;
  }

  /** Returns whether this instance certainly is the owner now. */
  public boolean held() {
    return !ended && nanos.getAsLong() - until < 0;
  }

  /**
   * Renews the lease for its full length from the given time on, unless it already lasts longer. Does not revive an
   * ended lease. Called only on the group's thread.
   */
  void renew(long from) {
    if (from + length - until > 0) {
      until = from + length;
    }
  }

  /** Returns the time at which the lease expires, in nanoseconds of the lease's clock. */
  long until() {
    return until;
  }

  /** Ends the lease for good. */
  void end() {
    ended = true;
  }
}
