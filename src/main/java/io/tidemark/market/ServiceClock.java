package io.tidemark.market;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A clock that estimates the service's time: the date of the service's last response, plus the time since that
 * response on a monotonic clock. Responses that report a failure count too. The estimate is independent of this
 * machine's wall clock. It lags the service's clock by the travel time of a response and by the fraction of a second
 * that HTTP dates lack.
 */
public final class ServiceClock {

  private final LongSupplier nanos;
  private volatile @Nullable LastDate last;

  private record LastDate(Instant date, long nanos) {}

  /** @param nanos a monotonic clock, in nanoseconds */
  public ServiceClock(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Sets the clock to the date of a response that has just arrived. */
  public void update(Instant date) {
    last = new LastDate(date, nanos.getAsLong());
  }

  /** Returns the estimated time at the service, or null before the first response with a date. */
  public @Nullable Instant now() {
    var newest = last;
    return newest == null ? null : newest.date().plus(Duration.ofNanos(nanos.getAsLong() - newest.nanos()));
  }
}
