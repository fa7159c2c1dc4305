package io.tidemark.receiver;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/** When a receiver's last messages left; one thread's. */
final class NotificationRate {

  private final NotificationLimit limit;
  private final Deque<Instant> sent = new ArrayDeque<>();

  NotificationRate(NotificationLimit atMost) {
    this.limit = atMost;
  }

  boolean allows(Instant now) {
    while (!sent.isEmpty() && !sent.getFirst().plus(limit.period()).isAfter(now)) {
      sent.removeFirst();
    }
    return sent.size() < limit.notifications();
  }

  void record(Instant now) {
    sent.addLast(now);
  }
}
