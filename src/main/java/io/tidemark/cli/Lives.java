package io.tidemark.cli;

import io.tidemark.ledger.LedgerFailure;
import io.tidemark.market.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Whether a source whose life ended gets another one. The same failure three times at one place within ten minutes ends
 * it for good, loudly; a Kafka that does not answer is waited for.
 */
final class Lives {

  private static final Logger LOG = LoggerFactory.getLogger(Lives.class);
  private static final int TOO_MANY = 3;
  private static final Duration MEMORY = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final String source;
  private final Deque<Death> deaths = new ArrayDeque<>();

  private record Death(Instant at, String place) {}

  Lives(String source) {
    this.source = source;
  }

  /** Completes when the next life may begin; fails when there is none. */
  Mono<Long> after(Throwable failure) {
    if (isFinal(failure) || isTheThird(failure)) {
      LOG.error("source {}: ended for good, by {} at {}", source, failure.toString(), place(failure), failure);
      return Mono.error(failure);
    }
    LOG.warn("source {}: {} at {}; it starts again from what is committed", source, failure, place(failure));
    return Mono.delay(PAUSE);
  }

  private static boolean isFinal(Throwable failure) {
    return failure instanceof Failure.BadKey
        || failure instanceof LedgerFailure.Fenced
        || failure instanceof LedgerFailure.Refused
        || failure instanceof Error;
  }

  private boolean isTheThird(Throwable failure) {
    if (failure instanceof LedgerFailure.TimedOut) {
      return false;
    }
    var now = Instant.now();
    deaths.removeIf(death -> death.at().isBefore(now.minus(MEMORY)));
    deaths.add(new Death(now, failure.getClass() + place(failure)));
    return deaths.stream().filter(death -> death.place().equals(failure.getClass() + place(failure))).count() >= TOO_MANY;
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
