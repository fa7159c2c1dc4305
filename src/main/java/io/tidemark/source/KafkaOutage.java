package io.tidemark.source;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.tidemark.ledger.LedgerFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

/**
 * Whether Kafka answers the ledger of a source, over all its lives. While it does not, nothing more is seen: what is on
 * its way fills a few buffers, then the service is asked no more. That is said once, and once that it is over.
 */
final class KafkaOutage {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaOutage.class);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

  private final String source;
  private final InstantSource clock;
  private final Scheduler timer;
  private volatile @Nullable Instant since;

  KafkaOutage(String source, InstantSource clock, Scheduler timer) {
    this.source = source;
    this.clock = clock;
    this.timer = timer;
  }

  /** Since when Kafka does not answer; null where it does. */
  @Nullable
  Instant since() {
    return since;
  }

  /** Runs what waits for Kafka. */
  void run(Runnable work) {
    var begun = clock.instant();
    var alarm = timer.schedule(() -> began(begun), ANSWER_TIMEOUT.toMillis(), MILLISECONDS);
    try {
      work.run();
      alarm.dispose();
      ended();
    } catch (LedgerFailure.TimedOut e) {
      began(begun);
      throw e;
    } finally {
      alarm.dispose();
    }
  }

  /** Kafka answered. */
  synchronized void ended() {
    var begun = since;
    if (begun != null) {
      since = null;
      LOG.warn("source {}: Kafka answers again, after {}; sight goes on from what is committed",
          source, Duration.between(begun, clock.instant()).truncatedTo(ChronoUnit.SECONDS));
    }
  }

  private synchronized void began(Instant begun) {
    if (since == null) {
      since = begun;
      LOG.error("source {}: Kafka has not answered since {}; nothing more is asked of the service until it does. "
          + "What is committed is safe; what changes meanwhile will show in the next look", source, begun);
    }
  }
}
