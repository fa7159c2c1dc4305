package io.tidemark.fault;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import io.tidemark.fault.NetworkConditions.Direction;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Three brokers in containers, each also a controller. Every connection to a broker or a controller, also of another
 * broker, goes through a proxy of this process, which knows both ends.
 */
public final class BrokerCluster implements AutoCloseable {
  public static final List<Integer> IDS = List.of(1, 2, 3);

  /** Where a broker has its log. */
  public static final String LOGS = "/var/lib/kafka/data";

  private static final int BROKER = 9092;
  private static final int CONTROLLER = 9093;
  private static final String SETTINGS = """
      PROCESS_ROLES=broker,controller
      LISTENERS=PLAINTEXT://0.0.0.0:9092,CONTROLLER://0.0.0.0:9093
      LISTENER_SECURITY_PROTOCOL_MAP=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
      CONTROLLER_LISTENER_NAMES=CONTROLLER
      INTER_BROKER_LISTENER_NAME=PLAINTEXT
      HEAP_OPTS=-Xms320m -Xmx320m
      JVM_PERFORMANCE_OPTS=-XX:+UseSerialGC -XX:TieredStopAtLevel=1
      MIN_INSYNC_REPLICAS=2
      DEFAULT_REPLICATION_FACTOR=3
      OFFSETS_TOPIC_REPLICATION_FACTOR=3
      OFFSETS_TOPIC_NUM_PARTITIONS=3
      TRANSACTION_STATE_LOG_REPLICATION_FACTOR=3
      TRANSACTION_STATE_LOG_NUM_PARTITIONS=3
      TRANSACTION_STATE_LOG_MIN_ISR=2
      UNCLEAN_LEADER_ELECTION_ENABLE=false
      AUTO_CREATE_TOPICS_ENABLE=false
      GROUP_INITIAL_REBALANCE_DELAY_MS=0
      BROKER_HEARTBEAT_INTERVAL_MS=1000
      BROKER_SESSION_TIMEOUT_MS=6000
      REPLICA_LAG_TIME_MAX_MS=6000
      """;

  private final Containers containers;
  private final Map<Integer, Proxy> brokers;
  private final Map<Integer, Proxy> controllers;

  public BrokerCluster(Containers containers) {
    this.containers = containers;
    this.brokers = proxies(BROKER);
    this.controllers = proxies(CONTROLLER);
    IDS.forEach(this::run);
  }

  private Map<Integer, Proxy> proxies(int port) {
    return IDS.stream().collect(toMap(Function.identity(),
        id -> Proxy.on(containers.host(), new InetSocketAddress(address(id), port))));
  }

  private void run(int id) {
    var voters = IDS.stream().map(each -> each + "@" + at(controllers, each)).collect(joining(","));
    var settings = Stream.concat(SETTINGS.lines(), Stream.of("NODE_ID=" + id, "LOG_DIRS=" + LOGS,
        "CONTROLLER_QUORUM_VOTERS=" + voters,
        "ADVERTISED_LISTENERS=PLAINTEXT://" + at(brokers, id) + ",CONTROLLER://" + at(controllers, id)));
    // Kafka writes its configuration at the start; in some builds of the image only root may do that.
    var options =
        Stream.concat(Stream.of("--user", "root"), settings.flatMap(each -> Stream.of("-e", "KAFKA_" + each)));
    containers.run(name(id), address(id), options.toList(), List.of("apache/kafka:4.4.0"));
  }

  private String at(Map<Integer, Proxy> proxies, int id) {
    return containers.host().getHostAddress() + ":" + proxies.get(id).port();
  }

  public String bootstrapServers() {
    return IDS.stream().map(id -> at(brokers, id)).collect(joining(","));
  }

  /** Returns the container of a broker. */
  public static String name(int id) {
    return "broker-" + id;
  }

  private InetAddress address(int id) {
    return containers.address(10 + id);
  }

  /** Sets the network between a client and one broker. */
  public void between(InetAddress client, int broker, NetworkConditions conditions) {
    brokers.get(broker).set(client, conditions);
  }

  /** Sets the network between two brokers, and between their controllers, whichever of them connects to the other. */
  public void between(int one, int other, NetworkConditions conditions) {
    Stream.of(brokers, controllers).forEach(proxies -> {
      proxies.get(other).set(address(one), conditions);
      proxies.get(one).set(address(other), conditions);
    });
  }

  /** Holds everything that one broker sends to another, also what it answers, and nothing in the other direction. */
  public void hold(int from, int to) {
    Stream.of(brokers, controllers).forEach(proxies -> {
      proxies.get(to).set(address(from), NetworkConditions.held(Set.of(Direction.REQUESTS)));
      proxies.get(from).set(address(to), NetworkConditions.held(Set.of(Direction.ANSWERS)));
    });
  }

  @Override
  public void close() {
    Stream.of(brokers, controllers).flatMap(proxies -> proxies.values().stream()).forEach(Proxy::close);
  }
}
