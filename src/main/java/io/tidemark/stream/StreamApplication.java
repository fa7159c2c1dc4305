package io.tidemark.stream;

import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.UnreadableRecordPolicy.DeadLetterSink;
import io.tidemark.stream.alert.TopicRules;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.LogAndSkipOnInvalidTimestamp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream application of one source, as it runs in this process. The source's topics must exist. All instances of
 * the application share the partitions.
 *
 * <p>Results are committed in the same transaction as the input offsets, so that readers of committed records see
 * each result once.
 */
public final class StreamApplication implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StreamApplication.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

  private final KafkaStreams streams;
  private final StreamFailurePolicy failures = new StreamFailurePolicy(InstantSource.system());
  private final StoreRestoreProgress restores = new StoreRestoreProgress(InstantSource.system());
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private StreamApplication(KafkaStreams streams) {
    this.streams = streams;
  }

  /** Returns the topics of a source that the application reads. */
  public static List<Topic<?>> inputs(Topics topics) {
    return TidemarkTopology.inputs(topics);
  }

  /**
   * Starts the application without waiting until it is running.
   *
   * @param stores registry of the schemas in the application's stores and internal topics; no external registry has
   *     these schemas
   * @param quarantine quarantine for the input records that the application cannot use
   * @param traces receive the spans of alerts
   */
  public static StreamApplication start(
      Topics topics, SchemaRegistry registry, BuiltInRegistry stores, Quarantine quarantine, Traces traces,
      StreamSettings settings) {
    var properties = settings.properties(topics.prefix());
    properties.putAll(quarantined(topics, registry, quarantine));
    properties.put(TopicRules.TRACES, traces);
    var topology = TidemarkTopology.build(topics, topics, registry, stores, null, true);
    properties.put(StreamsConfig.clientTagPrefix(WarmUpTaskAssignor.TOPOLOGY),
        TopologyFingerprint.of(topology, TidemarkTopology.storedSchemas(topics)));
    var config = new StreamsConfig(properties);
    var clients = FreshLagConsumer.clients(topics.control().name());
    var app = new StreamApplication(new KafkaStreams(topology, config, clients));
    app.streams.setUncaughtExceptionHandler(app.failures);
    app.streams.setGlobalStateRestoreListener(app.restores);
    app.streams.setStateListener((now, before) -> app.onState(now));
    app.streams.start();
    return app;
  }

  /**
   * Returns the properties with which an application quarantines records that it cannot use, and continues, as {@link
   * UnreadableRecordPolicy} describes. A record with an invalid timestamp is only logged and skipped.
   */
  static Map<String, Object> quarantined(Topics topics, SchemaRegistry registry, Quarantine quarantine) {
    return Map.of(
        StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, UnreadableRecordPolicy.class,
        StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, UnreadableRecordPolicy.class,
        StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, UnreadableRecordPolicy.class,
        StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG, LogAndSkipOnInvalidTimestamp.class,
        UnreadableRecordPolicy.DEAD_LETTERS,
        new DeadLetterSink(topics.deadLetters(), registry, quarantine, InstantSource.system()));
  }

  /**
   * Returns the Kafka Streams application, for health and metrics. Its state is not running until its stores are
   * restored.
   */
  public KafkaStreams kafka() {
    return streams;
  }

  /**
   * Returns the number of changelog records from which this process has restored the stores. The number is small if the
   * process was a standby before it took over. It is the number of all records in the changelogs if the only process
   * was killed before this process started.
   */
  public long restoredRecords() {
    return restores.restored();
  }

  /**
   * Returns a stage that completes when the application has stopped. It completes exceptionally if a failure stopped
   * the application.
   */
  public CompletionStage<Void> ended() {
    return ended.minimalCompletionStage();
  }

  /**
   * Commits the offsets, and leaves the consumer group so that other instances take over the partitions of this
   * instance immediately. Blocks for a bounded time.
   */
  @Override
  public void close() {
    var leave = CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
    if (!streams.close(leave.withTimeout(CLOSE_TIMEOUT))) {
      LOG.warn(
          "the stream application did not close within {}; other instances take over the partitions of this instance"
              + " after its consumer session times out",
          CLOSE_TIMEOUT);
    }
  }

  private void onState(KafkaStreams.State state) {
    if (state.hasCompletedShutdown()) {
      var fatal = failures.fatal();
      if (fatal == null) {
        ended.complete(null);
      } else {
        ended.completeExceptionally(fatal);
      }
    }
  }
}
