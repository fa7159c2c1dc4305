package io.tidemark.capture.poll;

import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Slots that limit how many polls are in progress at a time. By Little's law, their number is the rate that the limit
 * per minute allows times the measured latency of a call, plus a quarter to spare, within a lowest and a highest
 * number. A poll has one call in flight at a time. A poll takes a slot before its target is chosen, and keeps the
 * slot until its snapshot is accepted downstream.
 */
final class PollSlots {

  /**
   * Minimum number of slots, unless the maximum is lower. With fewer slots, targets that the service does not answer
   * would hold up all others.
   */
  static final int FEWEST = 8;

  /** Factor for spare slots, because latency varies and the slot of the next poll waits for its permit. */
  private static final double HEADROOM = 1.25;

  /** Weight of one call in the moving average of the latency. */
  private static final double WEIGHT = 0.1;

  private static final double MINUTE_NANOS = 60e9;

  private final int most;
  private final IntSupplier callsPerMinute;
  private double latencyNanos;
  private int taken;
  private @Nullable MonoSink<Boolean> waiting;

  /** @param callsPerMinute calls per minute that the budget allows at present */
  PollSlots(int most, IntSupplier callsPerMinute) {
    this.most = most;
    this.callsPerMinute = callsPerMinute;
  }

  /** Completes with a slot as soon as one is free. One caller waits at a time. */
  Mono<Boolean> take() {
    return Mono.create(sink -> {
      synchronized (this) {
        waiting = sink;
      }
      admit();
    });
  }

  void release() {
    synchronized (this) {
      taken--;
    }
    admit();
  }

  /** Records the latency of an answered call, in nanoseconds. */
  void answeredAfter(long nanos) {
    synchronized (this) {
      latencyNanos = latencyNanos == 0 ? nanos : (1 - WEIGHT) * latencyNanos + WEIGHT * nanos;
    }
    admit();
  }

  private void admit() {
    MonoSink<Boolean> next;
    synchronized (this) {
      next = waiting;
      if (next == null || taken >= limit()) {
        return;
      }
      waiting = null;
      taken++;
    }
    next.success(true);
  }

  private int limit() {
    var needed = HEADROOM * callsPerMinute.getAsInt() * latencyNanos / MINUTE_NANOS;
    return Math.clamp((long) Math.ceil(needed), Math.min(FEWEST, most), most);
  }
}
