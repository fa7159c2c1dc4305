package io.tidemark.app;

import io.tidemark.event.SafeText;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

/**
 * A derived role of the program (streams, receivers, web) that, after {@link #begin}, is started again whenever it
 * ends, after a pause that grows with each failure. Polling and the ledger continue meanwhile: derived data can be
 * computed again, but missed polls cannot be repeated.
 *
 * @param <T> the running role, which ends by itself only if it fails
 */
final class RestartedRole<T extends AutoCloseable> implements AutoCloseable {

  static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
  static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  /** Time after which a running role counts as recovered, so that the next pause is {@link #FIRST_PAUSE} again. */
  static final Duration HEALTHY_AFTER = Duration.ofMinutes(10);

  private static final Logger LOG = LoggerFactory.getLogger(RestartedRole.class);
  private static final int LONGEST_REASON = 300;

  private final String name;
  private final Supplier<T> start;
  private final Function<T, CompletionStage<?>> end;
  private final Runnable onFailure;
  private final Scheduler timer;
  private final Duration longestPause;
  private volatile @Nullable T running;
  private volatile @Nullable String problem;
  private volatile boolean closed;

  /** Time at which the last successful start of the role ended, in milliseconds. */
  private volatile long startedAt;

  private final AtomicInteger failures = new AtomicInteger();

  /**
   * @param name name of the role, for people, such as {@code streams of main}
   * @param end returns a stage that completes when the running role has ended, for whatever reason
   * @param onFailure called after each failure
   * @param timer scheduler that runs the restarts, which may block
   * @param longestPause longest pause before a restart
   */
  RestartedRole(
      String name,
      Supplier<T> start,
      Function<T, CompletionStage<?>> end,
      Runnable onFailure,
      Scheduler timer,
      Duration longestPause) {
    this.name = name;
    this.start = start;
    this.end = end;
    this.onFailure = onFailure;
    this.timer = timer;
    this.longestPause = longestPause;
  }

  /** Starts the role. Whenever the start fails or the role ends, starts the role again after a pause. */
  RestartedRole<T> begin() {
    attempt();
    return this;
  }

  /**
   * Starts the role. After the role has ended, it is not started again.
   *
   * @param onEnd receives the reason of the end, unless this object was closed before
   * @throws RuntimeException if the role cannot start
   */
  RestartedRole<T> beginOnce(Consumer<Throwable> onEnd) {
    enter(start.get(), failure -> {
      problem = reason(failure);
      onFailure.run();
      onEnd.accept(failure);
    });
    return this;
  }

  /**
   * Returns the role that was started last, or null before the first start and while the role waits for its restart.
   * After {@link #beginOnce}, returns the role even if it has ended.
   */
  @Nullable
  T running() {
    return running;
  }

  /** Returns why the role does not run, or null while it runs. */
  @Nullable
  String problem() {
    return problem;
  }

  @Override
  public void close() {
    T last;
    synchronized (this) {
      closed = true;
      last = running;
    }
    if (last != null) {
      close(last);
    }
  }

  private void attempt() {
    if (closed) {
      return;
    }
    try {
      enter(start.get(), failure -> timer.schedule(() -> endedBy(failure)));
    } catch (RuntimeException | Error e) { // every failure, since the capture in this process must go on
      failed(e);
    }
  }

  private void enter(T started, Consumer<Throwable> onEnd) {
    synchronized (this) {
      running = started;
    }
    if (closed) { // closed during the start
      close(started);
      return;
    }
    startedAt = now();
    if (problem != null) {
      LOG.info("role {} was started again after a failure", name);
    }
    problem = null;
    end.apply(started).whenComplete((nothing, failure) -> {
      if (!closed) {
        onEnd.accept(failure == null ? new IllegalStateException(name + " ended by itself") : failure);
      }
    });
  }

  private void endedBy(Throwable failure) {
    T ended;
    synchronized (this) {
      ended = closed ? null : running;
      running = ended == null ? running : null;
    }
    if (ended != null) {
      if (now() - startedAt >= HEALTHY_AFTER.toMillis()) {
        failures.set(0);
      }
      problem = reason(failure);
      close(ended);
      failed(failure);
    }
  }

  private static String reason(Throwable failure) {
    return SafeText.singleLine(
        failure.getMessage() == null ? failure.toString() : failure.getMessage(), LONGEST_REASON);
  }

  private void failed(Throwable failure) {
    var reason = reason(failure);
    var pause = pause(failures.getAndIncrement());
    LOG.error("role {} failed; it is started again in {} s, while polling continues. Cause: {}", name,
        pause.toSeconds(), reason);
    LOG.debug("{}: stack trace of the failure", name, failure);
    problem = reason;
    onFailure.run();
    if (!closed) {
      timer.schedule(this::attempt, pause.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Returns the pause before the next start, after the given number of earlier failures. The pause doubles with each
   * failure, up to the longest pause. A random amount of up to a fifth of the pause is subtracted.
   */
  private Duration pause(int failures) {
    var doubled = FIRST_PAUSE.toMillis() << Math.min(failures, 20);
    var whole = Math.min(doubled, longestPause.toMillis());
    return Duration.ofMillis(whole - ThreadLocalRandom.current().nextLong(whole / 5));
  }

  private long now() {
    return timer.now(TimeUnit.MILLISECONDS);
  }

  private void close(T part) {
    try {
      part.close();
    } catch (Exception e) {
      LOG.warn("{}: failed to close: {}", name, e.toString());
    }
  }
}
