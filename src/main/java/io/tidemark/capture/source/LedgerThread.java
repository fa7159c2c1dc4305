package io.tidemark.capture.source;

import io.tidemark.capture.ledger.Ledger;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The ledger of a session with the one thread that uses it.
 *
 * @param outage learns whether Kafka answers the ledger
 */
record LedgerThread(Ledger ledger, Scheduler scheduler, KafkaOutage outage) {

  /** Runs work that waits for Kafka. Called by the ledger's thread. */
  void run(Runnable work) {
    outage.run(work);
  }

  /** Returns work that the ledger's thread runs at subscription, such as a commit. */
  Mono<Void> later(Runnable work) {
    return Mono.<Void>fromRunnable(() -> run(work)).subscribeOn(scheduler);
  }
}
