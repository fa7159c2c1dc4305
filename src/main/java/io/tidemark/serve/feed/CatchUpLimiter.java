package io.tidemark.serve.feed;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import java.util.ArrayList;
import java.util.List;

/**
 * A limit on the number of readers that catch up at the same time. Each admitted reader takes a slot until it has
 * caught up or its feed has ended. A client gets a further slot only while more slots are free than it has, so one
 * client gets at most half of the slots, and two at most three quarters. Waiting readers are admitted in order of
 * arrival, except those of a client that gets no further slot now. Thread-safe.
 */
public final class CatchUpLimiter {

  /** Maximum number of readers that catch up at the same time, each with a dedicated consumer. */
  static final int MOST = 8;

  /** Maximum number of these readers that one client has, if no other client has one. */
  static final int MOST_PER_CLIENT = MOST / 2;

  private final Thread.Builder threads = Thread.ofPlatform().daemon().name("feed-catch-up-", 0);
  private final List<WaitingReader> waiting = new ArrayList<>();

  /** The client of each slot that is taken. */
  private final Multiset<String> taken = HashMultiset.create();

  /**
   * A reader that waits for a slot.
   *
   * @param client the client to which the slot is charged, as passed to {@link Feeds#open}
   * @param catchUp runs after the reader has been admitted
   */
  public record WaitingReader(String client, Runnable catchUp) {}

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
    while (taken.size() < MOST && next.hasNext()) {
      var reader = next.next();
      if (taken.count(reader.client()) < MOST - taken.size()) {
        next.remove();
        threads.start(() -> run(reader)); // its end needs this lock, so the line below runs first
        taken.add(reader.client());
      }
    }
  }

  private void run(WaitingReader reader) {
    try {
      reader.catchUp().run();
    } finally {
      synchronized (this) {
        taken.remove(reader.client());
        startNext();
      }
    }
  }
}
