package io.tidemark.capture.source;

import com.google.common.base.Throwables;
import io.tidemark.capture.ledger.LedgerFailure;
import io.tidemark.kafka.TransactionProtocol.TransactionVersionFailure;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import io.tidemark.market.Failure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The policy that decides when the next session begins after a session has failed. The next session begins after a
 * pause, which doubles with each failure within ten minutes of the previous one, up to {@link #LONGEST_PAUSE}. No
 * session follows a final failure: {@link LedgerFailure.Refused}, for example because the topics belong to another
 * source, or an {@link Error}.
 */
final class RestartPolicy {

  static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Logger LOG = LoggerFactory.getLogger(RestartPolicy.class);
  /** Time without a failure after which the pause is {@link #FIRST_PAUSE} again. */
  private static final Duration PERIOD = Duration.ofMinutes(10);

  private final String source;
  private final InstantSource clock;
  private final Scheduler timer;
  private Instant failedAt = Instant.EPOCH.minus(PERIOD);
  private Duration pause = FIRST_PAUSE;

  RestartPolicy(String source, InstantSource clock, Scheduler timer) {
    this.source = source;
    this.clock = clock;
    this.timer = timer;
  }

  /** Returns a Mono that completes when the next session may begin, or fails if no session follows. */
  Mono<Long> afterFailure(Throwable failure) {
    if (failure instanceof LedgerFailure.Refused || failure instanceof Error) {
      LOG.error("source {}: this instance stopped polling after a final failure; another instance may take over."
          + " Cause: {}", source, describe(failure));
      LOG.debug("source {}: stack trace of the final failure", source, failure);
      return Mono.error(failure);
    }
    var now = clock.instant();
    var doubled = pause.multipliedBy(2);
    pause = !now.isBefore(failedAt.plus(PERIOD)) ? FIRST_PAUSE
        : doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    failedAt = now;
    LOG.warn("source {}: the session failed ({}); the next session starts in {} s from the last committed state",
        source, describe(failure), pause.toSeconds());
    return Mono.delay(pause, timer);
  }

  /** Describes a failure. A failure that this program created is described by its message alone. */
  private static String describe(Throwable failure) {
    return failure instanceof Failure || failure instanceof LedgerFailure || failure instanceof SchemaRegistryFailure
        || failure instanceof TransactionVersionFailure
            ? String.valueOf(failure.getMessage())
            : failure + " at " + place(failure);
  }

  /**
   * Returns the place in this program where the root cause was thrown, or the class of the root cause if this place
   * is not known.
   */
  private static String place(Throwable failure) {
    var root = Throwables.getRootCause(failure);
    return Stream.of(root.getStackTrace())
        .map(StackTraceElement::toString)
        .filter(frame -> frame.contains("io.tidemark"))
        .findFirst()
        .orElse(root.getClass().getName());
  }
}
