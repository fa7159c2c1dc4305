package io.tidemark.cli.print;

import io.tidemark.app.RequiredRight;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/** A format in which platforms describe topics and rights: commands of Kafka, resources of Strimzi, or Terraform. */
public enum ProvisioningFormat {
  SHELL {
    @Override
    public List<String> topic(NewTopic topic, String servers) {
      var config =
          topic.configs().entrySet().stream().map(each -> " --config " + each.getKey() + "=" + each.getValue());
      return List.of(("kafka-topics.sh --bootstrap-server %s --create --if-not-exists --topic %s --partitions %d"
          + " --replication-factor %d%s")
          .formatted(servers, topic.name(), topic.numPartitions(), topic.replicationFactor(),
              config.collect(Collectors.joining())));
    }

    @Override
    public List<String> rights(String user, List<RequiredRight> rights, String servers) {
      return rights.stream()
          .map(right -> "kafka-acls.sh --bootstrap-server %s --add --allow-principal User:%s --%s %s%s%s".formatted(
              servers, user, right.resource().resourceType().name().toLowerCase(Locale.ROOT).replace('_', '-'),
              right.resource().name(),
              isPrefixed(right) ? " --resource-pattern-type prefixed" : "",
              names(right).stream().map(each -> " --operation " + each).collect(Collectors.joining())))
          .toList();
    }
  },
  STRIMZI {
    @Override
    public List<String> topic(NewTopic topic, String servers) {
      return Stream.concat(
          resource("KafkaTopic", topic.name()),
          Stream.concat(
              Stream.of("spec:", "  topicName: " + topic.name(), "  partitions: " + topic.numPartitions(),
                  "  replicas: " + topic.replicationFactor(), "  config:"),
              topic.configs().entrySet().stream().map(each -> "    " + each.getKey() + ": " + quoted(each.getValue()))))
          .toList();
    }

    @Override
    public List<String> rights(String user, List<RequiredRight> rights, String servers) {
      var lines = new ArrayList<>(resource("KafkaUser", user).toList());
      lines.addAll(List.of("spec:", "  authorization:", "    type: simple", "    acls:"));
      rights.forEach(right -> {
        lines.add("      - resource: { type: %s, name: %s, patternType: %s }".formatted(
            right.resource().resourceType() == ResourceType.TRANSACTIONAL_ID
                ? "transactionalId"
                : right.resource().resourceType().name().toLowerCase(Locale.ROOT),
            quoted(right.resource().name()), isPrefixed(right) ? "prefix" : "literal"));
        lines.add("        operations: " + names(right));
      });
      return lines;
    }

    private static Stream<String> resource(String kind, String name) {
      return Stream.of("---", "apiVersion: kafka.strimzi.io/v1", "kind: " + kind, "metadata:",
          "  name: " + name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-"),
          "  labels: { strimzi.io/cluster: kafka }");
    }
  },
  TERRAFORM {
    @Override
    public List<String> topic(NewTopic topic, String servers) {
      var lines = new ArrayList<String>();
      lines.add("resource \"kafka_topic\" \"%s\" {".formatted(identifier(topic.name())));
      lines.add("  name               = " + quoted(topic.name()));
      lines.add("  partitions         = " + topic.numPartitions());
      lines.add("  replication_factor = " + topic.replicationFactor());
      lines.add("  config = {");
      topic.configs().forEach((key, value) -> lines.add("    %s = %s".formatted(quoted(key), quoted(value))));
      lines.addAll(List.of("  }", "}"));
      return lines;
    }

    @Override
    public List<String> rights(String user, List<RequiredRight> rights, String servers) {
      return rights.stream()
          .flatMap(right -> names(right).stream().flatMap(operation -> right(user, right, operation)))
          .toList();
    }

    private static Stream<String> right(String user, RequiredRight right, String operation) {
      var type = right.resource().resourceType();
      var attributes = Map.of(
          "resource_name", right.resource().name(),
          "resource_type",
          type == ResourceType.TRANSACTIONAL_ID ? "TransactionalID" : type == ResourceType.TOPIC ? "Topic" : "Group",
          "resource_pattern_type_filter", isPrefixed(right) ? "Prefixed" : "Literal",
          "acl_principal", "User:" + user,
          "acl_host", "*",
          "acl_operation", operation,
          "acl_permission_type", "Allow");
      return Stream.of(
          Stream.of("resource \"kafka_acl\" \"%s\" {".formatted(
              identifier(String.join("_", user, type.name(), right.resource().name(), operation)))),
          attributes.entrySet().stream().sorted(Map.Entry.comparingByKey())
              .map(each -> "  %-28s = %s".formatted(each.getKey(), quoted(each.getValue()))),
          Stream.of("}")).flatMap(each -> each);
    }

    private static String identifier(String name) {
      return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_").replaceAll("_$", "");
    }
  };

  /**
   * Returns the lines that create a topic.
   *
   * @param servers addresses of the cluster, for commands
   */
  public abstract List<String> topic(NewTopic topic, String servers);

  /** Returns the lines that give a user rights. */
  public abstract List<String> rights(String user, List<RequiredRight> rights, String servers);

  private static boolean isPrefixed(RequiredRight right) {
    return right.resource().patternType() == PatternType.PREFIXED;
  }

  /** Returns the operations as Kafka's tools name them. */
  private static List<String> names(RequiredRight right) {
    return right.operations().stream().map(AclOperation::name)
        .map(name -> Stream.of(name.split("_")).map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
            .collect(Collectors.joining()))
        .toList();
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  /** Returns the name of this format on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
