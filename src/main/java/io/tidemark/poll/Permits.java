package io.tidemark.poll;

import reactor.core.publisher.Mono;

/**
 * The calls of one sweep, granted together. What is not used is given back on closing; where retries use up what was
 * meant for others, one is granted at a time. Nothing is held while it waits. Used by one sweep, one call after the
 * other.
 */
final class Permits implements AutoCloseable {

  private final BudgetLimiter limiter;
  /** Calls that are paid for. */
  private int unsent;
  /** Those of them that may leave at any moment; the rest of a block larger than a minute's worth waits its turn. */
  private int ready;
  /** A call is on its way: the service may count it at any moment until its answer. */
  private boolean inFlight;

  Permits(BudgetLimiter limiter, int calls, int ready) {
    this.limiter = limiter;
    this.unsent = calls;
    this.ready = ready;
  }

  /** Completes when the next call may leave; the one before is answered. */
  Mono<Void> awaitNext() {
    return Mono.defer(this::ready).then(limiter.awaitLease()).then(Mono.fromRunnable(this::markSent));
  }

  @Override
  public void close() {
    answered();
    limiter.release(unsent, ready);
    unsent = 0;
    ready = 0;
  }

  private Mono<Void> ready() {
    answered();
    if (ready > 0) {
      return Mono.empty();
    }
    return unsent > 0
        ? limiter.more(unsent).doOnNext(calls -> ready = calls).then()
        : limiter.oneMore().doOnNext(this::oneMore).then();
  }

  private void oneMore(int calls) {
    unsent = calls;
    ready = calls;
  }

  private void markSent() {
    unsent--;
    ready--;
    inFlight = true;
  }

  private void answered() {
    if (inFlight) {
      inFlight = false;
      limiter.answered();
    }
  }
}
