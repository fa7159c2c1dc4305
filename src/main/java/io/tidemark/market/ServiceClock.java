package io.tidemark.market;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What time it is at the service: what its last answer said, and what has passed since on a clock that is never set
 * back. So it is independent of this machine's time; and never ahead of the service's, but behind it by the way back of
 * an answer and the second that dates are cut to.
 */
public final class ServiceClock {

  private final LongSupplier nanos;
  private volatile @Nullable LastDate update;

  private record LastDate(Instant date, long at) {}

  /** @param nanos counts nanoseconds that are never set back */
  public ServiceClock(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** The machine's nanoseconds. */
  public static ServiceClock system() {
    return new ServiceClock(System::nanoTime);
  }

  /** An answer said what time it is. */
  public void update(Instant date) {
    update = new LastDate(date, nanos.getAsLong());
  }

  /** Null while it is not known. */
  public @Nullable Instant now() {
    var last = update;
    return last == null ? null : last.date().plus(Duration.ofNanos(nanos.getAsLong() - last.at()));
  }
}
