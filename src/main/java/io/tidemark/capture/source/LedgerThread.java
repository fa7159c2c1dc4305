package io.tidemark.capture.source;

import io.tidemark.capture.ledger.Ledger;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The ledger of a session, and the only thread that uses the ledger. Other threads may read its states.
 *
 * @param outage detector that notes whether Kafka answers the ledger
 */
record LedgerThread(Ledger ledger, Scheduler scheduler, KafkaOutage outage) {

  /** Runs work that waits for Kafka, and notes whether Kafka answers. Call this method on the ledger's thread. */
  void run(Runnable work) {
    outage.run(work);
  }

  /** Returns a Mono that, when subscribed to, runs work such as a commit on the ledger's thread. */
  Mono<Void> later(Runnable work) {
    return Mono.<Void>fromRunnable(() -> run(work)).subscribeOn(scheduler);
  }
}
