package io.tidemark.stream;

import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Sink;

/**
 * The topics that Kafka Streams creates for the application of one source: a changelog for each store, and the topic
 * through which the first processor sends records to the second.
 */
public final class InternalTopics {

  private static final String TOPIC_PREFIX = StreamsConfig.topicPrefix("");

  private InternalTopics() {}

  /**
   * Returns the internal topics of a source's application, with the settings that Kafka Streams would give them.
   *
   * @param client properties of Kafka clients, of which those with the prefix {@code topic.} are settings of topics
   */
  public static List<NewTopic> of(Topics topics, TopicLayout layout, Map<String, String> client) {
    var stores = new TreeSet<String>();
    var repartitions = new TreeSet<String>();
    var topology = TidemarkTopology.build(topics, new BuiltInRegistry(topics.all())).describe();
    topology.subtopologies().stream().flatMap(each -> each.nodes().stream()).forEach(node -> {
      if (node instanceof Processor processor) {
        stores.addAll(processor.stores());
      } else if (node instanceof Sink sink && sink.topic() != null) {
        repartitions.add(sink.topic());
      }
    });
    return Stream.concat(
        stores.stream().map(each -> topic(topics, layout, client, each + "-changelog", Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT))),
        repartitions.stream().map(each -> topic(topics, layout, client, each, Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE,
            TopicConfig.RETENTION_MS_CONFIG, "-1"))))
        .toList();
  }

  private static NewTopic topic(Topics topics, TopicLayout layout, Map<String, String> client, String name,
      Map<String, String> own) {
    var properties = new StreamSettings("unused:9092", Path.of("unused"), 1, Duration.ofSeconds(1), client)
        .properties(topics.prefix());
    var config = new TreeMap<String, String>();
    config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime");
    properties.forEach((key, value) -> {
      if (key.startsWith(TOPIC_PREFIX)) {
        config.put(key.substring(TOPIC_PREFIX.length()), String.valueOf(value));
      }
    });
    config.putAll(own);
    return new NewTopic(
        properties.get(StreamsConfig.APPLICATION_ID_CONFIG) + "-" + name, layout.partitions(), layout.replication())
        .configs(config);
  }
}
