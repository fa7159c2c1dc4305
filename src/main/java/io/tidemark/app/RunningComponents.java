package io.tidemark.app;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of the running program. Closes the parts in reverse order within a bounded time, also on Ctrl-C. If a
 * part takes longer than half a second, the next part, unless it is shared, is closed in parallel.
 */
public final class RunningComponents implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunningComponents.class);

  /**
   * Time to close all parts after a signal. It is short because users wait for the end, and Docker kills a container
   * after 10 seconds.
   */
  private static final Duration STOP_TIMEOUT = Duration.ofMillis(4_500);

  /** Time to close all parts if the process continues, or ends by itself. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(25);

  private static final Duration LONGEST_HEAD_START = Duration.ofMillis(500);

  /** Time reserved for closing a shared part if the parts that use it are still not closed. */
  private static final Duration LEFT_FOR_USED = Duration.ofSeconds(1);

  /**
   * Time for which each part may delay the closing of the next part, even after the timeout. It suffices for a part
   * that closes immediately.
   */
  private static final Duration SHORTEST_HEAD_START = Duration.ofMillis(20);

  private final Duration closeTimeout;
  private final boolean logsStop;
  private final Deque<StartedPart> parts = new ArrayDeque<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private boolean closed;
  private volatile boolean allClosed;

  /** @param isUsed whether the parts added later use this part until they have closed */
  private record StartedPart(String name, AutoCloseable part, boolean isUsed) {

    ClosingPart close() {
      return new ClosingPart(name, Thread.ofPlatform().daemon().name("stopping " + name).start(this::closeNow));
    }

    private void closeNow() {
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("{} failed to stop: {}", name, e.toString());
      }
    }
  }

  private record ClosingPart(String name, Thread thread) {

    void awaitUntil(long end) {
      if (!isClosedWithin(Math.max(1, end - System.nanoTime()))) {
        LOG.warn("{} did not stop in time; the shutdown goes on without it", name);
      }
    }

    boolean isClosedWithin(long nanos) {
      try {
        return thread.join(Duration.ofNanos(nanos));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  public RunningComponents() {
    this(CLOSE_TIMEOUT, true);
  }

  /**
   * Returns components that do not log that a signal stops them, for a command that a person watches and stops at a
   * terminal. Parts that do not stop are still logged.
   */
  public static RunningComponents stoppingSilently() {
    return new RunningComponents(CLOSE_TIMEOUT, false);
  }

  /** @param closeTimeout time for all parts together; parts that take longer are abandoned */
  RunningComponents(Duration closeTimeout, boolean logsStop) {
    this.closeTimeout = closeTimeout;
    this.logsStop = logsStop;
    Runtime.getRuntime().addShutdownHook(new Thread(this::closeOnSignal, "stopping"));
  }

  private void closeOnSignal() {
    if (allClosed) {
      return;
    }
    if (logsStop) {
      LOG.info("stop requested; work in progress is finished within {} s", STOP_TIMEOUT.toMillis() / 1000.0);
    }
    // in a separate thread, since another thread may already be closing the parts with a longer timeout
    var closing = Thread.ofPlatform().daemon().name("stopping parts").start(() -> close(STOP_TIMEOUT));
    new ClosingPart("the program", closing).isClosedWithin(STOP_TIMEOUT.toNanos());
    if (logsStop) {
      LOG.info("stopped");
    }
  }

  public <T extends AutoCloseable> T add(String name, T part) {
    return add(new StartedPart(name, part, false), part);
  }

  /**
   * Adds a part that all parts added later use. The part is closed only after the parts added later have closed, or one
   * second before the timeout.
   */
  public <T extends AutoCloseable> T addShared(String name, T part) {
    return add(new StartedPart(name, part, true), part);
  }

  private <T extends AutoCloseable> T add(StartedPart started, T part) {
    synchronized (this) {
      if (!closed) {
        parts.push(started);
        return part;
      }
    }
    started.close().awaitUntil(System.nanoTime() + closeTimeout.toNanos());
    throw new CommandFailure(
        CommandFailure.PROBLEM_FOUND, "the program was stopped while it started " + started.name());
  }

  /** Reports that a part has failed for good. {@link #await} then throws the failure. */
  public void fail(Throwable failure) {
    ended.completeExceptionally(failure);
  }

  /** Blocks until a part fails, and throws the failure. */
  public void await() {
    try {
      ended.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    close(closeTimeout);
  }

  private synchronized void close(Duration timeout) {
    closed = true;
    var end = System.nanoTime() + timeout.toNanos();
    var closing = new ArrayList<ClosingPart>();
    while (!parts.isEmpty()) {
      var next = parts.pop();
      if (next.isUsed()) {
        var latest = end - LEFT_FOR_USED.toNanos();
        closing.forEach(each -> each.isClosedWithin(Math.max(1, latest - System.nanoTime())));
      }
      closing.add(next.close());
      var left = Math.min(LONGEST_HEAD_START.toNanos(), end - System.nanoTime());
      closing.getLast().isClosedWithin(Math.max(SHORTEST_HEAD_START.toNanos(), left));
    }
    closing.forEach(part -> part.awaitUntil(end));
    allClosed = true;
  }
}
