package io.tidemark.cli.wiring;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of the running program. Closes them in reverse order, within a bounded time; on Ctrl-C too. */
public final class RunningComponents implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunningComponents.class);

  /** Less than the 30 seconds after which Kubernetes kills a container. */
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(25);

  /** A part that stops at once gets this time, even when no time is left. */
  private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);

  private final Duration stopTimeout;
  private final boolean logsStop;
  private final Deque<StartedPart> parts = new ArrayDeque<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private boolean closed;

  private record StartedPart(String name, AutoCloseable closing) {}

  public RunningComponents() {
    this(STOP_TIMEOUT, true);
  }

  /** Of a command whose output is read by the one who stops it: that it stops is not logged. */
  public static RunningComponents stoppingSilently() {
    return new RunningComponents(STOP_TIMEOUT, false);
  }

  /** @param stopTimeout for all parts together; parts that take longer are abandoned */
  RunningComponents(Duration stopTimeout) {
    this(stopTimeout, true);
  }

  private RunningComponents(Duration stopTimeout, boolean logsStop) {
    this.stopTimeout = stopTimeout;
    this.logsStop = logsStop;
    Runtime.getRuntime().addShutdownHook(new Thread(this::closeOnSignal, "stopping"));
  }

  private void closeOnSignal() {
    if (isClosed()) {
      return;
    }
    if (logsStop) {
      LOG.info("stop requested; work in progress is finished within {} s", stopTimeout.toSeconds());
    }
    close();
    if (logsStop) {
      LOG.info("stopped");
    }
  }

  private synchronized boolean isClosed() {
    return closed && parts.isEmpty();
  }

  public <T extends AutoCloseable> T add(String name, T part) {
    synchronized (this) {
      if (!closed) {
        parts.push(new StartedPart(name, part));
        return part;
      }
    }
    close(new StartedPart(name, part), stopTimeout);
    throw new CommandFailure(CommandFailure.PROBLEM_FOUND, "stopped while starting " + name);
  }

  /** Reports that a part has failed for good: {@link #await} ends with the failure. */
  public void fail(Throwable failure) {
    ended.completeExceptionally(failure);
  }

  /** Blocks until a part fails. */
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
  public synchronized void close() {
    closed = true;
    var end = System.nanoTime() + stopTimeout.toNanos();
    while (!parts.isEmpty()) {
      close(parts.pop(), Duration.ofNanos(Math.max(SHORTEST_TIMEOUT.toNanos(), end - System.nanoTime())));
    }
  }

  private static void close(StartedPart part, Duration timeout) {
    var closing = new Thread(() -> close(part), "stopping " + part.name());
    closing.setDaemon(true);
    closing.start();
    try {
      if (!closing.join(timeout)) {
        LOG.warn("{} did not stop in time; the shutdown goes on without it", part.name());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(StartedPart part) {
    try {
      part.closing().close();
    } catch (Exception e) {
      LOG.warn("{} failed to stop: {}", part.name(), e.toString());
    }
  }
}
