package io.tidemark.app;

import io.tidemark.app.config.Settings;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Operations on resources of Kafka that a user of a role must be allowed. Kafka implies Describe by Read, Write, Delete
 * and Alter.
 */
public record RequiredRight(ResourcePattern resource, List<AclOperation> operations) {

  /** A user that needs rights: a role of the program, or a person or program that reads the topics. */
  public enum KafkaUser {
    POLL,
    STREAM,
    WEB,
    READER
  }

  /**
   * Returns the least rights of a user. With {@code topics.create}, these include, except for {@link KafkaUser#READER},
   * the rights to create topics and to change the settings of topics of sources.
   */
  public static List<RequiredRight> of(KafkaUser user, Settings settings) {
    var sources = settings.sources().stream().map(source -> Application.topics(settings, source)).toList();
    var rights = new ArrayList<RequiredRight>();
    sources.forEach(topics -> rights.addAll(ofSource(user, topics)));
    rights.addAll(ofCluster(user, settings.topics().ofCluster()));
    if (settings.topics().create() && user != KafkaUser.READER) {
      sources.forEach(topics -> rights.add(
          allow(prefixed(ResourceType.TOPIC, topics.prefix()), AclOperation.CREATE, AclOperation.ALTER_CONFIGS)));
      var ofCluster = settings.topics().ofCluster();
      rights.add(allow(literal(ResourceType.TOPIC, ofCluster.schemas().name()), AclOperation.CREATE));
      if (user == KafkaUser.POLL) {
        rights.add(allow(literal(ResourceType.TOPIC, ofCluster.sources().name()), AclOperation.CREATE,
            AclOperation.ALTER));
      }
    }
    return rights;
  }

  private static List<RequiredRight> ofSource(KafkaUser user, Topics topics) {
    var all = prefixed(ResourceType.TOPIC, topics.prefix());
    var internal = prefixed(ResourceType.TOPIC, topics.prefix() + "stream-");
    var groups = prefixed(ResourceType.GROUP, topics.prefix());
    var transactions = prefixed(ResourceType.TRANSACTIONAL_ID, topics.prefix());
    return switch (user) {
      case POLL -> List.of(
          allow(all, AclOperation.READ, AclOperation.WRITE, AclOperation.DESCRIBE_CONFIGS),
          allow(transactions, AclOperation.WRITE));
      case STREAM -> List.of(
          allow(all, AclOperation.READ, AclOperation.WRITE, AclOperation.DESCRIBE_CONFIGS),
          allow(internal, AclOperation.DELETE),
          allow(groups, AclOperation.READ),
          allow(transactions, AclOperation.WRITE));
      case WEB -> List.of(
          allow(all, AclOperation.READ, AclOperation.DESCRIBE_CONFIGS),
          allow(literal(ResourceType.TOPIC, topics.watch().name()), AclOperation.WRITE));
      case READER -> List.of(allow(all, AclOperation.READ));
    };
  }

  private static List<RequiredRight> ofCluster(KafkaUser user, ClusterTopics topics) {
    var schemas = literal(ResourceType.TOPIC, topics.schemas().name());
    var sources = topics.sources().name();
    return switch (user) {
      case POLL -> List.of(
          allow(literal(ResourceType.TOPIC, sources), AclOperation.READ, AclOperation.WRITE,
              AclOperation.DESCRIBE_CONFIGS),
          allow(literal(ResourceType.GROUP, sources), AclOperation.READ),
          allow(schemas, AclOperation.READ, AclOperation.WRITE, AclOperation.DESCRIBE_CONFIGS));
      case STREAM, WEB -> List.of(
          allow(schemas, AclOperation.READ, AclOperation.WRITE, AclOperation.DESCRIBE_CONFIGS));
      case READER -> List.of(allow(schemas, AclOperation.READ));
    };
  }

  private static RequiredRight allow(ResourcePattern resource, AclOperation... operations) {
    return new RequiredRight(resource, Stream.of(operations).toList());
  }

  private static ResourcePattern prefixed(ResourceType type, String name) {
    return new ResourcePattern(type, name, PatternType.PREFIXED);
  }

  private static ResourcePattern literal(ResourceType type, String name) {
    return new ResourcePattern(type, name, PatternType.LITERAL);
  }
}
