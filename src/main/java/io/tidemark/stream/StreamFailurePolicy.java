package io.tidemark.stream;

import io.tidemark.kafka.registry.SchemaRegistryFailure;
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
 * A policy for the failure of a stream thread: the thread is replaced, or the application stops if a new thread would
 * only fail again or threads have failed {@link #MAX_FAILURES} times within {@link #PERIOD}. No record is skipped,
 * because the next start continues where the application stopped.
 */
final class StreamFailurePolicy implements StreamsUncaughtExceptionHandler {

  private static final Logger LOG = LoggerFactory.getLogger(StreamFailurePolicy.class);

  /** Number of failures within {@link #PERIOD} that stops the application. */
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
      return stop("a new thread would fail again", failure);
    }
    var now = clock.instant();
    failures.removeIf(at -> at.isBefore(now.minus(PERIOD)));
    failures.add(now);
    if (failures.size() >= MAX_FAILURES) {
      return stop("threads failed %d times within %s".formatted(MAX_FAILURES, PERIOD), failure);
    }
    LOG.warn("A thread of the stream application failed and is replaced", failure);
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  /** Returns the failure that stopped the application, or null if no failure stopped it. */
  synchronized @Nullable Throwable fatal() {
    return fatal;
  }

  private StreamThreadExceptionResponse stop(String why, Throwable failure) {
    fatal = failure;
    LOG.error(
        "The stream application stops because {}. No record is skipped, because the next start continues where the"
            + " application stopped. Correct the cause in the trace below, then start again.",
        why, failure);
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  /**
   * Returns whether a new thread would fail again. This is the case for an unreadable value, an unknown schema, a
   * schema or request that the registry rejects, a missing topic, a missing permission, or an unknown format of stores.
   */
  private static boolean isPermanent(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .anyMatch(cause -> cause instanceof SerializationException
            || cause instanceof SchemaRegistryFailure.UnknownSchema
            || cause instanceof SchemaRegistryFailure.RejectedByRegistry
            || cause instanceof MissingSourceTopicException
            || cause instanceof StoreFormatCheck.UnknownStoreFormat
            || cause instanceof AuthorizationException);
  }
}
