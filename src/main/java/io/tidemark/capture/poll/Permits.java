package io.tidemark.capture.poll;

import io.tidemark.market.Failure;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * The permits for the calls of one snapshot, with the key of each call. The calls are permitted as one block. Closing
 * releases the calls that were not sent. After retries have used up the block, each further call needs a permit of
 * its own. An instance serves one snapshot, which sends one call at a time, or one call that asks the service about a
 * key. The latter is sent with that key or not at all.
 */
final class Permits implements AutoCloseable {

  private final BudgetLimiter limiter;
  /** Keys of the calls that are permitted but not sent yet. */
  private final Deque<Integer> permitted;
  /** Whether the call must use its key, so that it is not moved to another key and no call is added. */
  private final boolean keyFixed;
  /**
   * Number of calls of the block that are not permitted yet, because they did not fit the limit per minute or were
   * taken back from a key.
   */
  private int rest;
  private int key;
  private int sent;
  private long sentAt;
  /** Whether a call was sent but not answered. Until the answer, the service may count the call at any time. */
  private boolean inFlight;
  private boolean timedOut;

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
   * Completes when the next call may be sent. From then on, {@link #key} returns the key of this call. The previous
   * call counts as answered as soon as the wait begins. Fails as {@link BudgetLimiter#more} does.
   */
  Mono<Void> awaitNext() {
    return Mono.defer(this::ready).then(limiter.awaitLease()).then(Mono.fromRunnable(this::markSent));
  }

  /** Returns the number of the key of the newest call. */
  int key() {
    return key;
  }

  /** Returns the number of calls that were sent, retries included. */
  int sent() {
    return sent;
  }

  /** Returns the time at which the newest call was sent, in nanoseconds. */
  long sentAt() {
    return sentAt;
  }

  /** Returns whether the next call was not permitted in time, so that it was never sent. */
  boolean timedOut() {
    return timedOut;
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
    return permitted.isEmpty()
        ? limiter.more(Math.max(1, rest))
            .doOnNext(this::add)
            .doOnError(Failure.RateLimited.class, late -> timedOut = true)
            .then()
        : Mono.empty();
  }

  private void add(List<Integer> calls) {
    permitted.addAll(calls);
    rest = Math.max(0, rest - calls.size());
  }

  private void markSent() {
    key = permitted.remove();
    sent++;
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
