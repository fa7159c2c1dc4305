package io.tidemark.stream;

import io.tidemark.stream.UnreadableRecordPolicy.DeadLetterSink;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.Quarantine;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
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
 * The stream application of one source in this process; the topics must exist. Instances share the partitions.
 *
 * <p>Results are committed in the transaction of the offsets: readers of committed records see each result once.
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

  /** The topics of a source that it reads. */
  public static List<Topic<?>> inputs(Topics topics) {
    return TidemarkTopology.inputs(topics);
  }

  /**
   * Starts it without waiting until it is running.
   *
   * @param stores the registry of what is in its stores and internal topics, whose schemas no external one has
   * @param quarantine of the records of its inputs that it cannot use
   */
  public static StreamApplication start(
      Topics topics, SchemaRegistry registry, BuiltInRegistry stores, Quarantine quarantine,
      StreamSettings settings) {
    var properties = settings.properties(topics.prefix());
    properties.putAll(quarantined(topics, registry, quarantine));
    var topology = TidemarkTopology.build(topics, topics, registry, stores, null);
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

  /** The properties of an application that goes on behind each record that it cannot use. */
  static Map<String, Object> quarantined(Topics topics, SchemaRegistry registry, Quarantine quarantine) {
    return Map.of(
        StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, UnreadableRecordPolicy.class,
        StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, UnreadableRecordPolicy.class,
        StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, UnreadableRecordPolicy.class,
        StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG, LogAndSkipOnInvalidTimestamp.class,
        UnreadableRecordPolicy.DEAD_LETTERS,
        new DeadLetterSink(topics.deadLetters(), registry, quarantine, InstantSource.system()));
  }

  /** The application itself, for health and metrics. It is running once its stores are restored. */
  public KafkaStreams kafka() {
    return streams;
  }

  /**
   * Records that its stores were restored from, in this process. Few where it takes over as a standby; all of them after a
   * process was killed that was alone.
   */
  public long restoredRecords() {
    return restores.restored();
  }

  /** Completes when it has stopped: exceptionally where a failure stopped it. */
  public CompletionStage<Void> ended() {
    return ended.minimalCompletionStage();
  }

  /** Commits, and leaves the group so that other instances take its partitions at once. Blocks for a bounded time. */
  @Override
  public void close() {
    var leave = CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
    if (!streams.close(leave.withTimeout(CLOSE_TIMEOUT))) {
      LOG.warn(
          "the stream application did not close within {}; other instances take its partitions when its session times out",
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
