package io.tidemark.kafka;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The setup of a cluster's topics at start, which creates missing topics and brings the configuration of existing
 * ones up to date, or only verifies topics that somebody else creates. Blocks.
 */
public record TopicSetup(Admin admin, TopicLayout layout) {

  private static final Logger LOG = LoggerFactory.getLogger(TopicSetup.class);

  /**
   * Maximum number of checks whether a created topic is visible. The pauses before them take 10 seconds in all. A
   * topic becomes visible some time after its creation, at different times on different brokers.
   */
  private static final int ATTEMPTS = 200;

  private static final Duration PAUSE = Duration.ofMillis(50);

  /** Maximum time to wait for the leaders of topics that another instance may have created a moment ago. */
  private static final int LEADER_TIMEOUT_MS = 5_000;

  /**
   * Creates missing topics and updates the configuration of existing topics. The topics that it created are writable
   * when this method returns. For partitions of the other topics without a leader, it waits for five seconds at most.
   *
   * @throws TopicSetupFailure if an existing topic has another partition count or cleanup policy than configured, if
   *     a request fails, or if a created topic does not become visible
   */
  public void ensure(Collection<? extends Topic<?>> topics) {
    var created = check(topics);
    var missing = created;
    for (int attempt = 0; !missing.isEmpty(); attempt++) {
      if (attempt == ATTEMPTS) {
        throw new TopicSetupFailure(
            "topics were created but are not visible on the brokers after 10 s: " + names(missing), null);
      }
      create(missing);
      AdminCalls.sleep(PAUSE);
      missing = check(missing);
    }
    awaitLeaders(created, layout.partitions());
    var existing = new ArrayList<Topic<?>>(topics);
    existing.removeAll(created);
    awaitLeadersBriefly(existing, layout.partitions());
  }

  /**
   * Checks topics that somebody else creates. Only the partition counts and the cleanup policies are checked.
   *
   * @param mayHaveMorePartitions topics that may have more partitions than {@code topics} says
   * @throws TopicSetupFailure if a topic is missing, or has another number of partitions or another cleanup policy than
   *     required, or if a request fails
   */
  public void verify(Collection<NewTopic> topics, Collection<Topic<?>> mayHaveMorePartitions) {
    var counts = partitions(topics.stream().map(NewTopic::name).toList());
    var growing = mayHaveMorePartitions.stream().map(Topic::name).toList();
    var problems = new ArrayList<String>();
    for (var topic : topics) {
      var count = counts.getOrDefault(topic.name(), 0);
      if (count == 0) {
        problems.add("topic " + topic.name() + " is missing");
      } else if (count < topic.numPartitions() || (count > topic.numPartitions() && !growing.contains(topic.name()))) {
        problems.add("topic %s has %d partitions instead of %d%s".formatted(topic.name(), count, topic.numPartitions(),
            count < topic.numPartitions() ? ""
                : "; if all topics have " + count + ", set topics.partitions to " + count));
      }
    }
    refuse(problems);
    var configs = admin.describeConfigs(topics.stream().map(each -> resource(each.name())).toList()).values();
    for (var topic : topics) {
      var policy = config(topic.name(), configs).get(Topic.CLEANUP_POLICY).value();
      var required = topic.configs().get(Topic.CLEANUP_POLICY);
      if (!policy.equals(required)) {
        problems.add("topic %s has cleanup.policy=%s instead of %s".formatted(topic.name(), policy, required));
      }
    }
    refuse(problems);
  }

