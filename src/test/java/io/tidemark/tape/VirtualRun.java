package io.tidemark.tape;

import io.tidemark.change.Detection;
import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
import io.tidemark.cli.settings.Settings;
import io.tidemark.cli.settings.SourceSettings;
import io.tidemark.event.EventClasses;
import io.tidemark.event.SourceState;
import io.tidemark.ledger.Deadlines;
import io.tidemark.ledger.Store;
import io.tidemark.market.Sweep;
import io.tidemark.market.Target;
import io.tidemark.poll.Watched;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
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
 * A made-up market watched over HTTP by a clock that only looks move on: minutes pass in seconds, and alike each time.
 * One look after the other, without Kafka: what each comes to is on the tape at once.
 */
final class VirtualRun implements AutoCloseable {
  static {
    EventClasses.trust();
  }

  private static final long LONGEST_MS = 60;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Topics topics = new Topics("virtual.", Retention.DEFAULT);
  private final Store store = new Store(topics, new BuiltInRegistry(topics.all()));
  private final List<Tape.Entry> tape = new ArrayList<>();
  private final Map<String, Instant> due = new TreeMap<>();
  private final Map<String, Watched> watched = new HashMap<>();
  private final Random random;
  private final SimulatedMarket market;
  private final Asking asking;
  private final Instant start;
  private final SourceSettings source;
  private Detection detection;
  private Deadlines deadlines;
  private volatile Instant now;
  private Instant stamp;
  private Instant tick;

  /**
   * @param events {@code material} or {@code everything}
   * @param seed of when looks begin and how long answers take
   */
  VirtualRun(SimulatorSettings settings, String events, Instant start, long seed) throws IOException {
    this.random = new Random(seed);
    this.start = start;
    this.now = start;
    this.stamp = start;
    this.tick = start;
    this.market = new SimulatedMarket(settings, () -> now);
    this.source = Settings.parse("tidemark.yaml",
        TapeRun.configuration("kafka: {}", topics.prefix(), market.baseUrl(), events), name -> null).sources().get(0);
    this.asking = new Asking(source.client(), () -> now = now.plusMillis(random.nextLong(LONGEST_MS)), () -> now);
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

  /** Another life of the program, with what is known. */
  void startAgain() {
    detection = new Detection(source.worth(), topics.retention().changes(), source.forgetAfter(), start, now);
    deadlines = new Deadlines(detection, store, topics.resources().stream().map(each -> each.resource()).toList());
    while (deadlines.readOn(now)) {
      // all at once
    }
  }

  /** Lets so much time pass, with all looks that are due meanwhile. */
  void pass(Duration time) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      String next = due.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
      until(due.get(next));
      due.put(next, later(due.get(next), now).plus(watched.get(next).period()));
      look(watched.get(next).target());
    }
  }

  private void until(Instant time) {
    while (tick.plus(SECOND).isBefore(time)) {
      tick = tick.plus(SECOND);
      now = later(now, tick);
      for (Entry entry = deadlines.poll(now); entry != null; entry = deadlines.poll(now)) {
        store.apply(entry);
        deadlines.note(entry, now);
        stamp();
        record(entry);
      }
    }
    now = later(now, time);
  }

  private void look(Target target) {
    Sweep sweep = asking.sweep(target);
    Outcome outcome = detection.detect(sweep, store);
    store.apply(outcome);
    deadlines.note(outcome, now);
    stamp();
    outcome.entries().forEach(this::record);
    record(topics.targetState().name(), target.name(), outcome.target());
  }

  /** Whatever is on the tape next has a time of its own. */
  private void stamp() {
    stamp = later(now, stamp.plusMillis(1));
  }

  private void record(Entry entry) {
    var names = topics.resources().stream().filter(each -> each.resource().equals(entry.resource())).findFirst()
        .orElseThrow();
    if (entry.change() != null) {
      record(names.changes().name(), entry.key(), entry.change());
    }
  }

  private void record(String topic, String key, @Nullable SpecificRecord value) {
    tape.add(new Tape.Entry(topic, 0, tape.size(), stamp, key, Map.of(), value));
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  Tape tape() {
    return new Tape(topics, tape);
  }

  /** Holds the tape against what was served. */
  Coverage check(boolean everything) {
    TapeCheck.holds(tape(), market.bodies(), everything);
    return new Coverage(tape());
  }

  @Override
  public void close() {
    asking.close();
    market.close();
    store.close();
  }
}
