package io.tidemark.stream;

import io.tidemark.event.Alert;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.TopicLayout;
import io.tidemark.topic.TopicSetup;
import io.tidemark.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;
import org.jspecify.annotations.Nullable;

/**
 * The production topology over what is recorded, beside the live one: an application of its own, with results of its
 * own, all of which is taken away when it is closed. It reads and never writes the source's topics.
 */
public final class Backtest implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Topics topics;
  private final Topics results;
  private final SchemaRegistry registry;
  private final StreamSettings settings;
  private final Admin admin;
  private final RecordedOffsets offsets;
  private final StreamFailurePolicy failures = new StreamFailurePolicy(InstantSource.system());
  private @Nullable KafkaStreams streams;

  /** Hears how far a trial is. */
  public interface BacktestProgress {
    void at(long done, long total);
  }

  /**
   * @param name tells it from other trials; part of the names of its topics
   * @param settings with a state directory of its own
   */
  public Backtest(String name, Topics topics, SchemaRegistry registry, StreamSettings settings) {
    this.topics = topics;
    this.results = new Topics(topics.prefix() + "trial-" + name + ".", RecordedOffsets.UNLIMITED);
    this.registry = registry;
    this.settings = settings;
    var client = new HashMap<String, Object>(settings.client());
    client.put("bootstrap.servers", settings.bootstrapServers());
    this.admin = Admin.create(client);
    this.offsets = new RecordedOffsets(client);
  }

  /**
   * The alerts that live gave between two times, or would have given with other rules, in the order of event times.
   * Blocks until all is read.
   *
   * @param rules the text of other rules; null: those that were in force
   * @param progress hears how many records of how many are done
   */
  public List<Alert> alerts(Instant from, Instant to, @Nullable String rules, BacktestProgress progress) {
    var read = TidemarkTopology.inputs(topics);
    var parts = offsets.partitions(read);
    var begin = offsets.offsetsAt(parts, offsets.keyFramesFrom(from, topics.retention().changes()));
    var end = offsets.endsBefore(begin, to);
    createResultTopics();
    begin(begin);
    start(rules);
    await(begin, end, progress);
    drainRepartitionTopics(repartitionTopics(), progress);
    close(streams);
    awaitTransactionMarkers(offsets.partitions(List.of(results.alerts())));
    return offsets.alerts(results.alerts(), registry, from, to);
  }

  private void createResultTopics() {
    var written = results.ruleSchemas().keySet().stream()
        .filter(
            name -> TidemarkTopology.inputs(topics).stream().noneMatch(topic -> topics.shortName(topic).equals(name)))
        .<Topic<?>>map(results::byShortName);
    new TopicSetup(admin, layout())
        .ensure(Stream.concat(written, Stream.of(results.alerts(), results.alertsState())).toList());
  }

  /** That of the source. */
  private TopicLayout layout() {
    var name = topics.alerts().name();
    var described = RecordedOffsets.await(admin.describeTopics(List.of(name)).allTopicNames());
    var parts = Objects.requireNonNull(described.get(name)).partitions();
    return new TopicLayout(parts.size(), (short) parts.getFirst().replicas().size());
  }

  private void begin(Map<TopicPartition, Long> offsets) {
    var committed = new HashMap<TopicPartition, OffsetAndMetadata>();
    offsets.forEach((part, offset) -> committed.put(part, new OffsetAndMetadata(offset)));
    RecordedOffsets.await(admin.alterConsumerGroupOffsets(application(), committed).all());
  }

  private void start(@Nullable String rules) {
    var topology = TidemarkTopology.build(topics, results, registry, rules);
    var properties = settings.properties(results.prefix());
    properties.put(
        StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, LogAndContinueExceptionHandler.class);
    streams = new KafkaStreams(topology, new StreamsConfig(properties));
    streams.setUncaughtExceptionHandler(failures);
    streams.start();
  }

  private void await(Map<TopicPartition, Long> begin, Map<TopicPartition, Long> end, BacktestProgress progress) {
    var all = length(begin, end);
    for (var left = end; !left.isEmpty(); left = remaining(end)) {
      var fatal = failures.fatal();
      if (fatal != null) {
        throw new IllegalStateException("the trial stopped: " + fatal.getMessage(), fatal);
      }
      progress.at(all - length(committed(), left), all);
      RecordedOffsets.sleep(PAUSE);
    }
  }

  /**
   * Waits until what is between the parts of the topology is read. What is read of one such topic is written to the
   * next, so that it takes as many rounds as there are topics at most, however much more is recorded meanwhile.
   */
  private void drainRepartitionTopics(List<TopicPartition> parts, BacktestProgress progress) {
    for (var round = 0; round <= parts.size(); round++) {
      awaitTransactionMarkers(parts);
      var unread = offsets.last(read(parts));
      if (unread.isEmpty()) {
        return;
      }
      await(Map.of(), unread, progress);
    }
  }

  /** Up to where it has read. What is read is deleted by and by between the parts of a topology: no time finds it. */
  private Map<TopicPartition, Long> read(List<TopicPartition> parts) {
    var committed = committed();
    return parts.stream().collect(Collectors.toMap(part -> part, part -> committed.getOrDefault(part, 0L)));
  }

  /** Waits until all that is written is committed: marks of transactions reach their partitions one by one. */
  private void awaitTransactionMarkers(List<TopicPartition> parts) {
    var written = ends(parts, IsolationLevel.READ_UNCOMMITTED);
    while (ends(parts, IsolationLevel.READ_COMMITTED).entrySet().stream()
        .anyMatch(end -> end.getValue() < written.getOrDefault(end.getKey(), 0L))) {
      RecordedOffsets.sleep(PAUSE);
    }
  }

  private Map<TopicPartition, Long> ends(List<TopicPartition> parts, IsolationLevel level) {
    var asked = parts.stream().collect(Collectors.toMap(part -> part, part -> OffsetSpec.latest()));
    var found = RecordedOffsets.await(admin.listOffsets(asked, new ListOffsetsOptions(level)).all());
    return found.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().offset()));
  }

  private Map<TopicPartition, Long> remaining(Map<TopicPartition, Long> end) {
    var committed = committed();
    var left = new HashMap<>(end);
    left.entrySet().removeIf(each -> committed.getOrDefault(each.getKey(), 0L) >= each.getValue());
    return left;
  }

  private static long length(Map<TopicPartition, Long> begin, Map<TopicPartition, Long> end) {
    return end.entrySet().stream()
        .mapToLong(each -> Math.max(0, each.getValue() - begin.getOrDefault(each.getKey(), 0L)))
        .sum();
  }

  private Map<TopicPartition, Long> committed() {
    var committed = new HashMap<TopicPartition, Long>();
    RecordedOffsets.await(admin.listConsumerGroupOffsets(application()).partitionsToOffsetAndMetadata())
        .forEach((part, offset) -> {
          if (offset != null) {
            committed.put(part, offset.offset());
          }
        });
    return committed;
  }

  /** Between the parts of the topology. */
  private List<TopicPartition> repartitionTopics() {
    return offsets.partitions(ownTopics().filter(name -> name.endsWith("-repartition")));
  }

  private Stream<String> ownTopics() {
    return RecordedOffsets.await(admin.listTopics().names()).stream().filter(name -> name.startsWith(results.prefix()));
  }

  private String application() {
    return results.prefix() + "stream";
  }

  private static void close(@Nullable KafkaStreams streams) {
    if (streams != null) {
      var leave = CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
      streams.close(leave.withTimeout(Duration.ofSeconds(20)));
    }
  }

  /** Takes away all that it made. */
  @Override
  public void close() {
    close(streams);
    if (streams != null) {
      streams.cleanUp();
    }
    try (admin; offsets) {
      var names = new ArrayList<>(ownTopics().toList());
      RecordedOffsets.await(admin.deleteTopics(names).all());
      if (streams != null) {
        RecordedOffsets.await(admin.deleteConsumerGroups(List.of(application())).all());
      }
    }
  }
}
