package io.tidemark.market;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of the service: the date of its last answer, and the time that has passed since on a monotonic clock. It is
 * independent of this machine's time, and behind the service's by the time an answer travels and the fraction of a
 * second that dates lack.
 */
public final class ServiceClock {

  private final LongSupplier nanos;
  private volatile @Nullable LastDate last;

  private record LastDate(Instant date, long nanos) {}

  /** @param nanos a monotonic clock, in nanoseconds */
  public ServiceClock(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Over this machine's monotonic clock. */
  public static ServiceClock system() {
    return new ServiceClock(System::nanoTime);
  }

  /** Sets the clock by the date of an answer. */
  public void update(Instant date) {
    last = new LastDate(date, nanos.getAsLong());
  }

  /** The time at the service; null before its first answer. */
  public @Nullable Instant now() {
    var newest = last;
    return newest == null ? null : newest.date().plus(Duration.ofNanos(nanos.getAsLong() - newest.nanos()));
  }
}
