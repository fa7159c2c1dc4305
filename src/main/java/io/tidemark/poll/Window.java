package io.tidemark.poll;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * The calls of the last minute: those that left, and those that may leave at any moment. It outlives a limiter, so that
 * a source that starts anew does not begin its minute anew.
 */
public final class Window {

  /** A minute, and a second by which two calls may differ on their way: the service counts arrivals. */
  static final long NANOS = Duration.ofSeconds(61).toNanos();

  private final ArrayDeque<Long> sent = new ArrayDeque<>();
  private int held;

  /** Nanoseconds until so many more calls fit under the limit; {@code Long.MAX_VALUE}: not before a held one leaves. */
  synchronized long wait(int calls, int limit, long now) {
    forget(now);
    var tooMany = sent.size() + held + calls - limit;
    if (tooMany <= 0) {
      return 0;
    }
    if (tooMany > sent.size()) {
      return Long.MAX_VALUE;
    }
    var leaving = sent.stream().skip(tooMany - 1L).findFirst().orElseThrow();
    return leaving + NANOS - now;
  }

  synchronized void hold(int calls) {
    held += calls;
  }

  synchronized void release(int calls) {
    held -= calls;
  }

  /** One of the held calls leaves. */
  synchronized void send(long now) {
    held--;
    sent.addLast(now);
  }

  /** What an earlier limiter held may have left unseen: it counts as sent now. */
  synchronized void adopt(long now) {
    for (; held > 0; held--) {
      sent.addLast(now);
    }
  }

  private void forget(long now) {
    while (!sent.isEmpty() && now - sent.peekFirst() >= NANOS) {
      sent.removeFirst();
    }
  }
}
