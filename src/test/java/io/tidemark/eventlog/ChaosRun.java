package io.tidemark.eventlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.TargetState;
import io.tidemark.eventlog.EventLogCheck.Rebuild;
import io.tidemark.fault.BrokerProcess;
import io.tidemark.fault.InstancePhase;
import io.tidemark.fault.NetworkConditions;
import io.tidemark.fault.PhaseTrigger;
import io.tidemark.fault.Proxy;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.KafkaAccess;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.simulator.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;

/** A run of the program, a broker and a simulated market with faults; Kafka and the market are behind proxies. */
final class ChaosRun implements AutoCloseable {
  private static final String PREFIX = "tidemark.";
  private static final Duration WAIT = Duration.ofMinutes(4);
  private static final Duration TRIGGER_WAIT = Duration.ofMinutes(4);

  private final Random random;
  private final Path folder;
  private final Topics topics = new Topics(PREFIX, Retention.DEFAULT);
  private final BuiltInRegistry registry = new BuiltInRegistry(topics.all());
  private final SimulatedMarket market = new SimulatedMarket(Scenario.CALM, 100);
  private final PhaseTrigger trigger = new PhaseTrigger();
  private final int brokerPort = freePort();
  private final Proxy kafka = Proxy.to(() -> brokerPort, trigger.tap());
  private final Proxy service = Proxy.to(market.baseUrl().getPort());
  private final List<ProgramProcess> instances = new ArrayList<>();
  private final Map<String, Integer> struck = new TreeMap<>();
  private final List<String> ends = new ArrayList<>();
  private final List<Rebuild> rebuilds = new ArrayList<>();
  private ProgramProcess broker;

