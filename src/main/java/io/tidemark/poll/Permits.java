package io.tidemark.poll;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * The calls of one snapshot, permitted as one block, and the key of each. Closing releases the calls that were not sent.
 * When retries use the block up, further calls are permitted one at a time. Used by one snapshot, one call after the
 * other. A call that asks about a key is sent with that key or not at all.
 */
final class Permits implements AutoCloseable {

  private final BudgetLimiter limiter;
  /** The keys of the calls that are permitted and not sent yet. */
  private final Deque<Integer> permitted;
  /** Whether no call is replaced or added. */
  private final boolean keyFixed;
  /** Further calls of the block, which did not fit the minute. */
  private int rest;
  /** The key of the newest call. */
  private int key;
  private long sentAt;
  /** A call was sent and is not answered: the service may count it at any time until then. */
  private boolean inFlight;

  Permits(BudgetLimiter limiter, int calls, Collection<Integer> permitted) {
    this.limiter = limiter;
    this.permitted = new ArrayDeque<>(permitted);
    this.keyFixed = false;
    this.rest = calls - permitted.size();
  }

  /** One call with this key only. */
  Permits(BudgetLimiter limiter, int key) {
    this.limiter = limiter;
    this.permitted = new ArrayDeque<>(List.of(key));
    this.keyFixed = true;
  }

  /** Completes when the next call may be sent, with the key that {@link #key} names. The call before it is answered. */
  Mono<Void> awaitNext() {
    return Mono.defer(this::ready).then(limiter.awaitLease()).then(Mono.fromRunnable(this::markSent));
  }

  /** The number of the key of the newest call. */
  int key() {
    return key;
  }

  /** When the newest call was sent, in nanoseconds. */
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