  private static void refuse(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new TopicSetupFailure(String.join("\n", problems)
          + "\nThe program may not create or change topics, because topics.create is false. 'tidemark topics --format"
          + " shell' prints what has to exist", null);
    }
  }

  /**
   * Creates a topic with the given partition count. If the topic exists with fewer partitions, adds the missing
   * partitions. The configuration of an existing topic is neither checked nor changed.
   *
   * @throws TopicSetupFailure if a request fails, or if the partitions do not become visible
   */
  public void grow(Topic<?> topic, int partitions) {
    var visible = partitions(topic);
    if (visible >= partitions) {
      awaitLeadersBriefly(List.of(topic), partitions);
      return;
    }
    for (int attempt = 0; visible < partitions; attempt++) {
      if (attempt == ATTEMPTS) {
        throw new TopicSetupFailure(
            "%d partitions of topic %s were created but are not visible after 10 s".formatted(partitions, topic.name()),
            null);
      }
      grow(topic, visible, partitions);
      AdminCalls.sleep(PAUSE);
      visible = partitions(topic);
    }
    awaitLeaders(List.of(topic), partitions);
  }

  /**
   * Waits until every partition of new topics has a leader. A partition may get its leader some time after the topic
   * has become visible. A producer that does not wait can lose records: the broker refuses the producer's first batch,
   * accepts the second batch as the first, and then refuses the first batch until it expires (KAFKA-15591).
   */
  private void awaitLeaders(Collection<? extends Topic<?>> topics, int partitions) {
    await(admin.listOffsets(ends(topics, partitions)).all(), "read the end offsets of topics " + names(topics));
  }

  /** Waits as {@link #awaitLeaders} does, but not for long: a broken disk must not prevent a start. */
  private void awaitLeadersBriefly(Collection<? extends Topic<?>> topics, int partitions) {
    var ends = ends(topics, partitions);
    var answers = admin.listOffsets(ends, new ListOffsetsOptions().timeoutMs(LEADER_TIMEOUT_MS));
    ends.keySet().forEach(each -> awaitUnless(
        RetriableException.class, answers.partitionResult(each), "read the end offset of partition " + each));
  }

  /** Returns what asks for the end of each partition, which only its leader answers. */
  private static Map<TopicPartition, OffsetSpec> ends(Collection<? extends Topic<?>> topics, int partitions) {
    var ends = new HashMap<TopicPartition, OffsetSpec>();
    topics.forEach(topic -> IntStream.range(0, partitions)
        .forEach(each -> ends.put(new TopicPartition(topic.name(), each), OffsetSpec.latest())));
    return ends;
  }

  /** Returns the number of partitions of a topic, or 0 if the topic does not exist. */
  public int partitions(Topic<?> topic) {
    return partitions(List.of(topic.name())).getOrDefault(topic.name(), 0);
  }

  /** Returns the number of partitions of each given topic that exists, by topic name. */
  private SortedMap<String, Integer> partitions(Collection<String> topics) {
    var counts = new TreeMap<String, Integer>();
    admin.describeTopics(topics).topicNameValues().forEach((topic, described) -> {
      var description = awaitUnless(UnknownTopicOrPartitionException.class, described, "describe topic " + topic);
      if (description != null) {
        counts.put(topic, description.partitions().size());
      }
    });
    return counts;
  }

  /** Another instance may do the same first, so the caller reads the partition count again. */
  private void grow(Topic<?> topic, int from, int to) {
    var action = "give topic %s %d partitions".formatted(topic.name(), to);
    if (from == 0) {
      awaitUnless(TopicExistsException.class,
          admin.createTopics(List.of(topic.toNewTopic(to, layout.replication()))).all(), action);
    } else {
      var more = admin.createPartitions(Map.of(topic.name(), NewPartitions.increaseTo(to)));
      awaitUnless(InvalidPartitionsException.class, more.all(), action);
    }
  }

  /** Checks all existing topics, and then updates their configuration if it differs. Returns the missing topics. */
  private List<Topic<?>> check(Collection<? extends Topic<?>> topics) {
    var counts = partitions(names(topics));
    var problems = partitionProblems(counts, layout.partitions());
    if (!problems.isEmpty()) {
      throw new TopicSetupFailure(String.join("\n", problems), null);
    }
    configure(topics.stream().filter(topic -> counts.containsKey(topic.name())).toList());
    var missing = new ArrayList<Topic<?>>(topics);
    missing.removeIf(topic -> counts.containsKey(topic.name()));
    return missing;
  }

  /**
   * Returns the problems with the partition counts of topics that must all have the same partition count. A problem
   * is a topic whose count differs from the most frequent count, or a configured count that differs from the most
   * frequent count. If several counts are equally frequent, the configured count is preferred.
   *
   * @param counts partition counts by topic
   * @param configured partition count of new topics
   */
  public static List<String> partitionProblems(SortedMap<String, Integer> counts, int configured) {
    var votes = new TreeMap<Integer, Integer>();
    counts.values().forEach(count -> votes.merge(count, 1, Integer::sum));
    int most = votes.entrySet().stream()
        .max(Comparator.<Map.Entry<Integer, Integer>>comparingInt(Map.Entry::getValue)
            .thenComparing(each -> each.getKey() == configured))
        .map(Map.Entry::getKey)
        .orElse(configured);
    var problems = new ArrayList<String>();
    counts.forEach((topic, count) -> {
      if (count != most) {
        problems.add(
            ("topic %s has %d partitions, the other topics of the source have %d. Somebody changed this count, so new "
                + "records of a key are in another partition than older ones. Kafka cannot remove partitions: delete "
                + "this topic if you can lose its records, or choose another prefix for a fresh start")
                .formatted(topic, count, most));
      }
    });
    if (most != configured) {
      problems.add(
          ("the topics, such as %s, have %d partitions, but topics.partitions is %d. The count cannot change after "
              + "creation: set topics.partitions to %d, or choose another prefix for a fresh start")
              .formatted(counts.firstKey(), most, configured, most));
    }
    return problems;
  }

  /** Another instance may create some of these topics at the same time, so the caller checks all of them again. */
  private void create(List<Topic<?>> missing) {
    var created = admin.createTopics(
        missing.stream().map(topic -> topic.toNewTopic(layout.partitions(), layout.replication())).toList());
    for (var topic : missing) {
      awaitUnless(TopicExistsException.class, requireNonNull(created.values().get(topic.name())),
          "create topic %s with %d replicas".formatted(topic.name(), layout.replication()));
    }
  }

  private void configure(List<? extends Topic<?>> existing) {
    var described = admin.describeConfigs(existing.stream().map(each -> resource(each.name())).toList()).values();
    var changes = new HashMap<ConfigResource, Collection<AlterConfigOp>>();
    for (var topic : existing) {
      var missing = missing(topic, config(topic.name(), described));
      if (!missing.isEmpty()) {
        LOG.info("topic {}: changing the settings {}", topic.name(), missing);
        changes.put(resource(topic.name()), missing.entrySet().stream().map(TopicSetup::set).toList());
      }
    }
    await(admin.incrementalAlterConfigs(changes).all(), "change the configuration of topics " + changes.keySet());
  }

  /**
   * Returns the settings whose values in an existing topic are not acceptable, with the values that they should have.
   * Fails if the cleanup policy differs, which is not changed.
   */
  private static Map<String, String> missing(Topic<?> topic, Config config) {
    checkCleanup(topic, config.get(Topic.CLEANUP_POLICY).value());
    var missing = topic.config();
    missing.entrySet().removeIf(wanted -> topic.accepts(wanted.getKey(), config.get(wanted.getKey()).value()));
    return missing;
  }

  private static void checkCleanup(Topic<?> topic, String actual) {
    var wanted = topic.cleanup().config().get(Topic.CLEANUP_POLICY);
    if (!actual.equals(wanted)) {
      throw new TopicSetupFailure(
          ("topic %s has cleanup.policy=%s, which deletes or keeps the wrong records. Set cleanup.policy=%s if the "
              + "topic is Tidemark's, otherwise choose another prefix")
              .formatted(topic.name(), actual, wanted),
          null);
    }
  }

  private static AlterConfigOp set(Map.Entry<String, String> config) {
    return new AlterConfigOp(new ConfigEntry(config.getKey(), config.getValue()), AlterConfigOp.OpType.SET);
  }

  private static Config config(String topic, Map<ConfigResource, KafkaFuture<Config>> described) {
    return await(requireNonNull(described.get(resource(topic))), "read the configuration of topic " + topic);
  }

  private static ConfigResource resource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  private static List<String> names(Collection<? extends Topic<?>> topics) {
    return topics.stream().<String>map(Topic::name).toList();
  }

  private static <T> T await(KafkaFuture<T> answer, String action) {
    try {
      return AdminCalls.await(answer);
    } catch (KafkaException e) {
      throw failure(action, e);
    }
  }

  private static <T> @Nullable T awaitUnless(
      Class<? extends KafkaException> expected, KafkaFuture<T> answer, String action) {
    try {
      return AdminCalls.awaitUnless(expected, answer);
    } catch (KafkaException e) {
      throw failure(action, e);
    }
  }

  private static TopicSetupFailure failure(String action, KafkaException cause) {
    var hint = switch (cause) {
      case AuthorizationException denied ->
          "; allow this user to create, describe and configure topics with the prefix, or create the topics beforehand";
      case TimeoutException late -> "; check that kafka.bootstrap-servers is right and that the cluster is up";
      default -> "";
    };
    return new TopicSetupFailure("cannot %s: %s%s".formatted(action, cause.getMessage(), hint), cause);
  }

  public static final class TopicSetupFailure extends RuntimeException {
    TopicSetupFailure(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
