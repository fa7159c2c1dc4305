package io.tidemark.poll;

import reactor.core.publisher.Mono;

/**
 * The calls of one snapshot, permitted as one block. Closing releases the calls that were not sent. When retries use the
 * block up, further calls are permitted one at a time. Used by one snapshot, one call after the other.
 */
final class Permits implements AutoCloseable {

  private final BudgetLimiter limiter;
  /** Calls counted as spent and not sent yet. */
  private int unsent;
  /** Of these, the calls that fit the minute; the others of a block larger than a minute's limit wait. */
  private int ready;
  /** A call was sent and is not answered: the service may count it at any time until then. */
  private boolean inFlight;

  Permits(BudgetLimiter limiter, int calls, int ready) {
    this.limiter = limiter;
    this.unsent = calls;
    this.ready = ready;
  }

  /** Completes when the next call may be sent. The call before it is answered. */
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
