package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.embedded.FaultyBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program starts while partitions have no leader. */
class StartWithoutLeadersIT {

  static final Duration TIMEOUT = Duration.ofMinutes(2);
  static final int NODE = 1;
  static final TopicPartition SCHEMAS = new TopicPartition(ClusterTopics.UNPREFIXED.schemas().name(), 0);

  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}", properties: { default.api.timeout.ms: 9000, request.timeout.ms: 3000 } }
      web: { port: 0 }
      management: { port: 0 }
      topics: { partitions: 2 }
      sources:
        - { base-url: "http://127.0.0.1:1", watch: { global: {} } }
        - { name: other, prefix: other., base-url: "http://127.0.0.1:1", watch: { global: {} } }
      """;

  @TempDir
  Path folder;

  FaultyBroker broker;

  @BeforeEach
  void open() throws Exception {
    broker = new FaultyBroker(folder);
  }

  @AfterEach
  void close() {
    broker.close();
  }

  @Test
  void partitionsWithoutLeader_keepNoRoleFromItsStart() throws Exception {
    try (var running = new RunningComponents()) {
      start(running);
    }
    try (var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      keepSchemas(admin);
      var lost = onTheDisk(admin);
      assertThat(lost).extracting(TopicPartition::topic).as("topics of states, and derived ones")
          .anyMatch(topic -> topic.endsWith(".state")).anyMatch(topic -> topic.contains("candles"));
      broker.breakDisk();
      await().atMost(TIMEOUT).until(() -> areLeaderless(admin, lost));
    }

    try (var running = new RunningComponents()) {
      assertThat(start(running).webPort()).isPositive();
    }
  }

  private Application start(RunningComponents running) {
    var environment = Map.of("KAFKA", broker.bootstrapServers());
    var application =
        new Application(Settings.parse("test.yaml", CONFIG, environment::get), folder.resolve("streams"), running);
    application.start(EnumSet.of(Role.WEB));
    return application;
  }

  /** Each start reads the topic of schemas. */
  private void keepSchemas(Admin admin) throws Exception {
    var other = broker.disk().resolveSibling("first").toString();
    admin.alterReplicaLogDirs(Map.of(new TopicPartitionReplica(SCHEMAS.topic(), 0, NODE), other)).all().get();
    await().atMost(TIMEOUT).until(() -> !onTheDisk(admin).contains(SCHEMAS));
  }

  private Set<TopicPartition> onTheDisk(Admin admin) throws Exception {
    return admin.describeLogDirs(Set.of(NODE)).allDescriptions().get().get(NODE).get(broker.disk().toString())
        .replicaInfos().keySet();
  }

  private static boolean areLeaderless(Admin admin, Set<TopicPartition> partitions) throws Exception {
    var topics = admin.describeTopics(partitions.stream().map(TopicPartition::topic).toList()).allTopicNames().get();
    return partitions.stream()
        .allMatch(each -> topics.get(each.topic()).partitions().get(each.partition()).leader() == null);
  }
}
