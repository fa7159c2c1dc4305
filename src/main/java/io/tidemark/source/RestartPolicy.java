package io.tidemark.source;

import io.tidemark.ledger.LedgerFailure;
import io.tidemark.market.Failure;
import io.tidemark.topic.SchemaRegistryFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Decides whether another session follows one that failed. The same failure at the same place three times within ten
 * minutes is final, as is a refused key or configuration. A Kafka or a registry that does not answer is waited for.
 */
final class RestartPolicy {

  private static final Logger LOG = LoggerFactory.getLogger(RestartPolicy.class);
  private static final int TOO_MANY = 3;
  private static final Duration PERIOD = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final String source;
  private final InstantSource clock;
  private final Scheduler timer;
  private final Deque<SessionFailure> failures = new ArrayDeque<>();

  private record SessionFailure(Instant at, String place) {}

  RestartPolicy(String source, InstantSource clock, Scheduler timer) {
    this.source = source;
    this.clock = clock;
    this.timer = timer;
  }

  /** Completes when the next session may begin; fails when there is none. */
  Mono<Long> afterFailure(Throwable failure) {
    if (isFinal(failure) || isTheThird(failure)) {
      if (failure instanceof Failure.BadKey) {
        LOG.error("source {}: the service rejects the API key, so this instance stopped polling; correct the key, or"
            + " key-header and base-url, which have to be of the same plan, and start again. Cause: {}", source,
            describe(failure));
      } else {
        LOG.error("source {}: this instance stopped polling after a final failure; another instance may take over."
            + " Cause: {}", source, describe(failure));
      }
      LOG.debug("source {}: the failure it is given up for", source, failure);
      return Mono.error(failure);
    }
    LOG.warn("source {}: the session ended: {}; the next one starts from what is committed", source, describe(failure));
    return Mono.delay(PAUSE, timer);
  }

  /** The message of a failure that this program made says all. */
  private static String describe(Throwable failure) {
    return failure instanceof Failure || failure instanceof LedgerFailure || failure instanceof SchemaRegistryFailure
        ? String.valueOf(failure.getMessage())
        : failure + " at " + place(failure);
  }

  private static boolean isFinal(Throwable failure) {
    return failure instanceof Failure.BadKey
        || failure instanceof LedgerFailure.Refused
        || failure instanceof Error;
  }

  private boolean isTheThird(Throwable failure) {
    if (failure instanceof LedgerFailure.TimedOut || failure instanceof SchemaRegistryFailure.RegistryUnreachable) {
      return false;
    }
    var now = clock.instant();
    var kind = failure.getClass() + place(failure);
    failures.removeIf(death -> death.at().isBefore(now.minus(PERIOD)));
    failures.add(new SessionFailure(now, kind));
    var same = failures.stream().filter(death -> death.place().equals(kind));
    return same.count() >= TOO_MANY;
  }

  /** The place in this program where its cause was thrown, as far as it is known. */
  private static String place(Throwable failure) {
    var root = Stream.iterate(failure, cause -> cause.getCause() != null, Throwable::getCause)
        .reduce(failure, (outer, inner) -> Objects.requireNonNull(inner.getCause()));
    return Stream.of(root.getStackTrace())
        .map(StackTraceElement::toString)
        .filter(frame -> frame.contains("io.tidemark"))
        .findFirst()
        .orElse(root.getClass().getName());
  }
}
