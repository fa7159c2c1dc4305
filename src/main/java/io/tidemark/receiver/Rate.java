package io.tidemark.receiver;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/** When a receiver's last messages left; one thread's. */
final class Rate {

  private final AtMost atMost;
  private final Deque<Instant> sent = new ArrayDeque<>();

  Rate(AtMost atMost) {
    this.atMost = atMost;
  }

  boolean allows(Instant now) {
    while (!sent.isEmpty() && !sent.getFirst().plus(atMost.per()).isAfter(now)) {
      sent.removeFirst();
    }
    return sent.size() < atMost.messages();
  }

  void count(Instant now) {
    sent.addLast(now);
  }
}
