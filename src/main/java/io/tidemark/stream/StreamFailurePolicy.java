package io.tidemark.stream;

import io.tidemark.topic.RegistryFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done when a thread of the stream application dies: one that may work next time is replaced, one that will
 * not stops the application. Nothing is skipped: where it stopped, it goes on.
 */
final class StreamFailurePolicy implements StreamsUncaughtExceptionHandler {

  private static final Logger log = LoggerFactory.getLogger(StreamFailurePolicy.class);

  /** That many deaths within the period, and the application stops: it would only go on dying. */
  private static final int MAX_FAILURES = 3;

  private static final Duration PERIOD = Duration.ofMinutes(5);

  private final InstantSource clock;
  private final Deque<Instant> failures = new ArrayDeque<>();
  private @Nullable Throwable fatal;

  StreamFailurePolicy(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public synchronized StreamThreadExceptionResponse handle(Throwable failure) {
    if (isPermanent(failure)) {
      return stop("cannot be got over", failure);
    }
    var now = clock.instant();
    failures.removeIf(death -> death.isBefore(now.minus(PERIOD)));
    failures.add(now);
    if (failures.size() >= MAX_FAILURES) {
      return stop("came %d times within %s".formatted(MAX_FAILURES, PERIOD), failure);
    }
    log.warn("A thread of the stream application died and is replaced", failure);
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  /** Why the application was stopped; null where it was not, or not by a failure. */
  synchronized @Nullable Throwable fatal() {
    return fatal;
  }

  private StreamThreadExceptionResponse stop(String why, Throwable failure) {
    fatal = failure;
    log.error("The stream application stops: a failure {}. Nothing was skipped; once what the line before and the"
        + " trace below name is put right, start it again and it goes on there.", why, failure);
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  /** A value that cannot be read, a schema nobody knows, a topic that is missing, a right that is not granted. */
  private static boolean isPermanent(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .anyMatch(cause -> cause instanceof SerializationException
            || cause instanceof RegistryFailure.UnknownSchema
            || cause instanceof RegistryFailure.RejectedByRegistry
            || cause instanceof MissingSourceTopicException
            || cause instanceof AuthorizationException);
  }
}
