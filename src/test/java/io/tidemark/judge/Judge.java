package io.tidemark.judge;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import com.google.errorprone.annotations.FormatMethod;
import io.tidemark.judge.Anomaly.Kind;
import io.tidemark.judge.Event.Change;
import io.tidemark.judge.Event.End;
import io.tidemark.judge.Event.Place;
import io.tidemark.judge.Event.Position;
import io.tidemark.judge.Event.Snapshot;
import io.tidemark.judge.Event.State;
import io.tidemark.judge.Event.Tombstone;
import io.tidemark.judge.Event.Version;
import io.tidemark.judge.LogReader.Read;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Finds the anomalies in a history, from the documented laws of the topics: a source has one writer, each of whose
 * transactions has its position, each snapshot and the changes of it, and each change with the state after it.
 */
public final class Judge {

  private final History history;
  private final List<Anomaly> anomalies = new ArrayList<>();
  private final Map<String, Version> versions = new HashMap<>();
  /** Digests of the newest values of the facets of each resource. */
  private final Map<String, Map<String, Integer>> values = new HashMap<>();
  private final Map<String, Long> snapshots = new HashMap<>();
  private final Set<String> ids = new HashSet<>();
  private final Set<String> aborted = new HashSet<>();

  private Judge(History history) {
    this.history = history;
  }

  public static List<Anomaly> judge(History history) {
    var judge = new Judge(history);
    judge.replicas();
    judge.reads();
    judge.transactions();
    return judge.anomalies;
  }

  @FormatMethod
  private void report(Kind kind, Object where, String what, @Nullable Object... values) {
    anomalies.add(new Anomaly(kind, where.toString(), what.formatted(values)));
  }

  /** All replicas have the same batches. */
  private void replicas() {
    var first = history.replicas().getFirst();
    for (Map<Place, Long> other : history.replicas()) {
      var places = new HashSet<>(first.keySet());
      places.addAll(other.keySet());
      places.stream().filter(each -> !Objects.equals(first.get(each), other.get(each)))
          .forEach(each -> report(Kind.LOST_WRITE, each, "replicas differ"));
    }
  }

  /** What was read once is there as it was read, and was committed; all that is committed can be read. */
  private void reads() {
    history.failures().forEach(each -> report(Kind.LOST_WRITE, "reader", "could not read on: %s", each));
    Map<Place, Event> log = history.events().stream().collect(toMap(Event::place, identity()));
    for (List<Read> reads : List.of(history.during(), history.after())) {
      for (Read read : reads) {
        var event = log.get(read.place());
        if (event == null || event.checksum() != read.checksum()) {
          report(Kind.LOST_WRITE, read.place(), "was read, and is %s", event == null ? "gone" : "another record");
        } else if (!event.committed()) {
          report(Kind.ABORTED_READ, read.place(), "was read, and its transaction is %s", event.transaction().end());
        }
      }
    }
    var readable = new HashSet<Place>();
    history.after().forEach(read -> readable.add(read.place()));
    history.events().stream().filter(each -> each.committed() && !readable.contains(each.place()))
        .forEach(each -> report(Kind.LOST_WRITE, each.place(), "was committed, and cannot be read"));
  }

  private void transactions() {
    history.events().stream().filter(each -> each.transaction().end() == End.ABORTED).forEach(each -> {
      if (each.content() instanceof Change change) {
        change.facets().forEach((facet, value) -> aborted.add(of(each, facet) + value.after()));
      }
    });
    var inOrder = new TreeMap<Long, List<Event>>();
    history.events().stream().collect(groupingBy(each -> each.transaction().name())).forEach((name, events) -> {
      var ends = events.stream().map(each -> each.transaction().end()).distinct().toList();
      var positions = events.stream().filter(each -> each.content() instanceof Position).toList();
      if (ends.size() > 1 || ends.contains(End.OPEN)) {
        report(Kind.TORN_TRANSACTION, name, "ended as %s", ends);
      } else if (positions.size() != 1 && ends.contains(End.COMMITTED)) {
        report(Kind.TORN_TRANSACTION, name, "has %d positions of the ledger", positions.size());
      } else if (ends.contains(End.COMMITTED)) {
        inOrder.put(positions.getFirst().place().offset(), events);
      }
    });
    order(inOrder.values());
    inOrder.values().forEach(this::transaction);
    positions(inOrder.values());
  }

  /** Each partition has the transactions in the same order. */
  private void order(Collection<List<Event>> transactions) {
    var last = new HashMap<TopicPartition, Event>();
    transactions.forEach(events -> events.forEach(event -> {
      var before = last.put(event.place().partition(), event);
      if (before != null && before.place().offset() > event.place().offset()) {
        report(Kind.ORDER, event.place(), "is of a later transaction than %s", before.place());
      } else if (before != null && before.timestamp() > event.timestamp()) {
        report(Kind.ORDER, event.place(), "has an earlier timestamp than %s", before.place());
      }
    }));
  }

