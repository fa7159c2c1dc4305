package io.tidemark.bench;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.KnownStates;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.market.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A measurement of a page of 20 pools from its bytes to encoded records, without Kafka: the cost of a snapshot for
 * the poller. The page is from a simulated market, five minutes after a page with the same pools, all of which moved.
 */
final class PageBench {
  private static final Instant START = Instant.parse("2026-11-22T12:00:00Z");
  private static final int PAGE = 0;

  private final byte[] body;
  private final BenchStates states = new BenchStates();
  private final SimulatedPages pages = new SimulatedPages(START);
  private final ChangeDetector detector = pages.detector();

  /**
   * Target of the page. Its name is parsed once, because the poller holds parsed targets too and does not parse a name
   * at each poll.
   */
  private final Target target;

  PageBench() {
    body = pages.body(PAGE, 1);
    var first = detector.detect(pages.snapshot(PAGE, 0, pages.at(0)), states);
    states.put(first);
    target = new Target("main", states.target(), Endpoints.parseTarget(states.target()), 1);
  }

  /** Reads, compares and encodes the page. Returns the number of its pools. */
  private long detect() {
    states.encode(changes(states, body));
    return SimulatedPages.POOLS;
  }

  private ChangeSet changes(BenchStates known, byte[] received) {
    known.forgetDecoded();
    var snapshot = SimulatedPages.snapshot(target, received, pages.at(1).plusSeconds(1));
    return detector.detect(snapshot, known);
  }

  /**
   * Known states, encoded as in the ledger's local store and decoded when they are read. As in the ledger, targets
   * and their members are decoded once after a commit.
   */
  private static final class BenchStates implements KnownStates {
    private final Topics topics = new Topics("bench.", Retention.DEFAULT);
    private final Map<Class<?>, EncodedTopic<?>> byType = new HashMap<>();
    private final Map<String, Class<?>> stateTypes = new HashMap<>();
    private final Map<String, Map<String, byte[]>> byResource = new HashMap<>();
    private final List<TargetMembers> members = new ArrayList<>();
    private @Nullable TargetState targetState;
    private String target = "";

    /** Returns the name of the only target that has states. */
    String target() {
      return target;
    }

    /** Forgets the decoded target and members, as after a commit, so that they are decoded again. */
    void forgetDecoded() {
      targetState = null;
      members.clear();
    }

    BenchStates() {
      var registry = new BuiltInRegistry(topics.all());
      topics.all().forEach(topic -> byType.put(topic.value(), new EncodedTopic<>(topic, registry)));
      topics.resources().forEach(each -> stateTypes.put(each.resource(), each.state().value()));
    }

    /** Adds the states that are known after a snapshot. */
    void put(ChangeSet changes) {
      for (var update : changes.updates()) {
        put(update.resource(), update.key(), update.state());
      }
      target = changes.targetState().getTarget();
      put("target", target, changes.targetState());
      changes.members().forEach(page -> put("members", target + page.getPage(), page));
    }

    private void put(String table, String key, @Nullable SpecificRecord state) {
      if (state != null) {
        byResource.computeIfAbsent(table, name -> new HashMap<>()).put(key, encode(state));
      }
    }

    /** Encodes all records of a change set. Returns their size in bytes. */
    int encode(ChangeSet changes) {
      var size = encode(changes.targetState()).length;
      for (var update : changes.updates()) {
        size += update.change() == null ? 0 : encode(update.change()).length;
        size += update.state() == null ? 0 : encode(update.state()).length;
      }
      for (var page : changes.members()) {
        size += encode(page).length;
      }
      for (var listing : changes.listings()) {
        size += encode(listing).length;
      }
      return size;
    }

    private byte[] encode(SpecificRecord record) {
      return topic(record.getClass()).encode(record);
    }

    private EncodedTopic<?> topic(Class<?> type) {
      var topic = byType.get(type);
      if (topic == null) {
        throw new IllegalArgumentException("no topic holds " + type);
      }
      return topic;
    }

    private Class<?> type(String table) {
      return switch (table) {
        case "target" -> TargetState.class;
        case "members" -> TargetMembers.class;
        default -> stateTypes.getOrDefault(table, TargetState.class);
      };
    }

    @Override
    public @Nullable SpecificRecord find(String resource, String key) {
      var bytes = byResource.getOrDefault(resource, Map.of()).get(key);
      return bytes == null ? null : topic(type(resource)).decode(bytes);
    }

    @Override
    public @Nullable TargetState targetState(String name) {
      if (targetState == null) {
        targetState = (TargetState) find("target", name);
      }
      return targetState;
    }

    @Override
    public List<TargetMembers> members(String target) {
      if (members.isEmpty()) {
        for (var page = 0; find("members", target + page) instanceof TargetMembers found; page++) {
          members.add(found);
        }
      }
      return members;
    }

    @Override
    public Set<String> targetsWithMember(String key) {
      return members(target).stream().anyMatch(page -> page.getMembers().contains(key)) ? Set.of(target) : Set.of();
    }
  }

  /** A topic with the serde that encodes its records in Kafka's format. */
  private record EncodedTopic<V extends SpecificRecord>(Topic<V> topic, AvroSerde<V> serde) {
    EncodedTopic(Topic<V> topic, SchemaRegistry registry) {
      this(topic, topic.serde(registry));
    }

    byte[] encode(SpecificRecord record) {
      return serde.encode(topic.name(), topic.value().cast(record));
    }

    V decode(byte[] bytes) {
      return serde.decode(topic.name(), bytes);
    }
  }

  /** The bench part {@code detect}, which creates the page when it runs. */
  static final class DetectBench implements BenchPart {
    @Override
    public String name() {
      return "detect";
    }

    @Override
    public String description() {
      return "pools of a page to encoded changes and states, by processor time";
    }

    @Override
    public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
      var page = new PageBench();
      return List.of(new Throughput("detect", "pools/s", 0, Throughput.Clock.PROCESSOR, page::detect, null)
          .measure(settings.withLongWarmUp(), progress).ofPlan(BenchResult.PLAN_POOLS));
    }
  }
}
