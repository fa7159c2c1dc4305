package io.tidemark.ledger;

import io.tidemark.change.Detection;
import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.avro.specific.SpecificRecord;

/**
 * What is due of resources without a sweep: values held back, out of sight, forgotten. What a sweep says is known here
 * at once; what follows from the silence of others, with the next look over everything.
 */
public final class Deadlines {

  private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(1);

  private final Detection detection;
  private final Store store;
  private final List<String> resources;
  private final PriorityQueue<Deadline> queue = new PriorityQueue<>(Comparator.comparing(Deadline::at));
  private Instant nextLook = Instant.MIN;

  private record Deadline(Instant at, String resource, String key) {}

  public Deadlines(Detection detection, Store store, List<String> resources) {
    this.detection = detection;
    this.store = store;
    this.resources = List.copyOf(resources);
  }

  /** Notes what follows from a sweep. */
  public void note(Outcome outcome, Instant now) {
    outcome.entries().stream().filter(entry -> entry.state() != null).forEach(entry -> note(entry, now));
  }

  /** What is due by now, once. It is to be taken by the ledger before more is asked for. */
  public List<Entry> due(Instant now) {
    if (!now.isBefore(nextLook)) {
      lookOverAll(now);
    }
    var due = new ArrayList<Entry>();
    for (var next = queue.peek(); next != null && !next.at().isAfter(now); next = queue.peek()) {
      queue.remove();
      expire(next, now, due);
    }
    return due;
  }

  private void expire(Deadline deadline, Instant now, List<Entry> due) {
    var state = store.find(deadline.resource(), deadline.key());
    var entry = state == null ? null : detection.expire(deadline.resource(), state, store, now);
    if (entry != null && due.stream().noneMatch(other -> same(other, entry))) {
      due.add(entry);
      note(entry, now);
    }
  }

  private void lookOverAll(Instant now) {
    nextLook = now.plus(BETWEEN_LOOKS);
    queue.clear();
    resources.forEach(resource -> store.forEach(resource, (key, state) -> note(resource, key, state, now)));
  }

  private void note(Entry entry, Instant now) {
    if (entry.state() != null) {
      note(entry.resource(), entry.key(), entry.state(), now);
    }
  }

  private void note(String resource, String key, SpecificRecord state, Instant now) {
    var at = detection.due(resource, state, store, now);
    if (at != null) {
      queue.add(new Deadline(at, resource, key));
    }
  }

  private static boolean same(Entry one, Entry other) {
    return one.resource().equals(other.resource()) && one.key().equals(other.key());
  }
}