  ChaosRun(long seed, int count, Path folder) throws IOException {
    this.random = new Random(seed);
    this.folder = folder;
    var base = URI.create("http://127.0.0.1:" + service.port() + market.baseUrl().getPath());
    Files.writeString(folder.resolve("tidemark.yaml"),
        EventLogRun.configuration(access().section(folder), 1, PREFIX, base, "everything"));
    startBroker();
    for (int i = 0; i < count; i++) {
      instances.add(start());
    }
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ProgramProcess start() {
    return ProgramProcess.start(folder, "run", "--config", "tidemark.yaml", "--only", "poll");
  }

  void startBroker() {
    broker = ProgramProcess.start(BrokerProcess.class.getName(), folder, Integer.toString(brokerPort),
        Integer.toString(kafka.port()), folder.resolve("kafka").toString());
  }

  private KafkaAccess access() {
    return KafkaAccess.open("127.0.0.1:" + kafka.port());
  }

  ProgramProcess broker() {
    return broker;
  }

  /** Returns one of the running instances. */
  ProgramProcess instance() {
    revive();
    return instances.get(random.nextInt(instances.size()));
  }

  Duration seconds(int least, int most) {
    return Duration.ofMillis(random.nextInt(1_000 * least, 1_000 * most));
  }

  void pause(ProgramProcess program, Duration time) {
    program.signal("STOP");
    last(time);
    program.signal("CONT");
  }

  void toKafka(NetworkConditions conditions, Duration time) {
    kafka.set(conditions);
    last(time);
    kafka.set(NetworkConditions.FAIR);
  }

  void toService(NetworkConditions conditions, Duration time) {
    service.set(conditions);
    last(time);
    service.set(NetworkConditions.FAIR);
  }

  /** Waits as long as a fault lasts. */
  private static void last(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  Topics topics() {
    return topics;
  }

  /** Returns the state topic of a random resource. */
  Topic<?> state() {
    return resource().state();
  }

  /** Returns the changes topic of a random resource. */
  Topic<?> changes() {
    return resource().changes();
  }

  private ResourceTopics<?, ?> resource() {
    return topics.resources().get(random.nextInt(topics.resources().size()));
  }

  /** Writes a foreign record and kills the instances, so that the next session reads it on restore. */
  void write(Topic<?> topic, @Nullable String key, byte @Nullable [] value) {
    var bytes = key == null ? null : key.getBytes(UTF_8);
    foreign().send(bytes == null || value != null ? partition(topic) : partitionOf(topic, bytes), null, bytes, value);
    killAll();
  }

  /** Returns the partition of a key, because the audit reports a tombstone in any other partition. */
  private static TopicPartition partitionOf(Topic<?> topic, byte[] key) {
    return new TopicPartition(topic.name(), Utils.toPositive(Utils.murmur2(key)) % EventLogRun.PARTITIONS);
  }

  /** Writes the first half of a record of the topic. */
  <V extends SpecificRecord> void writeCutShort(Topic<V> topic) {
    SpecificRecord some = new EventLogReader(access(), registry, Stream.of(topic)).read().stream()
        .map(EventLog.Entry::value).filter(Objects::nonNull).findAny().orElseThrow();
    byte[] whole = topic.serde(registry).serializer().serialize(topic.name(), topic.value().cast(some));
    write(topic, "no-such-resource", Arrays.copyOf(whole, whole.length / 2));
  }

  /** Writes a record whose timestamp is 50 minutes ahead; brokers reject an hour. */
  void writeFromTheFuture(Topic<?> topic) {
    foreign().send(partition(topic), System.currentTimeMillis() + Duration.ofMinutes(50).toMillis(),
        "no-such-resource".getBytes(UTF_8), "from the future".getBytes(UTF_8));
    killAll();
  }

  void abortForeignTransaction(Topic<?> topic) {
    foreign().abort(partition(topic), "no-such-resource".getBytes(UTF_8), "aborted".getBytes(UTF_8));
    killAll();
  }

  /** Leaves a foreign transaction open while a new session restores, and then aborts it as an operator does. */
  void hangForeignTransaction(Topic<?> topic, Duration time) {
    var partition = partition(topic);
    foreign().hang(partition, "no-such-resource".getBytes(UTF_8), "never committed".getBytes(UTF_8));
    killAll();
    revive();
    last(time);
    foreign().abortAll(partition);
  }

  /** Loses the states of a random resource, asserts that a start fails, and rebuilds them as its message says. */
  void loseStates(BiConsumer<ForeignProducer, String> loss) {
    ResourceTopics<?, ?> lost = resource();
    Topic<?> topic = lost.state();
    killAll();
    loss.accept(foreign(), topic.name());
    var refused = start();
    Awaitility.await().atMost(WAIT).until(() -> !refused.isAtWork() || refused.log().contains("tidemark rebuild"));
    refused.kill();
    assertThat(refused.log()).as("what a start says without %s", topic.name()).contains(topic.name(),
        "tidemark rebuild");
    rebuild();
    rebuilds.add(new Rebuild(lost.resource(), Instant.now()));
  }

  /** Retries, because a rebuild is refused while the last heartbeat of the killed instance is recent. */
  private void rebuild() {
    Awaitility.await().atMost(WAIT).pollInterval(Duration.ofSeconds(5)).until(() -> ProgramProcess
        .start(folder, "rebuild", "--config", "tidemark.yaml", "--apply").await().contains("start the source again"));
  }

  private ForeignProducer foreign() {
    return new ForeignProducer(access());
  }

  private TopicPartition partition(Topic<?> topic) {
    return new TopicPartition(topic.name(),
        topic.equals(ClusterTopics.UNPREFIXED.sources()) ? 0 : random.nextInt(EventLogRun.PARTITIONS));
  }

  void strike(Fault fault) {
    fault.strike(this);
    count(fault.name());
    recover(fault.name());
  }

  /** Kills the instances when one is in a phase; by chance before or after its request reaches Kafka. */
  void strike(InstancePhase phase) {
    boolean heard = random.nextBoolean();
    trigger.set(phase, () -> {
      killAll();
      return heard;
    });
    provoke(phase);
    Awaitility.await().atMost(TRIGGER_WAIT).until(() -> {
      revive();
      return trigger.isSprung();
    });
    count("KILLED_IN_" + phase);
    recover("KILLED_IN_" + phase);
  }

  /** Kills all instances, because a request does not show which one sent it. */
  private void killAll() {
    instances.forEach(ProgramProcess::kill);
  }

  /** Causes a phase: a new session restores and reserves, a stopped instance leaves; the other phases recur. */
  private void provoke(InstancePhase phase) {
    switch (phase) {
      case RESTORE, RESERVATION -> killAll();
      case REVOKE -> instance().stop();
      case OPEN_TRANSACTION, COMMIT -> revive();
    }
  }

  private void count(String kind) {
    struck.merge(kind, 1, Integer::sum);
  }

  Map<String, Integer> struck() {
    return struck;
  }

  /** Returns the last messages of instances that ended by themselves. */
  List<String> ends() {
    return ends;
  }

  /** Starts the instances that do not run, as a supervisor would. */
  private void revive() {
    for (int i = 0; i < instances.size(); i++) {
      ProgramProcess program = instances.get(i);
      if (!program.isAtWork()) {
        program.log().lines().filter(line -> line.startsWith("tidemark: ") && !line.contains("Ctrl-C"))
            .forEach(ends::add);
        instances.set(i, start());
      }
    }
  }

  /** Waits until something is committed again, and prints how long that took. */
  private void recover(String fault) {
    long start = System.nanoTime();
    Map<String, Long> before = snapshotsNow();
    await(
        () -> snapshots().entrySet().stream()
            .anyMatch(each -> each.getValue() > before.getOrDefault(each.getKey(), 0L)));
    System.out.printf("chaos: %s, polling again after %.1f s%n", fault, (System.nanoTime() - start) / 1e9);
  }

  /** Waits until every target was polled once more, except for days of coins, which are polled only once. */
  void awaitRound() {
    Map<String, Long> before = snapshotsNow();
    await(() -> {
      Map<String, Long> now = snapshots();
      return now.size() >= EventLogRun.TARGETS && now.entrySet().stream().allMatch(
          each -> each.getKey().contains("/history") || each.getValue() > before.getOrDefault(each.getKey(), 0L));
    });
  }

  private void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(WAIT).pollInterval(Duration.ofSeconds(1))
        .ignoreExceptionsMatching(failure -> failure instanceof KafkaException)
        .until(() -> {
          revive();
          return condition.call();
        });
  }

  /** Returns the newest snapshot of each target, as soon as the broker is available. */
  private Map<String, Long> snapshotsNow() {
    var snapshots = new AtomicReference<Map<String, Long>>(Map.of());
    await(() -> {
      snapshots.set(snapshots());
      return true;
    });
    return snapshots.get();
  }

  private Map<String, Long> snapshots() {
    Map<String, Long> snapshots = new HashMap<>();
    new EventLogReader(access(), registry, Stream.of(topics.targetState())).read().forEach(entry -> snapshots
        .merge(entry.key(), ((TargetState) Objects.requireNonNull(entry.value())).getSnapshot(), Math::max));
    return snapshots;
  }

  /** Checks all laws after one more round without faults and an orderly stop. */
  void check() {
    awaitRound();
    instances.forEach(ProgramProcess::stop);
    EventLog eventLog = EventLogReader.all(access(), registry, topics);
    EventLogFile.holds(eventLog, () -> {
      Assertions.assertAll(
          () -> ClusterAudit.holds(access(), registry, topics),
          () -> EventLogCheck.holds(eventLog, bodies(), true, rebuilds));
    });
  }

  /** Returns all bodies that the market, or a proxy in its place, sent. */
  private Bodies bodies() {
    Bodies bodies = market.bodies();
    bodies.put(Fault.BROKEN_ID, new Bodies.Body(null, 200, ByteBuffer.wrap(Fault.BROKEN.getBytes(UTF_8))));
    return bodies;
  }

  @Override
  public void close() {
    instances.forEach(ProgramProcess::close);
    broker.close();
    kafka.close();
    service.close();
    market.close();
  }
}
