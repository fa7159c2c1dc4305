package io.tidemark.cli.command;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.topic.Topic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificData;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "topics",
    mixinStandardHelpOptions = true,
    description = "Lists the topics, how many records each spans, and what each is.")
public final class TopicsCommand implements Runnable {

  @Mixin
  ClusterOptions place = new ClusterOptions();

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    try (var admin = place.cluster().admin()) {
      var counts = counts(admin, place.topics());
      place.topics().forEach(topic -> out.printf("%-42s %10s  %s%n", topic.name(), count(topic, counts), what(topic)));
      out.println("Counts are the offsets that committed records span; marks of transactions are among them.");
    } catch (Exception e) {
      throw e instanceof RuntimeException known ? known
          : new CommandFailure(CommandFailure.NOT_REACHABLE, "Kafka: " + e.getMessage());
    }
  }

  private static String count(Topic<?> topic, Map<String, Long> counts) {
    var count = counts.get(topic.name());
    return count == null ? "missing" : count.toString();
  }

  /** The first sentence that the schema says of its records. */
  private static String what(Topic<?> topic) {
    var doc = SpecificData.get().getSchema(topic.value()).getDoc();
    return doc == null ? "" : doc.strip().replaceAll("\\s+", " ").split("[.:](\\s|$)", 2)[0];
  }

  private static Map<String, Long> counts(Admin admin, List<Topic<?>> topics) throws Exception {
    var existing = admin.listTopics().names().get();
    var names = topics.stream().map(Topic::name).filter(existing::contains).toList();
    var partitions = admin.describeTopics(names).allTopicNames().get().values().stream()
        .flatMap(topic -> topic.partitions().stream().map(part -> new TopicPartition(topic.name(), part.partition())))
        .toList();
    var begins = offsets(admin, partitions, OffsetSpec.earliest());
    var ends = offsets(admin, partitions, OffsetSpec.latest());
    var counts = new HashMap<String, Long>();
    ends.forEach((part, end) -> counts.merge(part.topic(),
        end.offset() - Objects.requireNonNull(begins.get(part)).offset(), Long::sum));
    return counts;
  }

  private static Map<TopicPartition, ListOffsetsResultInfo> offsets(
      Admin admin, List<TopicPartition> partitions, OffsetSpec which) throws Exception {
    var asked = partitions.stream().collect(Collectors.toMap(part -> part, part -> which));
    return admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)).all().get();
  }
}
