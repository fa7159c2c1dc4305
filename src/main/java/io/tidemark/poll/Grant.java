package io.tidemark.poll;

import reactor.core.publisher.Mono;

/**
 * The calls of one sweep, granted together. What is not used is given back on closing. Used by one sweep, one call
 * after the other.
 */
final class Grant implements AutoCloseable {

  private final Limiter limiter;
  /** Calls that are paid for. */
  private int left;
  /** Those of them that may leave at any moment; the rest of a block larger than a minute's worth waits its turn. */
  private int ready;

  Grant(Limiter limiter, int calls, int ready) {
    this.limiter = limiter;
    this.left = calls;
    this.ready = ready;
  }

  /** Completes when the next call may leave, and counts it. */
  Mono<Void> next() {
    return Mono.defer(() -> ready > 0 ? send() : limiter.more(left).doOnNext(calls -> ready = calls).then(send()));
  }

  @Override
  public void close() {
    limiter.giveBack(left, ready);
    left = 0;
    ready = 0;
  }

  private Mono<Void> send() {
    return Mono.fromRunnable(() -> {
      left--;
      ready--;
      limiter.send();
    });
  }
}
