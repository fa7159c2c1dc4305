package io.tidemark.topic;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Makes the topics of a cluster what they ought to be, at start. */
public final class TopicSetup {

  /** What is made is seen a little later, and later still on another broker: 10 seconds are waited. */
  private static final int ATTEMPTS = 200;

  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Admin admin;
  private final TopicLayout layout;
  private final TopicConfigs configs;

  public TopicSetup(Admin admin, TopicLayout layout) {
    this.admin = admin;
    this.layout = layout;
    this.configs = new TopicConfigs(admin);
  }

  /**
   * Creates what is missing and brings retentions to what is configured. Blocks.
   *
   * @throws TopicSetupFailure if an existing one has another partition count or cleanup, or the cluster does not allow it
   */
  public void ensure(Collection<? extends Topic<?>> topics) {
    var missing = check(topics);
    for (int attempt = 0; !missing.isEmpty(); attempt++) {
      if (attempt == ATTEMPTS) {
        throw new TopicSetupFailure("these topics were made and are not to be seen: " + names(missing), null);
      }
      create(missing);
      pause();
      missing = check(missing);
    }
  }

  /**
   * Creates a topic whose partitions become more over time, or gives it more. Blocks until they are seen.
   *
   * @throws TopicSetupFailure if the cluster does not allow it, or the topic has another cleanup
   */
  public void grow(Topic<?> topic, int partitions) {
    var seen = partitions(topic);
    for (int attempt = 0; seen < partitions; attempt++) {
      if (attempt == ATTEMPTS) {
        throw new TopicSetupFailure(
            "%d partitions of %s were made and are not to be seen".formatted(partitions, topic.name()), null);
      }
      grow(topic, seen, partitions);
      pause();
      seen = partitions(topic);
    }
  }

  /** How many partitions a topic has; 0 where there is none of its name. */
  public int partitions(Topic<?> topic) {
    var described = admin.describeTopics(List.of(topic.name())).topicNameValues();
    var description = found(topic, requireNonNull(described.get(topic.name())));
    return description == null ? 0 : description.partitions().size();
  }

  /** That somebody else was faster does not matter: it is looked at again. */
  private void grow(Topic<?> topic, int from, int to) {
    var what = "give topic %s %d partitions".formatted(topic.name(), to);
    if (from == 0) {
      var wanted = new NewTopic(topic.name(), to, layout.replication()).configs(TopicConfigs.of(topic));
      AdminCalls.awaitUnless(admin.createTopics(List.of(wanted)).all(), TopicExistsException.class, what);
    } else {
      var more = admin.createPartitions(Map.of(topic.name(), NewPartitions.increaseTo(to)));
      AdminCalls.awaitUnless(more.all(), InvalidPartitionsException.class, what);
    }
  }

  /** Checks those that exist, all before anything is changed, and returns the others. */
  private List<Topic<?>> check(Collection<? extends Topic<?>> topics) {
    var described = admin.describeTopics(names(topics)).topicNameValues();
    var missing = new ArrayList<Topic<?>>();
    var existing = new ArrayList<Topic<?>>();
    var complaints = new ArrayList<String>();
    for (var topic : topics) {
      var description = found(topic, requireNonNull(described.get(topic.name())));
      if (description == null) {
        missing.add(topic);
      } else {
        existing.add(topic);
        complain(topic, description, complaints);
      }
    }
    refuse(complaints);
    configs.align(existing);
    return missing;
  }

  private static @Nullable TopicDescription found(Topic<?> topic, KafkaFuture<TopicDescription> description) {
    return AdminCalls.awaitUnless(description, UnknownTopicOrPartitionException.class,
        "describe topic " + topic.name());
  }

  private void complain(Topic<?> topic, TopicDescription description, List<String> complaints) {
    var partitions = description.partitions().size();
    if (partitions != layout.partitions()) {
      complaints.add(
          ("topic %s has %d partitions, not the %d of topics.partitions. The count is fixed for good at creation: set "
              + "topics.partitions to %d, or choose another prefix for a fresh start")
              .formatted(topic.name(), partitions, layout.partitions(), partitions));
    }
  }

  private static void refuse(List<String> complaints) {
    if (!complaints.isEmpty()) {
      throw new TopicSetupFailure(String.join("\n", complaints), null);
    }
  }

  /** That somebody else made one meanwhile does not matter: all are checked again. */
  private void create(List<Topic<?>> missing) {
    var created = admin.createTopics(missing.stream().map(this::wanted).toList()).values();
    for (var topic : missing) {
      var what = "create topic %s with %d replicas".formatted(topic.name(), layout.replication());
      AdminCalls.awaitUnless(requireNonNull(created.get(topic.name())), TopicExistsException.class, what);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TopicSetupFailure("interrupted while topics were made", e);
    }
  }

  private NewTopic wanted(Topic<?> topic) {
    return new NewTopic(topic.name(), layout.partitions(), layout.replication()).configs(TopicConfigs.of(topic));
  }

  private static List<String> names(Collection<? extends Topic<?>> topics) {
    return topics.stream().<String>map(Topic::name).toList();
  }
}
