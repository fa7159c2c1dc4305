package io.tidemark.stream;

import io.tidemark.event.Alert;
import io.tidemark.topic.Layout;
import io.tidemark.topic.Registry;
import io.tidemark.topic.Topic;
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
public final class Trial implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Topics topics;
  private final Topics results;
  private final Registry registry;
  private final StreamSettings settings;
  private final Admin admin;
  private final Recorded recorded;
  private final Failures failures = new Failures(InstantSource.system());
  private @Nullable KafkaStreams streams;

  /** Hears how far a trial is. */
  public interface Progress {
    void at(long done, long total);
  }

  /**
   * @param name tells it from other trials; part of the names of its topics
   * @param settings with a state directory of its own
   */
  public Trial(String name, Topics topics, Registry registry, StreamSettings settings) {
    this.topics = topics;
    this.results = new Topics(topics.prefix() + "trial-" + name + ".", Recorded.KEPT);
    this.registry = registry;
    this.settings = settings;
    var client = new HashMap<String, Object>(settings.client());
    client.put("bootstrap.servers", settings.bootstrapServers());
    this.admin = Admin.create(client);
    this.recorded = new Recorded(client);
  }

  /**
   * The alerts that live gave between two times, or would have given with other rules, in the order of event times.
   * Blocks until all is read.
   *
   * @param rules the text of other rules; null: those that were in force
   * @param progress hears how many records of how many are done
   */
  public List<Alert> alerts(Instant from, Instant to, @Nullable String rules, Progress progress) {
    var read = TidemarkTopology.reads(topics);
    var parts = recorded.parts(read);
    var begin = recorded.at(parts, recorded.frames(from, topics.retention().changes()));
    var end = recorded.lastBefore(begin, to);
    make();
    begin(begin);
    start(rules);
    await(begin, end, progress);
    finish(internal(), progress);
    close(streams);
    settle(recorded.parts(List.of(results.alerts())));
    return recorded.alerts(results.alerts(), registry, from, to);
  }

  private void make() {
    var written = results.onTheTape().keySet().stream()
        .filter(name -> TidemarkTopology.reads(topics).stream().noneMatch(topic -> topics.nameOf(topic).equals(name)))
        .<Topic<?>>map(results::named);
    new TopicSetup(admin, layout())
        .ensure(Stream.concat(written, Stream.of(results.alerts(), results.alertsState())).toList());
  }

  /** That of the source. */
  private Layout layout() {
    var name = topics.alerts().name();
    var described = Recorded.await(admin.describeTopics(List.of(name)).allTopicNames());
    var parts = Objects.requireNonNull(described.get(name)).partitions();
    return new Layout(parts.size(), (short) parts.getFirst().replicas().size());
  }

  private void begin(Map<TopicPartition, Long> offsets) {
    var committed = new HashMap<TopicPartition, OffsetAndMetadata>();
    offsets.forEach((part, offset) -> committed.put(part, new OffsetAndMetadata(offset)));
    Recorded.await(admin.alterConsumerGroupOffsets(application(), committed).all());
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

  private void await(Map<TopicPartition, Long> begin, Map<TopicPartition, Long> end, Progress progress) {
    var all = length(begin, end);
    for (var left = end; !left.isEmpty(); left = left(end)) {
      var fatal = failures.fatal();
      if (fatal != null) {
        throw new IllegalStateException("the trial stopped: " + fatal.getMessage(), fatal);
      }
      progress.at(all - length(committed(), left), all);
      Recorded.pause(PAUSE);
    }
  }

  /**
   * Waits until what is between the parts of the topology is read. What is read of one such topic is written to the
   * next, so that it takes as many rounds as there are topics at most, however much more is recorded meanwhile.
   */
  private void finish(List<TopicPartition> parts, Progress progress) {
    for (var round = 0; round <= parts.size(); round++) {
      settle(parts);
      var unread = recorded.last(read(parts));
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
  private void settle(List<TopicPartition> parts) {
    var written = ends(parts, IsolationLevel.READ_UNCOMMITTED);
    while (ends(parts, IsolationLevel.READ_COMMITTED).entrySet().stream()
        .anyMatch(end -> end.getValue() < written.getOrDefault(end.getKey(), 0L))) {
      Recorded.pause(PAUSE);
    }
  }

  private Map<TopicPartition, Long> ends(List<TopicPartition> parts, IsolationLevel level) {
    var asked = parts.stream().collect(Collectors.toMap(part -> part, part -> OffsetSpec.latest()));
    var found = Recorded.await(admin.listOffsets(asked, new ListOffsetsOptions(level)).all());
    return found.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().offset()));
  }

  private Map<TopicPartition, Long> left(Map<TopicPartition, Long> end) {
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
    Recorded.await(admin.listConsumerGroupOffsets(application()).partitionsToOffsetAndMetadata())
        .forEach((part, offset) -> {
          if (offset != null) {
            committed.put(part, offset.offset());
          }
        });
    return committed;
  }

  /** Between the parts of the topology. */
  private List<TopicPartition> internal() {
    return recorded.parts(ownTopics().filter(name -> name.endsWith("-repartition")));
  }

  private Stream<String> ownTopics() {
    return Recorded.await(admin.listTopics().names()).stream().filter(name -> name.startsWith(results.prefix()));
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
    try (admin; recorded) {
      var names = new ArrayList<>(ownTopics().toList());
      Recorded.await(admin.deleteTopics(names).all());
      if (streams != null) {
        Recorded.await(admin.deleteConsumerGroups(List.of(application())).all());
      }
    }
  }
}
