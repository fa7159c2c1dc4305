package io.tidemark.cli.command;

import io.tidemark.app.CommandFailure;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicOffsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the topics and their sizes. */
@Command(
    name = "topics",
    mixinStandardHelpOptions = true,
    description = "Lists the topics, how many offsets their records span, and what each contains.")
public final class TopicsCommand extends CliCommand implements Runnable {

  /** Columns of a line, and indent of a topic's purpose. */
  private static final int COLUMNS = 80;
  private static final int INDENT = 12;

  @Mixin
  ClusterOptions cluster = new ClusterOptions();

  @Override
  public void run() {
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
