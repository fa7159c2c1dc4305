package io.tidemark.stream;

import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
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
  private final LongAdder deadLetterCount;
  private final StreamFailurePolicy failures = new StreamFailurePolicy(InstantSource.system());
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private StreamApplication(KafkaStreams streams, LongAdder deadLetterCount) {
    this.streams = streams;
    this.deadLetterCount = deadLetterCount;
  }

  /** Starts it without waiting until it is running. */
  public static StreamApplication start(Topics topics, SchemaRegistry registry, StreamSettings settings) {
    var properties = settings.properties(topics.prefix());
    properties.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, UnreadableRecordPolicy.class);
    var deadLetters = new UnreadableRecordPolicy.DeadLetterSink(topics.deadLetters(), registry, new LongAdder());
    properties.put(UnreadableRecordPolicy.DEAD_LETTERS, deadLetters);
    var config = new StreamsConfig(properties);
    var app =
        new StreamApplication(new KafkaStreams(TidemarkTopology.build(topics, registry), config),
            deadLetters.written());
    app.streams.setUncaughtExceptionHandler(app.failures);
    app.streams.setGlobalStateRestoreListener(new StoreRestoreProgress(InstantSource.system()));
    app.streams.setStateListener((now, before) -> app.onState(now));
    app.streams.start();
    return app;
  }

  /** The application itself, for health and metrics. It is running once its stores are restored. */
  public KafkaStreams kafka() {
    return streams;
  }

  /** The number of unreadable records that it wrote to the dead letters. */
  public long deadLetters() {
    return deadLetterCount.sum();
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
