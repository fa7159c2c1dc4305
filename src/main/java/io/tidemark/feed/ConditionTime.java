package io.tidemark.feed;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The time that conditions with loops or patterns may take for one client: a tenth of the time that passes, and less
 * where all clients together would take more than half of it. A second of it may come at once. Thread-safe.
 */
final class ConditionTime {

  private static final double OF_ALL = 0.5;
  private static final double OF_CLIENT = 0.1;
  private static final double MOST_AT_ONCE = 1e9;

  private final LongSupplier nanos;
  private final Map<String, ClientTime> clients = new HashMap<>();

  private static final class ClientTime {
    private int feeds;
    private double left = MOST_AT_ONCE;
    private long countedAt;
  }

  /** @param nanos a clock as {@link System#nanoTime} */
  ConditionTime(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Counts a feed with such a condition. */
  synchronized void join(String client) {
    clients.values().removeIf(each -> each.feeds == 0 && left(each) >= MOST_AT_ONCE); // one that comes back has spent it
    if (!clients.containsKey(client)) {
      var joined = new ClientTime();
      joined.countedAt = nanos.getAsLong();
      clients.put(client, joined);
    }
    clients.get(client).feeds++;
  }

  /** Counts the end of such a feed. */
  synchronized void leave(String client) {
    var left = clients.get(client);
    if (left != null) {
      left.feeds--;
    }
  }

  /** Takes time that a condition took. Returns whether the client has some left. */
  synchronized boolean spend(String client, long spent) {
    var of = clients.get(client);
    if (of == null) {
      return true;
    }
    of.left = left(of) - spent;
    return of.left > 0;
  }

  /** Whether the client has some left. */
  synchronized boolean has(String client) {
    return spend(client, 0);
  }

  private double left(ClientTime of) {
    var now = nanos.getAsLong();
    var share = Math.min(OF_CLIENT, OF_ALL / clients.values().stream().filter(each -> each.feeds > 0).count());
    var left = Math.min(MOST_AT_ONCE, of.left + (now - of.countedAt) * share);
    of.countedAt = now;
    of.left = left;
    return left;
  }
}