  private void transaction(List<Event> events) {
    Map<String, List<Event>> states = events.stream()
        .filter(each -> each.place().topic().endsWith(".state")).collect(groupingBy(Judge::resource));
    events.forEach(event -> {
      if (event.content() instanceof Snapshot snapshot) {
        snapshot(event, snapshot.number());
      }
    });
    var before = new HashMap<String, Version>();
    states.keySet().forEach(resource -> before.put(resource, versions.getOrDefault(resource, new Version(0, 0))));
    var changed = new HashSet<String>();
    for (Event event : events) {
      if (event.content() instanceof Change change) {
        change(event, change, states.getOrDefault(resource(event), List.of()));
        changed.add(resource(event) + change.version());
      }
    }
    states.forEach((resource, all) -> all.forEach(event -> {
      if (event.content() instanceof State state && !changed.contains(resource + state.version())
          && !state.version().equals(before.get(resource)) && state.version().revision() > 0) {
        report(Kind.TORN_TRANSACTION, event.place(), "state %s of %s without its change", state.version(), resource);
      }
    }));
  }

  /** The snapshots of a target are numbered without gaps. */
  private void snapshot(Event event, long number) {
    var before = snapshots.put(resource(event), number);
    if (before != null && number <= before) {
      report(number == before ? Kind.DUPLICATE : Kind.ORDER, event.place(), "snapshot %d after %d", number, before);
    } else if (number != (before == null ? 1 : before + 1)) {
      report(Kind.LOST_WRITE, event.place(), "snapshot %d after %s", number, before);
    }
  }

  private void change(Event event, Change change, List<Event> states) {
    if (!ids.add(event.place().topic() + change.id()) || !ids.add(resource(event) + change.version())) {
      report(Kind.DUPLICATE, event.place(), "change %s a second time", change.id());
      return;
    }
    revision(event, change.version(), versions.put(resource(event), change.version()));
    change.facets().forEach((facet, value) -> {
      var known = values.computeIfAbsent(resource(event), any -> new HashMap<>()).put(facet, value.after());
      if (known != null && known != value.before()) {
        var base = aborted.contains(of(event, facet) + value.before()) ? Kind.ABORTED_READ : Kind.LOST_WRITE;
        report(base, event.place(), "%s of %s was something else before that than the change says", facet, event.key());
      }
    });
    if (snapshots.getOrDefault("target/" + change.target(), 0L) < change.snapshot()) {
      report(Kind.TORN_TRANSACTION, event.place(), "change without its snapshot %s %d", change.target(),
          change.snapshot());
    }
    if (states.stream().noneMatch(state -> follows(state, change))) {
      report(Kind.TORN_TRANSACTION, event.place(), "change %s of %s without its state", change.version(), event.key());
    }
  }

  private static boolean follows(Event event, Change change) {
    return switch (event.content()) {
      case Tombstone tombstone -> true;
      case State state -> state.version().equals(change.version()) && change.facets().entrySet().stream().allMatch(
          each -> state.facets().getOrDefault(each.getKey(), each.getValue().after()) == each.getValue().after());
      default -> false;
    };
  }

  /** The revisions of a generation have no gaps, and begin with 1. */
  private void revision(Event event, Version version, @Nullable Version before) {
    var first = before == null || version.generation() > before.generation();
    if (first) {
      values.remove(resource(event));
    }
    var expected = first ? 1 : before.revision() + 1;
    if ((before != null && version.generation() < before.generation()) || version.revision() < expected) {
      report(Kind.ORDER, event.place(), "%s of %s after %s", version, event.key(), before);
    } else if (version.revision() > expected) {
      report(Kind.LOST_WRITE, event.place(), "%s of %s after %s", version, event.key(), before);
    }
  }

  /** Sessions follow each other, and all that a ledger knows to be committed is there. */
  private void positions(Collection<List<Event>> transactions) {
    var ends = history.ends();
    var session = 0L;
    for (List<Event> events : transactions) {
      for (Event event : events) {
        if (event.content() instanceof Position position) {
          if (position.session() < session) {
            report(Kind.ORDER, event.place(), "a session writes after a later one began");
          }
          session = position.session();
          position.ends().entrySet().stream()
              .filter(each -> each.getValue() > ends.getOrDefault(each.getKey(), 0L))
              .forEach(each -> report(Kind.LOST_WRITE, each, "was acknowledged up to there"));
        }
      }
    }
  }

  /** Returns the kind of a resource and its key; a target counts as one. */
  private static String resource(Event event) {
    var topic = event.place().topic();
    return topic.substring(topic.indexOf('.') + 1, topic.lastIndexOf('.')) + "/" + event.key();
  }

  private static String of(Event event, String facet) {
    return resource(event) + "#" + facet;
  }
}
