package io.tidemark.stream.simulated;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.ledger.AppendedStates;
import io.tidemark.capture.ledger.Deadlines;
import io.tidemark.capture.ledger.ResourceStateStore;
import io.tidemark.capture.poll.PollHealth;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.Evidence;
import io.tidemark.event.SourceState;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import io.tidemark.rule.file.ShippedRules;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.stream.TopologyRun;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * A simulated market that is polled again and again, and the whole topology over its event log: in one thread,
 * by a clock of its own, without HTTP and Kafka.
 */
final class WatchedMarket implements AutoCloseable {

  /** A longer time between two ticks does not count: the source had no owner. */
  static final Duration TICK = Duration.ofSeconds(10);

  private static final Duration MONTH = Duration.ofDays(30);
  private static final Map<String, ResourceTopics<?, ?>> TOPICS = TopologyRun.TOPICS.resources().stream()
      .collect(Collectors.toMap(ResourceTopics::resource, Function.identity()));

  static {
    AvroSettings.apply();
  }

  final TopologyRun topology = TopologyRun.start();

  private final Simulator market;
  private final List<Target> targets;
  private final ResourceStateStore store =
      new ResourceStateStore(TopologyRun.TOPICS, new BuiltInRegistry(TopologyRun.TOPICS.all()), null);
  private final ChangeDetector detection;
  private final Deadlines deadlines;
  private final PollHealth pollHealth = new PollHealth();
  private final Set<String> written = new HashSet<>();
  private Instant now;

  WatchedMarket(SimulatorSettings settings, List<Query<?>> watched, Instant start) {
    this(watched.stream().map(query -> new Target("main", Endpoints.targetName(query), query, 1)).toList(), settings,
        start);
  }

  WatchedMarket(List<Target> targets, SimulatorSettings settings, Instant start) {
    market = new Simulator(settings, InstantSource.fixed(start));
    this.targets = targets;
    detection = new ChangeDetector(PublishSettings.MATERIAL, MONTH, MONTH, start, start);
    deadlines = new Deadlines(detection, store, List.of(), (target, now) -> true);
    targets.forEach(target -> pollHealth.watch(target.name(), start));
    now = start;
    topology.rules(start.minusSeconds(20), ShippedRules.document().text());
  }

  /** Polls everything at once and at an interval, until a time. */
  void watch(Duration tick, Duration every, Instant until) {
    for (var next = now; now.isBefore(until);) {
      if (!now.isBefore(next)) {
        targets.forEach(this::poll);
        topology.record(TopologyRun.TOPICS.sourceState(), "main", source(), stamp());
        next = now.plus(every);
      }
      now = now.plus(tick);
      expire();
      topology.tick(now);
    }
  }

  /**
   * Polls each target at the pace at which the service refreshes it, until a time. Each of its pages is as old as the
   * cache of that page, which is refreshed at a phase of its own.
   */
  void watch(Duration tick, Map<String, Duration> periods, Instant until) {
    var due = new HashMap<String, Instant>();
    targets.forEach(target -> due.put(target.name(), now.plus(phase(target.name(), periods.get(target.name())))));
    while (now.isBefore(until)) {
      for (var target : targets) {
        if (!now.isBefore(due.get(target.name()))) {
          var period = periods.get(target.name());
          poll(snapshot(target, page -> refreshedAt(target.name() + page, period)));
          due.compute(target.name(), (name, at) -> at.plus(period));
        }
      }
      topology.record(TopologyRun.TOPICS.sourceState(), "main", source(), stamp());
      now = now.plus(tick);
      expire();
      topology.tick(now);
    }
  }

  /** Nobody polls and writes for a time. */
  void pause(Duration length) {
    now = now.plus(length);
  }

  /** When a page was refreshed last. */
  private Instant refreshedAt(String page, Duration period) {
    var age = Math.floorMod(now.toEpochMilli() - phase(page, period).toMillis(), period.toMillis());
    return now.minusMillis(age);
  }

  private static Duration phase(String name, Duration period) {
    return Duration.ofMillis(Math.floorMod(name.hashCode() * 7919L, period.toMillis()));
  }

  /** Whether the evidence of an alert is in the event log; of an aggregate, which has no revision, it is not checked. */
  boolean has(Evidence evidence) {
    var revision = evidence.getRevision();
    return revision == null || written.contains(evidence.getTopic() + " " + evidence.getKey() + " " + revision);
  }

  @Override
  public void close() {
    topology.close();
    store.close();
  }

  private void poll(Target target) {
    poll(snapshot(target, page -> now));
  }

  private void poll(Snapshot snapshot) {
    var outcome = detection.detect(snapshot, store);
    AppendedStates.append(store, TopologyRun.TOPICS, outcome);
    deadlines.note(outcome, now);
    pollHealth.recordPoll(snapshot, outcome.targetState().getComplete());
    put(outcome);
  }

  /** @param time of each page */
  private Snapshot snapshot(Target target, IntFunction<Instant> time) {
    var answers = new ArrayList<Answer<?>>();
    try {
      for (int page = 1; page <= target.pages(); page++) {
        var query = target.query() instanceof Query.Paged<?> list ? list.withPage(page) : target.query();
        answers.add(received(query.askOf(market.at(time.apply(page))).block()));
      }
      return new Snapshot(target, answers, false, null, now, now);
    } catch (Failure e) {
      return new Snapshot(target, answers, false, e, now, now);
    }
  }

  private <A> Answer<A> received(Answer<A> cached) {
    return new Answer<>(
        cached.query(), cached.body(), cached.digest(), now, now, cached.asOf(), cached.maxAge(), cached.requestId(),
        null);
  }

  private void expire() {
    for (var entry = deadlines.poll(now); entry != null; entry = deadlines.poll(now)) {
      AppendedStates.append(store, TopologyRun.TOPICS, entry);
      deadlines.note(entry, now);
      put(entry);
    }
  }

  private void put(ChangeSet outcome) {
    outcome.updates().forEach(this::put);
    var stamp = stamp();
    outcome.listings().forEach(listing -> {
      topology.record(TopologyRun.TOPICS.poolListing(), listing.getPool(), listing, stamp);
      note(TopologyRun.TOPICS.poolListing().name(), listing.getPool(), listing.getRevision());
    });
    topology.record(TopologyRun.TOPICS.targetState(), outcome.targetState().getTarget(), outcome.targetState(), stamp);
  }

  private void put(ResourceUpdate entry) {
    var change = entry.change();
    if (change != null) {
      var topic = TOPICS.get(entry.resource()).changes();
      topology.record(topic, entry.key(), change, stamp());
      note(topic.name(), entry.key(), (Long) change.get(change.getSchema().getField("revision").pos()));
    }
  }

  private void note(String topic, String key, long revision) {
    written.add(topic + " " + key + " " + revision);
  }

  /** No record is stamped at or below the tick before it. */
  private Instant stamp() {
    return now.plusMillis(1);
  }

  private SourceState source() {
    var oldest = pollHealth.oldest();
    var problem = pollHealth.isDegraded() ? pollHealth.problem() : null;
    return SourceState.newBuilder()
        .setSource("main")
        .setStatus(problem == null ? "polling" : "degraded")
        .setMessage(problem)
        .setOldestTarget(oldest.target())
        .setOldestObservedAt(oldest.at())
        .setHeartbeatAt(now)
        .build();
  }
}
