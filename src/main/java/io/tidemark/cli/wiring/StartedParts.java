package io.tidemark.cli.wiring;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was started, in order. It is closed in reverse, within a bounded time: when one part ends for good, or by Ctrl-C. */
public final class StartedParts implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StartedParts.class);

  /** Kubernetes kills after 30 seconds, Docker after 10 if not told otherwise. */
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(25);

  /** What stops at once is given the time for it, however late it is. */
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(100);

  private final Duration within;
  private final Deque<StartedPart> parts = new ArrayDeque<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private boolean closed;

  private record StartedPart(String name, AutoCloseable closing) {}

  public StartedParts() {
    this(STOPS_WITHIN);
  }

  /** @param within what takes longer to stop, all parts together, is left behind */
  StartedParts(Duration within) {
    this.within = within;
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopped, "stopping"));
  }

  private void stopped() {
    if (isClosed()) {
      return;
    }
    LOG.info("told to stop; what is under way is finished, within {} s", within.toSeconds());
    close();
    LOG.info("stopped");
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
    close(new StartedPart(name, part), within);
    throw new CommandFailure(CommandFailure.PROBLEM_FOUND, "stopped while starting " + name);
  }

  /** A part has ended for good, and all with it. */
  public void failed(Throwable failure) {
    ended.completeExceptionally(failure);
  }

  /** A part has done what it was for. */
  void done() {
    ended.complete(null);
  }

  /** Blocks until a part fails or all is done; for ever otherwise. */
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
    var end = System.nanoTime() + within.toNanos();
    while (!parts.isEmpty()) {
      close(parts.pop(), Duration.ofNanos(Math.max(SHORTEST_WAIT.toNanos(), end - System.nanoTime())));
    }
  }

  private static void close(StartedPart part, Duration within) {
    var closing = new Thread(() -> close(part), "stopping " + part.name());
    closing.setDaemon(true);
    closing.start();
    try {
      if (!closing.join(within)) {
        LOG.warn("{} did not stop in time and is left as it is", part.name());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(StartedPart part) {
    try {
      part.closing().close();
    } catch (Exception e) {
      LOG.warn("{} did not stop in order: {}", part.name(), e.toString());
    }
  }
}
