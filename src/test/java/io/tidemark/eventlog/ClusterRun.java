package io.tidemark.eventlog;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.fault.BrokerCluster;
import io.tidemark.fault.Containers;
import io.tidemark.fault.NetworkConditions;
import io.tidemark.fault.Proxy;
import io.tidemark.judge.Anomaly;
import io.tidemark.judge.BrokerLog;
import io.tidemark.judge.History;
import io.tidemark.judge.Judge;
import io.tidemark.judge.LogReader;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.KafkaAccess;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.simulator.Scenario;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartitionInfo;
import org.awaitility.Awaitility;

/** A run of two instances with three brokers in containers, with faults, a reader that follows, and a judge. */
final class ClusterRun implements AutoCloseable {
  private static final String PREFIX = "tidemark.";
  private static final Duration WAIT = Duration.ofMinutes(4);
  private static final Duration POLL = Duration.ofMillis(250);

  /** Time in which what was committed before a fault is read. */
  private static final Duration SETTLED = Duration.ofSeconds(5);

  private static final Path CLOCK_SKEW = Path.of("/usr/lib/x86_64-linux-gnu/faketime");

  /** The instances; the clock of the second one is 10 s ahead. */
  private static final List<String> INSTANCES = List.of("one", "two");

  private final Random random;
  private final Path folder;
  private final Topics topics = new Topics(PREFIX, Retention.DEFAULT);
  private final BuiltInRegistry registry = new BuiltInRegistry(topics.all());
  private final SimulatedMarket market = new SimulatedMarket(Scenario.CALM, 100);
  private final Containers containers;
  private final Map<String, InetAddress> addresses;
  private final BrokerCluster cluster;
  private final Proxy service;
  private final Admin admin;
  private final LogReader reader;
  private long committedByOneBroker;

