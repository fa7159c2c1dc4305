package io.tidemark.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Gives readers that catch up their turns, in the order in which they come: so many at a time, and half of them to one
 * client at most. Thread-safe.
 */
final class CatchUpTurns implements AutoCloseable {

  /** Turns at a time, each with a consumer of its own. */
  static final int MOST = 8;

  static final int MOST_OF_CLIENT = MOST / 2;

  private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
      MOST, MOST, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(),
      Thread.ofPlatform().daemon().name("feed-catch-up-", 0).factory());
  private final List<Turn> waiting = new ArrayList<>();
  private final Map<String, Integer> taken = new HashMap<>();
  private int takenByAll;

  /**
   * What a client does in its turn.
   *
   * @param client as {@link Feeds#open} got it
   */
  record Turn(String client, Runnable task) {}

  CatchUpTurns() {
    threads.allowCoreThreadTimeOut(true);
  }

  /** Runs a turn as soon as there is room for it. */
  synchronized void add(Turn turn) {
    waiting.add(turn);
    startNext();
  }

  /** Gives up a turn that has not begun. */
  synchronized void remove(Turn turn) {
    waiting.remove(turn);
  }

  private void startNext() {
    var next = waiting.iterator();
    while (takenByAll < MOST && next.hasNext()) {
      var turn = next.next();
      if (taken.getOrDefault(turn.client(), 0) < MOST_OF_CLIENT) {
        next.remove();
        takenByAll++;
        taken.merge(turn.client(), 1, Integer::sum);
        threads.execute(() -> run(turn));
      }
    }
  }

  private void run(Turn turn) {
    try {
      turn.task().run();
    } finally {
      end(turn.client());
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
