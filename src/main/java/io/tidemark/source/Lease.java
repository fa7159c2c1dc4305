package io.tidemark.source;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a source may be asked without hearing of the group again: that nobody else owns it is certain only until the
 * group would give us up. On a clock that is never set back; also a process that was stopped meanwhile finds it ended.
 */
public final class Lease {

  private final LongSupplier nanos;
  private final long length;
  private volatile long until;
  private volatile boolean ended;

  /**
   * @param from when the group certainly held us for its member
   * @param length session timeout less a margin for what two machines and a request on its way may differ
   */
  public Lease(LongSupplier nanos, Duration length, long from) {
    this.nanos = nanos;
    this.length = length.toNanos();
    this.until = from + this.length;
  }

  /** Whether the source is certainly ours now. */
  public boolean held() {
    return !ended && nanos.getAsLong() - until < 0;
  }

  /** One thread's: the one that polls the group. */
  void renew(long from) {
    if (from + length - until > 0) {
      until = from + length;
    }
  }

  /** By the clock it is on. */
  long until() {
    return until;
  }

  /** For good. */
  void end() {
    ended = true;
  }
}
