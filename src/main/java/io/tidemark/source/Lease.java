package io.tidemark.source;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The right to call the service for a source, until the group could make another instance the owner. It is renewed by
 * heartbeats and measured on a monotonic clock, so that a process that was suspended finds it expired.
 */
public final class Lease {

  private final LongSupplier nanos;
  private final long length;
  private volatile long until;
  private volatile boolean ended;

  /**
   * @param from when this instance certainly was a member of the group
   * @param length session timeout less a margin for clock rates and requests on their way
   */
  public Lease(LongSupplier nanos, Duration length, long from) {
    this.nanos = nanos;
    this.length = length.toNanos();
    this.until = from + this.length;
  }

  /** Whether this instance certainly is the owner now. */
  public boolean held() {
    return !ended && nanos.getAsLong() - until < 0;
  }

  /** Renews it from that time on. Called by the group's thread alone. */
  void renew(long from) {
    if (from + length - until > 0) {
      until = from + length;
    }
  }

  /** When it expires, by its clock. */
  long until() {
    return until;
  }

  /** Ends it for good. */
  void end() {
    ended = true;
  }
}
