package io.tidemark.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.event.Watch;
import io.tidemark.kafka.TopicSetup.TopicSetupFailure;
import io.tidemark.kafka.embedded.SharedBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicSetupTest {

  static final TopicLayout THREE = new TopicLayout(3, (short) 1);

  static Admin admin;

  final String prefix = SharedBroker.freshPrefix();

  @BeforeAll
  static void connect() {
    admin = Admin.create(Map.of("bootstrap.servers", SharedBroker.bootstrapServers()));
  }

  @AfterAll
  static void disconnect() {
    admin.close();
  }

  @Test
  void missingTopics_areCreated() throws Exception {
    var topics = new Topics(prefix, Retention.DEFAULT);

    new TopicSetup(admin, THREE).ensure(topics.all());

    var created = admin.describeTopics(topics.all().stream().<String>map(Topic::name).toList()).allTopicNames().get();
    assertThat(created.values()).hasSameSizeAs(topics.all()).allMatch(topic -> topic.partitions().size() == 3);
  }

  @Test
  void createdTopics_haveLeadersAtOnce() throws Exception {
    var topics = new Topics(prefix, Retention.DEFAULT);
    Map<String, Object> config = Map.of("bootstrap.servers", SharedBroker.bootstrapServers(),
        "enable.idempotence", false, "retries", 0); // what is refused once is an error

    new TopicSetup(admin, THREE).ensure(topics.all());

    try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      var sent = topics.all().stream()
          .flatMap(topic -> IntStream.range(0, 3).mapToObj(
              each -> producer.send(new ProducerRecord<>(topic.name(), each, new byte[] {'k'}, new byte[] {'v'}))))
          .toList();
      for (var each : sent) {
        assertThat(each.get().hasOffset()).isTrue();
      }
    }
  }

  @Test
  void topicOfOthers_mustHaveTheNumberOfPartitions_andOnlyThoseOfTheClusterMayHaveMore() {
    var topics = new Topics(prefix, Retention.DEFAULT);
    var setup = new TopicSetup(admin, THREE);
    setup.ensure(topics.all());
    var two = topics.all().stream().map(topic -> topic.toNewTopic(2, (short) 1)).toList();

    setup.verify(two, topics.all());
    assertThatThrownBy(() -> setup.verify(two, List.of())).isInstanceOf(TopicSetupFailure.class)
        .hasMessageContaining("topic " + prefix + "pool.changes has 3 partitions instead of 2");
  }

  @Test
  void createdTopic_keepsTheLedgersTimestamps() throws Exception {
    var topic = compact("watch");

    new TopicSetup(admin, THREE).ensure(List.of(topic));

    var config = config(topic);
    assertThat(config.get("cleanup.policy").value()).isEqualTo("compact");
    assertThat(config.get("message.timestamp.type").value()).isEqualTo("CreateTime");
    assertThat(config.get("max.message.bytes").value()).isEqualTo("8388608");
  }

  @Test
  void secondStart_changesNothing() {
    new TopicSetup(admin, THREE).ensure(List.of(compact("watch")));

    new TopicSetup(admin, THREE).ensure(List.of(compact("watch")));
  }

  /** Otherwise a partition of one source's topic keeps the roles of all sources from their start. */
  @Test
  void partitionsOfExistingTopics_needNoLeader() {
    try (var leaderless = new LeaderlessAdmin(SharedBroker.bootstrapServers(), partition -> true)) {
      new TopicSetup(admin, THREE).ensure(List.of(compact("watch")));

      new TopicSetup(leaderless, THREE).ensure(List.of(compact("watch")));
      new TopicSetup(leaderless, THREE).grow(compact("watch"), 3);

      assertThatThrownBy(() -> new TopicSetup(leaderless, THREE).ensure(List.of(compact("watch"), compact("new"))))
          .isInstanceOf(TopicSetupFailure.class)
          .hasMessageContaining("read the end offsets of topics [" + prefix + "new]");
    }
  }

  @Test
  void otherPartitionCount_isRejected_withTheWayOut() {
    new TopicSetup(admin, THREE).ensure(List.of(compact("watch")));

    assertThatThrownBy(() -> new TopicSetup(admin, TopicLayout.DEFAULT).ensure(List.of(compact("watch"))))
        .isInstanceOf(TopicSetupFailure.class)
        .hasMessage(
            "the topics, such as %swatch, have 3 partitions, but topics.partitions is 6. The count cannot change after "
                .formatted(prefix) + "creation: "
                + "set topics.partitions to 3, or choose another prefix for a fresh start");
  }

  /** Nothing that topics.partitions is set to would be right. */
  @ParameterizedTest
  @ValueSource(ints = {3, 5})
  void topicWithMorePartitionsThanOthers_isNamed_forAnySetting(int configured) throws Exception {
    var topics = List.of(compact("a"), compact("watch"), compact("z"));
    new TopicSetup(admin, THREE).ensure(topics);
    admin.createPartitions(Map.of(prefix + "watch", NewPartitions.increaseTo(5))).all().get();
    await().until(() -> new TopicSetup(admin, THREE).partitions(compact("watch")) == 5);

    assertThatThrownBy(() -> new TopicSetup(admin, new TopicLayout(configured, (short) 1)).ensure(topics))
        .isInstanceOf(TopicSetupFailure.class)
        .hasMessageStartingWith(
            "topic %swatch has 5 partitions, the other topics of the source have 3. Somebody changed this count, "
                .formatted(prefix))
        .hasMessageNotContaining("set topics.partitions to 5");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "2,2,2 | 2 | ",
    "2,2,2 | 5 | the topics, such as t0, have 2 partitions, but topics.partitions is 5",
    "5,2,2 | 2 | topic t0 has 5 partitions, the other topics of the source have 2",
    "2,2,5 | 5 | topic t2 has 5 partitions, the other topics of the source have 2",
    "2,5   | 2 | topic t1 has 5 partitions, the other topics of the source have 2",
    "2,5   | 5 | topic t0 has 2 partitions, the other topics of the source have 5",
    "7     | 6 | the topics, such as t0, have 7 partitions, but topics.partitions is 6"})
  void partitionProblem_namesWhatDiffersFromMost(String counts, int configured, String problem) {
    var byTopic = new TreeMap<String, Integer>();
    for (var count : counts.split(",")) {
      byTopic.put("t" + byTopic.size(), Integer.valueOf(count));
    }
    var problems = TopicSetup.partitionProblems(byTopic, configured);

    if (problem == null) {
      assertThat(problems).isEmpty();
    } else {
      assertThat(problems.getFirst()).startsWith(problem);
    }
  }

  @Test
  void otherCleanupPolicy_isRejected() {
    new TopicSetup(admin, THREE).ensure(List.of(compact("watch")));

    assertThatThrownBy(() -> new TopicSetup(admin, THREE).ensure(List.of(deleting("watch", Duration.ofDays(1)))))
        .isInstanceOf(TopicSetupFailure.class)
        .hasMessageContaining(prefix + "watch has cleanup.policy=compact")
        .hasMessageContaining("Set cleanup.policy=delete");
  }

  @Test
  void otherRetention_isSetToTheConfiguredOne() throws Exception {
    new TopicSetup(admin, THREE).ensure(List.of(deleting("watch", Duration.ofDays(1))));

    new TopicSetup(admin, THREE).ensure(List.of(deleting("watch", Duration.ofDays(2))));

    await()
        .untilAsserted(
            () -> assertThat(config(compact("watch")).get("retention.ms").value()).isEqualTo("172800000"));
  }

  @Test
  void tooFewBrokers_areNamed() {
    var wide = new TopicSetup(admin, new TopicLayout(1, (short) 3));

    assertThatThrownBy(() -> wide.ensure(List.of(compact("watch"))))
        .isInstanceOf(TopicSetupFailure.class)
        .hasMessageContaining("create topic " + prefix + "watch with 3 replicas");
  }

  private Topic<Watch> compact(String name) {
    return new Topic<>(prefix + name, Watch.class, CleanupPolicy.COMPACT, "", "", List.of());
  }

  private Topic<Watch> deleting(String name, Duration retention) {
    return new Topic<>(prefix + name, Watch.class, new CleanupPolicy(false, retention), "", "", List.of());
  }

  private static Config config(Topic<?> topic) throws Exception {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    return admin.describeConfigs(List.of(resource)).all().get().get(resource);
  }
}
