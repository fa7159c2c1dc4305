package io.tidemark.stream;

import io.tidemark.event.Alert;
import io.tidemark.event.ChangeView;
import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;
import org.apache.kafka.streams.errors.LogAndContinueProcessingExceptionHandler;
import org.apache.kafka.streams.processor.LogAndSkipOnInvalidTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * A run of the production topology over recorded topics, as a Kafka Streams application separate from the live one. A
 * backtest reads the source's topics and schemas, but never writes them. It writes its results to separate topics,
 * which are deleted on close.
 */
public final class Backtest implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

  /**
   * Retention of the result topics. It is practically unlimited, because results have the timestamps of the recorded
   * records, which may be old.
   */
  private static final Retention UNLIMITED =
      new Retention(
          Duration.ofDays(36_500), Duration.ofDays(36_500), Duration.ofDays(36_500), Duration.ofDays(36_500));

  private final Topics topics;
  private final Topics results;
  private final SchemaRegistry registry;
  private final BuiltInRegistry ofResults = new BuiltInRegistry(List.of());
  private final StreamSettings settings;
  private final Admin admin;
  private final TopicReader reader;
  private final RecordedOffsets recorded;
  private final StreamFailurePolicy failures = new StreamFailurePolicy(InstantSource.system());
  private @Nullable KafkaStreams streams;

  /** A callback that receives the progress of a backtest, in records. */
  public interface BacktestProgress {
    void at(long done, long total);
  }

  /**
   * @param name unique name of the backtest, part of the names of its topics
   * @param registry the registry of the source's topics
   * @param settings settings whose state directory no other application uses
   */
  public Backtest(String name, Topics topics, SchemaRegistry registry, StreamSettings settings) {
    this.topics = topics;
    this.results = new Topics(topics.prefix() + "trial-" + name + ".", UNLIMITED);
    this.registry = registry;
    this.settings = settings;
    var client = new HashMap<String, Object>(settings.client());
    client.put("bootstrap.servers", settings.bootstrapServers());
    this.admin = Admin.create(client);
    this.reader = new TopicReader(client, List.of(results.alerts()), ofResults);
    this.recorded = new RecordedOffsets(reader);
  }

  /**
   * Returns the alerts whose records have timestamps from {@code from} until before {@code to}, in order of event time,
   * without the records that repeat an alert because a silence of it began or ended. If {@code rules} is null, these
   * are the alerts that the live application published. Otherwise, they are the alerts that it would have published
   * with the given rules. In either case, state from before the key frame period of {@code from} is missing, such as
   * cooldowns and history. Blocks until all records before {@code to} are processed.
   *
   * @param rules text of the rules to apply; null to apply the rules that were in force when the records were written
   */
  public List<Alert> alerts(Instant from, Instant to, @Nullable String rules, BacktestProgress progress) {
    var names = TidemarkTopology.inputs(topics).stream().<String>map(Topic::name).toList();
    var inputs = reader.offsets().partitions(names);
    var half = topics.retention().changes().dividedBy(2);
    // Begin at the start of a key frame period: each resource's first change in the period has all its facets.
    var begins = reader.offsets().at(inputs, ChangeView.keyFrameStart(from, half));
    var ends = recorded.endsBefore(begins, to);
    new TopicSetup(admin, layout()).ensure(TidemarkTopology.written(results));
    commitOffsets(begins);
    start(rules);
    await(begins, ends, progress);
    drainRepartitionTopics();
    stop();
    awaitTransactionMarkers(reader.offsets().partitions(List.of(results.alerts().name())));
    return readAlerts(from, to);
  }

  private TopicLayout layout() {
    var name = topics.alerts().name();
    var described = AdminCalls.await(admin.describeTopics(List.of(name)).allTopicNames());
    var partitions = Objects.requireNonNull(described.get(name)).partitions();
    return new TopicLayout(partitions.size(), (short) partitions.getFirst().replicas().size());
  }

  private void commitOffsets(Map<TopicPartition, Long> offsets) {
    var committed = offsets.entrySet()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> new OffsetAndMetadata(each.getValue())));
    AdminCalls.await(admin.alterConsumerGroupOffsets(application(), committed).all());
  }

  private void start(@Nullable String rules) {
    var topology = TidemarkTopology.build(topics, results, registry, ofResults, rules, true);
    var properties = settings.properties(results.prefix());
    properties.put(
        StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, LogAndContinueExceptionHandler.class);
    properties.put(
        StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, LogAndContinueProcessingExceptionHandler.class);
    properties.put(StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG, LogAndSkipOnInvalidTimestamp.class);
    streams = new KafkaStreams(topology, new StreamsConfig(properties));
    streams.setUncaughtExceptionHandler(failures);
    streams.start();
  }

  private void await(Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends, BacktestProgress progress) {
    var total = records(begins, ends);
    for (var remaining = ends; !remaining.isEmpty(); remaining = remaining(ends)) {
      var fatal = failures.fatal();
      if (fatal != null) {
        throw new IllegalStateException("the backtest stopped: " + fatal.getMessage(), fatal);
      }
      progress.at(total - records(committed(), remaining), total);
      AdminCalls.sleep(PAUSE);
    }
  }

  /**
   * Waits until all records of the repartition topics are processed. Processing one of these topics may write records
   * to the next one, so several rounds may be needed. The number of rounds is bounded, even if the source records
   * more changes meanwhile.
   */
  private void drainRepartitionTopics() {
    var repartition = reader.offsets()
        .partitions(resultTopics().stream().filter(name -> name.endsWith("-repartition")).toList());
    for (var round = 0; round <= repartition.size(); round++) {
      awaitTransactionMarkers(repartition);
      var unread = recorded.ends(readUntil(repartition));
      if (unread.isEmpty()) {
        return;
      }
      await(Map.of(), unread, (done, total) -> {}); // few records are left, so progress is not reported
    }
  }

  /**
   * Returns the offsets up to which the repartition topics have been read. A search by timestamp cannot find these
   * offsets, because Kafka Streams deletes records from the topics after reading them.
   */
  private Map<TopicPartition, Long> readUntil(List<TopicPartition> partitions) {
    var committed = committed();
    return partitions.stream().collect(Collectors.toMap(each -> each, each -> committed.getOrDefault(each, 0L)));
  }

  /**
   * Waits until all records that are in the partitions now are committed. The markers of a transaction reach its
   * partitions one by one.
   */
  private void awaitTransactionMarkers(List<TopicPartition> partitions) {
    var written = reader.offsets().written(partitions);
    while (reader.offsets()
        .latest(partitions)
        .entrySet()
        .stream()
        .anyMatch(end -> end.getValue() < written.getOrDefault(end.getKey(), 0L))) {
      AdminCalls.sleep(PAUSE);
    }
  }

  private Map<TopicPartition, Long> remaining(Map<TopicPartition, Long> ends) {
    var committed = committed();
    var remaining = new HashMap<>(ends);
    remaining.entrySet().removeIf(each -> committed.getOrDefault(each.getKey(), 0L) >= each.getValue());
    return remaining;
  }

  private static long records(Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends) {
    return ends.entrySet()
        .stream()
        .mapToLong(each -> Math.max(0, each.getValue() - begins.getOrDefault(each.getKey(), 0L)))
        .sum();
  }

  private Map<TopicPartition, Long> committed() {
    var committed = new HashMap<TopicPartition, Long>();
    AdminCalls.await(admin.listConsumerGroupOffsets(application()).partitionsToOffsetAndMetadata())
        .forEach((partition, offset) -> {
          if (offset != null) {
            committed.put(partition, offset.offset());
          }
        });
    return committed;
  }

  private List<Alert> readAlerts(Instant from, Instant to) {
    var alerts = new ArrayList<Alert>();
    var transitions = new HashSet<String>();
    reader.readAll(record -> {
      if (record.value() instanceof Alert alert && transitions.add(alert.getId() + " " + alert.getStatus())
          && !record.time().isBefore(from) && record.time().isBefore(to)) {
        alerts.add(alert);
      }
    });
    alerts.sort(Comparator.comparing(Alert::getEventTime).thenComparing(Alert::getId));
    return alerts;
  }

  private List<String> resultTopics() {
    return AdminCalls.await(admin.listTopics().names())
        .stream()
        .filter(name -> name.startsWith(results.prefix()))
        .toList();
  }

  private String application() {
    return results.prefix() + "stream";
  }

  private void stop() {
    if (streams != null) {
      var leave = CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
      streams.close(leave.withTimeout(CLOSE_TIMEOUT));
    }
  }

  /** Deletes the backtest's topics, consumer group and state. */
  @Override
  public void close() {
    stop();
    if (streams != null) {
      streams.cleanUp();
    }
    try (admin; reader) {
      AdminCalls.await(admin.deleteTopics(resultTopics()).all());
      if (streams != null) {
        AdminCalls.await(admin.deleteConsumerGroups(List.of(application())).all());
      }
    }
  }
}
