package io.tidemark.serve.feed;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The time budget of each client for compiling conditions, and for evaluating conditions with loops or patterns. A
 * client earns 100 ms of time per second and saves at most one second. If more than five clients have less than the
 * maximum left, each client earns only an equal share of 500 ms per second. A client that overspends owes at most one
 * second. Thread-safe.
 */
final class ConditionBudget {

  static final String EXCEEDED =
      "this client's conditions exceeded their time budget; narrow the feed by key, network or"
          + " facet, or remove loops and patterns from the condition";

  private static final double OF_ALL = 0.5;
  private static final double OF_CLIENT = 0.1;
  private static final double MOST_SAVED = 1e9;
  private static final long COUNT_NANOS = 100_000_000;

  private final LongSupplier nanos;
  private final Map<String, ClientTime> clients = new HashMap<>();
  private long countedAt;

  /**
   * Number of clients that have less than the maximum time left, but at least 1; counted at most ten times a second.
   */
  private long spenders = 1;

  private static final class ClientTime {
    private int feeds;
    private double left = MOST_SAVED;
    private long earnedAt;
  }

  /** @param nanos a clock like {@link System#nanoTime} */
  ConditionBudget(LongSupplier nanos) {
    this.nanos = nanos;
    this.countedAt = nanos.getAsLong();
  }

  /** Counts a feed whose condition has loops or patterns. */
  synchronized void join(String client) {
    timeOf(client).feeds++;
  }

  /** Counts the end of a feed that {@link #join} has counted. */
  synchronized void leave(String client) {
    var left = clients.get(client);
    if (left != null) {
      left.feeds--;
    }
  }

  /**
   * Compiles a condition and charges the time to a client, even if compilation fails. Compilation takes milliseconds,
   * so a client that connects again and again uses up its time.
   *
   * @throws FeedRefusal if the client has no time left
   */
  <T> T compile(String client, Supplier<T> compilation) {
    if (!hasTimeLeft(client)) {
      throw FeedRefusal.tooManyRequests("where: " + EXCEEDED);
    }
    var begun = nanos.getAsLong();
    try {
      return compilation.get();
    } finally {
      spend(client, nanos.getAsLong() - begun);
    }
  }

  /** Charges the time that a condition took, in nanoseconds, to the budget of a client. */
  synchronized void spend(String client, long spent) {
    var of = timeOf(client);
    of.left = Math.max(-MOST_SAVED, earn(of) - spent);
  }

  synchronized boolean hasTimeLeft(String client) {
    var of = clients.get(client);
    return of == null || earn(of) > 0;
  }

  /**
   * Returns whether the client has more than half of its maximum budget left. A feed that catches up leaves the other
   * half to the client's other feeds.
   */
  synchronized boolean hasReserve(String client) {
    var of = clients.get(client);
    return of == null || earn(of) > MOST_SAVED / 2;
  }

  private ClientTime timeOf(String client) {
    if (!clients.containsKey(client)) {
      // a client that has spent time is kept, because it may connect again
      clients.values().removeIf(each -> each.feeds == 0 && earn(each) >= MOST_SAVED);
      var added = new ClientTime();
      added.earnedAt = nanos.getAsLong();
      clients.put(client, added);
    }
    return clients.get(client);
  }

  private double earn(ClientTime of) {
    var now = nanos.getAsLong();
    if (now - countedAt >= COUNT_NANOS) {
      countedAt = now;
      spenders = Math.max(1, clients.values().stream().filter(each -> each.left < MOST_SAVED).count());
    }
    of.left = Math.min(MOST_SAVED, of.left + (now - of.earnedAt) * Math.min(OF_CLIENT, OF_ALL / spenders));
    of.earnedAt = now;
    return of.left;
  }
}