  ClusterRun(long seed, Path folder, Containers containers) throws IOException {
    this.random = new Random(seed);
    this.folder = folder;
    this.containers = containers;
    addresses = INSTANCES.stream()
        .collect(toMap(Function.identity(), each -> containers.address(20 + INSTANCES.indexOf(each))));
    cluster = new BrokerCluster(containers);
    service = Proxy.on(containers.host(),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), market.baseUrl().getPort()));
    admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
    var base = URI.create("http://%s:%d%s".formatted(containers.host().getHostAddress(), service.port(),
        market.baseUrl().getPath()));
    Files.writeString(folder.resolve("tidemark.yaml"),
        EventLogRun.configuration(access().section(folder), 3, PREFIX, base, "everything"));
    await(() -> admin.describeCluster().nodes().get().size() == BrokerCluster.IDS.size());
    for (String instance : INSTANCES) {
      start(instance);
    }
    await(() -> admin.listTopics().names().get().containsAll(topics.all().stream()
        .map(each -> each.name()).filter(each -> each.endsWith(".state") || each.endsWith(".changes")).toList()));
    reader = new LogReader(cluster.bootstrapServers(), PREFIX).follow();
    await(() -> reader.snapshots() >= EventLogRun.TARGETS);
  }

  private void start(String instance) throws IOException {
    var options = new ArrayList<>(
        List.of("--restart", "on-failure", "-v", folder.resolve("tidemark.yaml") + ":/tidemark.yaml:ro"));
    if (instance.equals(INSTANCES.getLast()) && isClockSkewed()) {
      options.addAll(List.of("-v", CLOCK_SKEW + ":/faketime:ro", "-e", "LD_PRELOAD=/faketime/libfaketimeMT.so.1",
          "-e", "FAKETIME=+10s", "-e", "FAKETIME_DONT_FAKE_MONOTONIC=1", "-e", "FAKETIME_FORCE_MONOTONIC_FIX=0"));
    }
    var command = new ArrayList<>(Containers.java(folder.resolve("jars"), "eclipse-temurin:25-jre",
        List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"),
        "io.tidemark.cli.Main"));
    command.addAll(List.of("run", "--config", "/tidemark.yaml", "--only", "poll"));
    containers.run(instance, addresses.get(instance), options, command);
  }

  static boolean isClockSkewed() {
    return Files.exists(CLOCK_SKEW.resolve("libfaketimeMT.so.1"));
  }

  private KafkaAccess access() {
    return KafkaAccess.open(cluster.bootstrapServers());
  }

  Containers containers() {
    return containers;
  }

  Duration seconds(int least, int most) {
    return Duration.ofMillis(random.nextInt(1_000 * least, 1_000 * most));
  }

  /** Returns the instance that owns the source, or one of both while none does. */
  String owner() {
    revive();
    var group = ClusterTopics.UNPREFIXED.sources().name();
    return ask(() -> admin.describeConsumerGroups(List.of(group)).all().get().get(group).members().stream()
        .filter(each -> !each.assignment().topicPartitions().isEmpty())
        .flatMap(member -> INSTANCES.stream().filter(each -> member.clientId().contains("@" + each)))
        .findFirst().orElseGet(() -> INSTANCES.get(random.nextInt(INSTANCES.size()))));
  }

  int broker() {
    return BrokerCluster.IDS.get(random.nextInt(BrokerCluster.IDS.size()));
  }

  /** Returns the broker that coordinates the transactions of the source. */
  int coordinator() {
    var id = PREFIX + "main";
    return ask(() -> admin.describeTransactions(List.of(id)).description(id).get().coordinatorId());
  }

  /** Returns the leader of the partition with the positions of the ledger. */
  int leader() {
    return ask(() -> partitions(topics.sourceState().name()).stream().map(TopicPartitionInfo::leader)
        .filter(each -> each != null && !each.isEmpty()).findFirst().orElseThrow().id());
  }

  int controller() {
    return ask(() -> admin.describeMetadataQuorum().quorumInfo().get().leaderId());
  }

  private List<TopicPartitionInfo> partitions(String topic) throws ExecutionException, InterruptedException {
    return admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions();
  }

  void pause(String container, Duration time) {
    containers.signal("STOP", container);
    last(time);
    containers.signal("CONT", container);
  }

  /** Kills or terminates a broker and starts it again. */
  void restart(String signal, int broker) {
    containers.signal(signal, BrokerCluster.name(broker));
    await(() -> !containers.isRunning(BrokerCluster.name(broker)));
    containers.start(BrokerCluster.name(broker));
  }

  /** Restarts one broker after the other, each when the one before has all records again. */
  void restartAll() {
    for (int id : BrokerCluster.IDS) {
      restart("TERM", id);
      awaitReplicas();
    }
  }

  /** Kills two brokers for a while, in which nothing must be committed. */
  void loseMajority() {
    var lost = BrokerCluster.IDS.stream().filter(each -> each != leader()).map(BrokerCluster::name)
        .toArray(String[]::new);
    containers.signal("KILL", lost);
    last(SETTLED);
    var before = reader.snapshots();
    last(seconds(4, 9));
    committedByOneBroker += reader.snapshots() - before;
    containers.start(lost);
  }

  /** Sets the network between an instance and brokers for a while. */
  void network(String instance, List<Integer> brokers, NetworkConditions conditions, Duration time) {
    brokers.forEach(each -> cluster.between(addresses.get(instance), each, conditions));
    last(time);
    brokers.forEach(each -> cluster.between(addresses.get(instance), each, NetworkConditions.FAIR));
  }

  /** Kills the owner behind a cut, so that the brokers do not hear the end of its connections until the cut ends. */
  void killBehindCut() {
    var owner = owner();
    BrokerCluster.IDS.forEach(each -> cluster.between(addresses.get(owner), each, NetworkConditions.CUT));
    containers.signal("KILL", owner);
    last(seconds(5, 15));
    BrokerCluster.IDS.forEach(each -> cluster.between(addresses.get(owner), each, NetworkConditions.FAIR));
  }

  /** Sets the network between each of these brokers and some of the others for a while. */
  void partition(List<Integer> brokers, int others, NetworkConditions conditions) {
    var time = seconds(5, 15);
    each(brokers, others, (one, other) -> cluster.between(one, other, conditions));
    last(time);
    each(brokers, others, (one, other) -> cluster.between(one, other, NetworkConditions.FAIR));
  }

  /** Lets nothing pass between the leader and the other brokers in one direction for a while. */
  void oneWay(boolean fromLeader) {
    var leader = List.of(leader());
    each(leader, 2, (one, other) -> cluster.hold(fromLeader ? one : other, fromLeader ? other : one));
    last(seconds(5, 15));
    each(leader, 2, (one, other) -> cluster.between(one, other, NetworkConditions.FAIR));
  }

  private static void each(List<Integer> brokers, int others, BiConsumer<Integer, Integer> action) {
    brokers.forEach(one -> BrokerCluster.IDS.stream().filter(other -> !other.equals(one)).limit(others)
        .forEach(other -> action.accept(one, other)));
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

  /** Starts the instances that were killed; those that end by themselves are started by their restart policy. */
  private void revive() {
    containers.start(INSTANCES.toArray(String[]::new));
  }

  /** Waits until a snapshot is committed and read, and returns how long that took. */
  Duration recovery() {
    var start = System.nanoTime();
    var before = reader.snapshots();
    revive();
    await(() -> reader.snapshots() > before);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** Waits until all replicas are in sync. */
  private void awaitReplicas() {
    await(() -> admin.describeTopics(admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get())
        .allTopicNames().get().values().stream().flatMap(each -> each.partitions().stream())
        .allMatch(each -> each.isr().size() == BrokerCluster.IDS.size()));
  }

  private <T> T ask(Callable<T> question) {
    var answer = new AtomicReference<T>();
    await(() -> {
      answer.set(question.call());
      return true;
    });
    return answer.get();
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(WAIT).pollInterval(POLL)
        .ignoreExceptionsMatching(each -> each instanceof ExecutionException || each instanceof KafkaException)
        .until(condition);
  }

  /** Stops the instances in order after a snapshot without faults, and returns what the judge finds. */
  List<Anomaly> judge() throws IOException {
    awaitReplicas();
    recovery();
    containers.stop(INSTANCES.toArray(String[]::new));
    // One that does not stop in time leaves a transaction, which the coordinator aborts when it times out.
    await(() -> admin.listTransactions(new ListTransactionsOptions()
        .filterStates(
            List.of(TransactionState.ONGOING, TransactionState.PREPARE_COMMIT, TransactionState.PREPARE_ABORT)))
        .all().get().isEmpty());
    var logs = new ArrayList<BrokerLog>();
    for (int id : BrokerCluster.IDS) {
      var log = folder.resolve(BrokerCluster.name(id));
      containers.copy(BrokerCluster.name(id), BrokerCluster.LOGS, ".log", log);
      logs.add(new BrokerLog(log));
    }
    reader.close();
    try (var after = new LogReader(cluster.bootstrapServers(), PREFIX).readAll()) {
      var history = History.of(PREFIX, logs, reader, after);
      System.out.println("judge: " + history.summary());
      return Judge.judge(history);
    }
  }

  /** Checks that one broker of three committed nothing, and that the event log is the fold of the market's bodies. */
  void check() {
    assertThat(committedByOneBroker).as("snapshots committed with one broker of three").isZero();
    var eventLog = EventLogReader.all(access(), registry, topics);
    EventLogFile.holds(eventLog, () -> EventLogCheck.holds(eventLog, market.bodies(), true));
  }

  @Override
  public void close() throws IOException {
    var logs = Files.createDirectories(Path.of("target", "three-brokers"));
    for (String each : Stream.concat(INSTANCES.stream(), BrokerCluster.IDS.stream().map(BrokerCluster::name))
        .toList()) {
      Files.writeString(logs.resolve(each + ".log"), containers.log(each));
    }
    reader.close();
    admin.close(Duration.ZERO);
    cluster.close();
    service.close();
    market.close();
  }
}
