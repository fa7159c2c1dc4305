package io.tidemark.source;

import io.tidemark.ledger.LedgerFailure;
import io.tidemark.market.Failure;
import io.tidemark.topic.RegistryFailure;
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
 * Whether a source that is ours and whose life ended gets another one. The same failure three times at one place within
 * ten minutes ends it for good, loudly; a Kafka or a registry that does not answer is waited for.
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

  /** Completes when the next life may begin; fails when there is none. */
  Mono<Long> afterFailure(Throwable failure) {
    if (isFinal(failure) || isTheThird(failure)) {
      LOG.error("source {}: ended for good: {}", source, describe(failure));
      LOG.debug("source {}: what ended it", source, failure);
      return Mono.error(failure);
    }
    LOG.warn("source {}: {}; it starts again from what is committed", source, describe(failure));
    return Mono.delay(PAUSE, timer);
  }

  /** Failures of our own making say all in their message. */
  private static String describe(Throwable failure) {
    return failure instanceof Failure || failure instanceof LedgerFailure || failure instanceof RegistryFailure
        ? String.valueOf(failure.getMessage())
        : failure + " at " + place(failure);
  }

  private static boolean isFinal(Throwable failure) {
    return failure instanceof Failure.BadKey
        || failure instanceof LedgerFailure.Refused
        || failure instanceof Error;
  }

  private boolean isTheThird(Throwable failure) {
    if (failure instanceof LedgerFailure.TimedOut || failure instanceof RegistryFailure.RegistryUnreachable) {
      return false;
    }
    var now = clock.instant();
    var kind = failure.getClass() + place(failure);
    failures.removeIf(death -> death.at().isBefore(now.minus(PERIOD)));
    failures.add(new SessionFailure(now, kind));
    var same = failures.stream().filter(death -> death.place().equals(kind));
    return same.count() >= TOO_MANY;
  }

  /** Where in this program the cause of it was thrown, as far as can be told. */
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
