package io.tidemark.serve.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A limit on the number of readers that catch up at the same time. Each admitted reader takes a slot until it has
 * caught up or its feed has ended. A client gets a further slot only while more slots are free than it has, so one
 * client gets at most half of the slots, and two at most three quarters. Waiting readers are admitted in order of
 * arrival, except those of a client that gets no further slot now. Thread-safe.
 */
public final class CatchUpLimiter implements AutoCloseable {

  /** Maximum number of readers that catch up at the same time, each with a dedicated consumer. */
  static final int MOST = 8;

  /** Maximum number of these readers that one client has, if no other client has one. */
  static final int MOST_PER_CLIENT = MOST / 2;

  private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
      MOST, MOST, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(),
      Thread.ofPlatform().daemon().name("feed-catch-up-", 0).factory());
  private final List<WaitingReader> waiting = new ArrayList<>();
  private final Map<String, Integer> taken = new HashMap<>();
  private int takenByAll;

  /**
   * A reader that waits for a slot.
   *
   * @param client the client to which the slot is charged, as passed to {@link Feeds#open}
   * @param catchUp runs after the reader has been admitted
   */
  public record WaitingReader(String client, Runnable catchUp) {}

  CatchUpLimiter() {
    threads.allowCoreThreadTimeOut(true);
  }

  /** Adds a reader, which is admitted as soon as a slot is free for it. */
  public synchronized void add(WaitingReader reader) {
    waiting.add(reader);
    startNext();
  }

  /** Removes a reader that has not been admitted yet. */
  public synchronized void remove(WaitingReader reader) {
    waiting.remove(reader);
  }

  private void startNext() {
    var next = waiting.iterator();
    while (takenByAll < MOST && next.hasNext()) {
      var reader = next.next();
      if (taken.getOrDefault(reader.client(), 0) < MOST - takenByAll) {
        next.remove();
        threads.execute(() -> run(reader)); // its end needs this lock, so the lines below run first
        takenByAll++;
        taken.merge(reader.client(), 1, Integer::sum);
      }
    }
  }

  private void run(WaitingReader reader) {
    try {
      reader.catchUp().run();
    } finally {
      end(reader.client());
    }
  }

  private synchronized void end(String client) {
    takenByAll--;
    taken.computeIfPresent(client, (any, count) -> count == 1 ? null : count - 1);
    startNext();
  }

  @Override
  public synchronized void close() {
    waiting.clear();
    threads.shutdown();
  }
}
