package io.tidemark.capture.poll;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * The calls of one snapshot, permitted as one block, with the key of each call. Closing releases the calls that were
 * not sent. When retries use the block up, further calls are permitted one at a time. Only one snapshot uses an
 * instance, one call after the other. A call that asks about a key is sent with that key or not at all.
 */
final class Permits implements AutoCloseable {

  private final BudgetLimiter limiter;
  /** Keys of the calls that are permitted but not sent yet. */
  private final Deque<Integer> permitted;
  /** Whether the key is fixed, so that no call is replaced or added. */
  private final boolean keyFixed;
  /** Number of further calls of the block that did not fit the minute. */
  private int rest;
  /** Key of the newest call. */
  private int key;
  private long sentAt;
  /** Whether a call was sent but not answered. Until the answer, the service may count the call at any time. */
  private boolean inFlight;

  Permits(BudgetLimiter limiter, int calls, Collection<Integer> permitted) {
    this.limiter = limiter;
    this.permitted = new ArrayDeque<>(permitted);
    this.keyFixed = false;
    this.rest = calls - permitted.size();
  }

  /** Creates a permit for one call, with this key only. */
  Permits(BudgetLimiter limiter, int key) {
    this.limiter = limiter;
    this.permitted = new ArrayDeque<>(List.of(key));
    this.keyFixed = true;
  }

  /**
   * Completes when the next call may be sent, with the key that {@link #key} then returns. The previous call counts
   * as answered.
   */
  Mono<Void> awaitNext() {
    return Mono.defer(this::ready).then(limiter.awaitLease()).then(Mono.fromRunnable(this::markSent));
  }

  /** Returns the number of the key of the newest call. */
  int key() {
    return key;
  }

  /** Returns when the newest call was sent, in nanoseconds. */
  long sentAt() {
    return sentAt;
  }

  @Override
  public void close() {
    answered();
    limiter.release(List.copyOf(permitted));
    permitted.clear();
    rest = 0;
  }

  private Mono<Void> ready() {
    answered();
    if (keyFixed) {
      return Mono.empty();
    }
    rest += limiter.replace(permitted);
    return permitted.isEmpty() ? limiter.more(Math.max(1, rest)).doOnNext(this::add).then() : Mono.empty();
  }

  private void add(List<Integer> calls) {
    permitted.addAll(calls);
    rest = Math.max(0, rest - calls.size());
  }

  private void markSent() {
    key = permitted.remove();
    sentAt = limiter.nanos();
    inFlight = true;
  }

  private void answered() {
    if (inFlight) {
      inFlight = false;
      limiter.answered(key);
    }
  }
}
