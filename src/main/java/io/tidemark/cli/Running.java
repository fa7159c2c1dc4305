package io.tidemark.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was started, in order. It is closed in reverse: when one part ends for good, or by Ctrl-C. */
final class Running implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Running.class);

  private final Deque<Part> parts = new ArrayDeque<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private boolean closed;

  private record Part(String name, AutoCloseable closing) {}

  Running() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "stopping"));
  }

  <T extends AutoCloseable> T add(String name, T part) {
    synchronized (this) {
      if (!closed) {
        parts.push(new Part(name, part));
        return part;
      }
    }
    close(new Part(name, part));
    throw new Failed(Failed.FOUND_WRONG, "stopped while starting " + name);
  }

  /** A part has ended for good, and all with it. */
  void failed(Throwable failure) {
    ended.completeExceptionally(failure);
  }

  /** A part has done what it was for. */
  void done() {
    ended.complete(null);
  }

  /** Blocks until a part fails or all is done; for ever otherwise. */
  void await() {
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
    while (!parts.isEmpty()) {
      close(parts.pop());
    }
  }

  private static void close(Part part) {
    try {
      part.closing().close();
    } catch (Exception e) {
      LOG.warn("{} did not stop in order: {}", part.name(), e.toString());
    }
  }
}
