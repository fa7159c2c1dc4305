package io.tidemark.eventlog;

import io.tidemark.app.config.Settings;
import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.AppendedStates;
import io.tidemark.capture.ledger.Deadlines;
import io.tidemark.capture.ledger.ResourceStateStore;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.SourceState;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import io.tidemark.simulator.SimulatorSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A simulated market that is polled over HTTP in virtual time: minutes pass in seconds, and each run is the same.
 * Snapshots come one after the other and, without Kafka, their changes are in the event log at once.
 */
final class VirtualRun implements AutoCloseable {
  static {
    AvroSettings.apply();
  }

  private static final long LONGEST_MS = 60;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Topics topics = new Topics("virtual.", Retention.DEFAULT);
  private final ResourceStateStore store = new ResourceStateStore(topics, new BuiltInRegistry(topics.all()), null);
  private final List<EventLog.Entry> eventLog = new ArrayList<>();
  private final Map<String, Instant> due = new TreeMap<>();
  private final Map<String, WatchedTarget> watched = new HashMap<>();
  private final Random random;
  private final SimulatedMarket market;
  private final SnapshotFetcher asking;
  private final Instant start;
  private final SourceSettings source;
  private ChangeDetector detection;
  private Deadlines deadlines;
  private volatile Instant now;
  private Instant stamp;
  private Instant tick;

  /**
   * @param events {@code material} or {@code everything}
   * @param seed decides when polls begin and how long answers take
   */
  VirtualRun(SimulatorSettings settings, String events, Instant start, long seed) throws IOException {
    this.random = new Random(seed);
    this.start = start;
    this.now = start;
    this.stamp = start;
    this.tick = start;
    this.market = new SimulatedMarket(settings, () -> now);
    this.source = Settings.parse("tidemark.yaml",
        EventLogRun.configuration("kafka: {}", 1, topics.prefix(), market.baseUrl(), events), name -> null).sources()
        .get(0);
    this.asking =
        new SnapshotFetcher(source.client(), () -> now = now.plusMillis(random.nextLong(LONGEST_MS)), () -> now);
    source.watch().targets().forEach(each -> {
      watched.put(each.target().name(), each);
      due.put(each.target().name(), start.plusMillis(random.nextLong(each.period().toMillis())));
    });
    var state = new SourceState();
    state.setSource(source.name());
    state.setWatchingSince(start);
    record(topics.sourceState().name(), source.name(), state);
    startAgain();
  }

  /** Starts another session of the program from the known states. */
  void startAgain() {
    detection = new ChangeDetector(source.publishing(), topics.retention().changes(), source.evictAfter(), start, now);
    deadlines = new Deadlines(detection, store, topics.resources().stream().map(each -> each.resource()).toList(),
        (target, now) -> true);
    while (deadlines.readNext(now)) {
      // all at once
    }
  }

  /** Advances the time, with all polls that are due meanwhile. */
  void pass(Duration time) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      String next = due.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
      until(due.get(next));
      due.put(next, later(due.get(next), now).plus(watched.get(next).period()));
      snapshot(watched.get(next).target());
    }
  }

  private void until(Instant time) {
    while (tick.plus(SECOND).isBefore(time)) {
      tick = tick.plus(SECOND);
      now = later(now, tick);
      for (ResourceUpdate entry = deadlines.poll(now); entry != null; entry = deadlines.poll(now)) {
        AppendedStates.append(store, topics, entry);
        deadlines.note(entry, now);
        stamp();
        record(entry);
      }
    }
    now = later(now, time);
  }

  private void snapshot(Target target) {
    Snapshot snapshot = asking.snapshot(target);
    ChangeSet outcome = detection.detect(snapshot, store);
    AppendedStates.append(store, topics, outcome);
    deadlines.note(outcome, now);
    stamp();
    outcome.updates().forEach(this::record);
    record(topics.targetState().name(), target.name(), outcome.targetState());
  }

  /** Gives the next record in the event log a time of its own. */
  private void stamp() {
    stamp = later(now, stamp.plusMillis(1));
  }

  private void record(ResourceUpdate entry) {
    var names = topics.resources().stream().filter(each -> each.resource().equals(entry.resource())).findFirst()
        .orElseThrow();
    if (entry.change() != null) {
      record(names.changes().name(), entry.key(), entry.change());
    }
  }

  private void record(String topic, String key, @Nullable SpecificRecord value) {
    eventLog.add(new EventLog.Entry(topic, 0, eventLog.size(), stamp, key, Map.of(), value));
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  EventLog eventLog() {
    return new EventLog(topics, eventLog);
  }

  /** Checks the event log against the bodies that were sent. */
  InterfaceCoverage check(boolean everything) {
    EventLogCheck.holds(eventLog(), market.bodies(), everything);
    return new InterfaceCoverage(eventLog());
  }

  @Override
  public void close() {
    asking.close();
    market.close();
    store.close();
  }
}
