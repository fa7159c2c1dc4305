package io.tidemark.poll;

import reactor.core.publisher.Mono;

/**
 * The calls of one sweep, granted together. What is not used is given back on closing; where retries use up what was
 * meant for others, one is granted at a time. Nothing is held while it waits. Used by one sweep, one call after the
 * other.
 */
final class Grant implements AutoCloseable {

  private final Limiter limiter;
  /** Calls that are paid for. */
  private int left;
  /** Those of them that may leave at any moment; the rest of a block larger than a minute's worth waits its turn. */
  private int ready;
  /** A call is on its way: the service may count it at any moment until its answer. */
  private boolean away;

  Grant(Limiter limiter, int calls, int ready) {
    this.limiter = limiter;
    this.left = calls;
    this.ready = ready;
  }

  /** Completes when the next call may leave; the one before is answered. */
  Mono<Void> next() {
    return Mono.defer(this::ready).then(limiter.whileOurs()).then(Mono.fromRunnable(this::send));
  }

  @Override
  public void close() {
    answered();
    limiter.giveBack(left, ready);
    left = 0;
    ready = 0;
  }

  private Mono<Void> ready() {
    answered();
    if (ready > 0) {
      return Mono.empty();
    }
    return left > 0
        ? limiter.more(left).doOnNext(calls -> ready = calls).then()
        : limiter.oneMore().doOnNext(this::oneMore).then();
  }

  private void oneMore(int calls) {
    left = calls;
    ready = calls;
  }

  private void send() {
    left--;
    ready--;
    away = true;
  }

  private void answered() {
    if (away) {
      away = false;
      limiter.answered();
    }
  }
}
