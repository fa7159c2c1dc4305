package io.tidemark.capture.source;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.tidemark.capture.ledger.LedgerFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

/**
 * A detector of outages, during which Kafka does not answer the ledger of a source. Only work passed to {@link #run}
 * can begin an outage; a restore cannot. An outage may span several sessions. During an outage the snapshots in
 * flight fill a few buffers, then polling stops. The log reports the beginning and the end of an outage once each.
 */
final class KafkaOutage {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaOutage.class);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

  private final String source;
  private final InstantSource clock;
  private final Scheduler timer;
  private volatile @Nullable Instant since;
  private volatile String message = "";

  KafkaOutage(String source, InstantSource clock, Scheduler timer) {
    this.source = source;
    this.clock = clock;
    this.timer = timer;
  }

  /** Returns the start of the first work that Kafka did not answer, or null if there is no outage. */
  @Nullable
  Instant since() {
    return since;
  }

  /** Returns a description of the outage while {@link #since} is not null. */
  String message() {
    return message;
  }

  /**
   * Runs work that waits for Kafka. An outage begins if the work takes {@link #ANSWER_TIMEOUT} or fails with
   * {@link LedgerFailure.TimedOut}, and an outage ends if the work succeeds. Other failures change nothing.
   */
  void run(Runnable work) {
    var begun = clock.instant();
    var alarm = timer.schedule(() -> began(begun), ANSWER_TIMEOUT.toMillis(), MILLISECONDS);
    try {
      work.run();
      alarm.dispose();
      ended();
    } catch (LedgerFailure.TimedOut e) {
      began(begun);
      if (e instanceof LedgerFailure.TopicMissing) {
        message = String.valueOf(e.getMessage());
      }
      throw e;
    } finally {
      alarm.dispose();
    }
  }

  /** Notes that Kafka answered. If there is an outage, it ends. */
  synchronized void ended() {
    var begun = since;
    if (begun != null) {
      since = null;
      LOG.warn("source {}: Kafka answers again after an outage of {} s; polling resumes from the last committed state",
          source, Duration.between(begun, clock.instant()).toSeconds());
    }
  }

  /** Forgets an outage that ended while this instance was not the owner. */
  synchronized void reset() {
    since = null;
  }

  private synchronized void began(Instant begun) {
    if (since == null) {
      since = begun;
      message = "Kafka has not answered since " + begun;
      LOG.error("source {}: {}; polling pauses until Kafka answers. "
          + "Committed records are safe; the first snapshots after the outage show what has changed", source, message);
    }
  }
}
