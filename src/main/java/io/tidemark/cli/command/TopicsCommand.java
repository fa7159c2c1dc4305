package io.tidemark.cli.command;

import io.tidemark.app.Application;
import io.tidemark.app.CommandFailure;
import io.tidemark.app.RequiredRight;
import io.tidemark.app.RequiredRight.KafkaUser;
import io.tidemark.app.Role;
import io.tidemark.cli.print.ProvisioningFormat;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicOffsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the topics and how many offsets their records span, or prints what has to exist in Kafka. */
@Command(
    name = "topics",
    mixinStandardHelpOptions = true,
    description = "Lists the topics, how many offsets their records span, and what each contains. With --format or"
        + " --acls, prints what has to exist in Kafka, for a cluster in which others create topics and users.")
public final class TopicsCommand extends CliCommand implements Runnable {

  /** Columns of a line, and indent of a topic's purpose. */
  private static final int COLUMNS = 80;
  private static final int INDENT = 12;

  @Mixin
  ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--format", paramLabel = "FORMAT",
      description = "Prints all topics that the configuration needs, with those of Kafka Streams, their partitions and"
          + " settings, as commands or resources: ${COMPLETION-CANDIDATES}. Connects to nothing.")
  @Nullable
  ProvisioningFormat format;

  @Option(names = "--acls",
      description = "Prints the least rights of each role, for the users tidemark-poll, tidemark-stream and"
          + " tidemark-web, and of a reader of the topics, tidemark-reader. Needs --format.")
  boolean acls;

  @Override
  public void run() {
    if (format != null) {
      print(format);
      return;
    }
    if (acls) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "--acls: add --format, such as --format shell");
    }
    cluster.cluster();
    try (var admin = cluster.admin()) {
      var topics = cluster.topics();
      var counts = counts(new TopicOffsets(admin), topics);
      out().printf("%10s  %s%n", "offsets", "topic, and what it contains");
      topics.forEach(topic -> print(topic, count(topic, counts)));
      out().println("The counts of offsets include transaction markers and, in compacted topics,");
      out().println("records that were removed.");
    } catch (KafkaException e) {
      throw new CommandFailure(CommandFailure.NOT_REACHABLE, "cannot read the topics from Kafka: " + e.getMessage());
    }
  }

  private void print(ProvisioningFormat as) {
    var settings = cluster.settings();
    if (settings == null) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE,
          "--format: name the configuration with --config; the topics depend on its sources and topics");
    }
    var servers = Objects.requireNonNullElse(settings.kafka().bootstrapServers(), "localhost:9092");
    if (acls) {
      for (var user : KafkaUser.values()) {
        var name = "tidemark-" + user.name().toLowerCase(Locale.ROOT);
        as.rights(name, RequiredRight.of(user, settings), servers).forEach(out()::println);
      }
    } else {
      Application.requiredTopics(settings, Set.of(Role.values())).stream()
          .flatMap(topic -> as.topic(topic, servers).stream())
          .forEach(out()::println);
    }
  }

  private void print(Topic<?> topic, String count) {
    out().printf("%10s  %s%n", count, topic.name());
    TerminalText.wrapped(topic.purpose(), COLUMNS - INDENT).forEach(line -> out().println(" ".repeat(INDENT) + line));
  }

  private static String count(Topic<?> topic, Map<String, Long> counts) {
    var count = counts.get(topic.name());
    return count == null ? "missing" : count.toString();
  }

  private static Map<String, Long> counts(TopicOffsets offsets, List<Topic<?>> topics) {
    var partitions = offsets.partitions(topics.stream().<String>map(Topic::name).toList());
    var begins = offsets.earliest(partitions);
    var counts = new HashMap<String, Long>();
    offsets.latest(partitions).forEach((partition, end) -> counts.merge(partition.topic(),
        end - Objects.requireNonNull(begins.get(partition)), Long::sum));
    return counts;
  }
}
