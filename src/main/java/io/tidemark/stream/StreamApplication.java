package io.tidemark.stream;

import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running stream application of one source; its topics must be there. Several instances share the work.
 *
 * <p>Its results are committed with its progress: readers of committed records see each of them once.
 */
public final class StreamApplication implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(StreamApplication.class);
  private static final Duration CLOSES_WITHIN = Duration.ofSeconds(20);

  private final KafkaStreams streams;
  private final LongAdder deadLetterCount;
  private final StreamFailurePolicy failures = new StreamFailurePolicy(InstantSource.system());
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private StreamApplication(KafkaStreams streams, LongAdder letters) {
    this.streams = streams;
    this.deadLetterCount = letters;
  }

  /** Starts it; it is at work when {@link #isRunning}. */
  public static StreamApplication start(Topics topics, SchemaRegistry registry, StreamSettings settings) {
    var properties = settings.properties(topics.prefix());
    properties.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, UnreadableRecordPolicy.class);
    var letters = new UnreadableRecordPolicy.DeadLetterSink(topics.deadLetters(), registry, new LongAdder());
    properties.put(UnreadableRecordPolicy.DEAD_LETTERS, letters);
    var config = new StreamsConfig(properties);
    var app =
        new StreamApplication(new KafkaStreams(TidemarkTopology.build(topics, registry), config), letters.written());
    app.streams.setUncaughtExceptionHandler(app.failures);
    app.streams.setGlobalStateRestoreListener(new StoreRestoreProgress(InstantSource.system()));
    app.streams.setStateListener((now, before) -> app.onState(now));
    app.streams.start();
    return app;
  }

  /** Whether it has its partitions, restored, and works on them. */
  public boolean isRunning() {
    return streams.state() == KafkaStreams.State.RUNNING;
  }

  /** Kafka's own view of it, for who watches over its state and figures. */
  public KafkaStreams kafka() {
    return streams;
  }

  /** How many records it could not read and made dead letters of. */
  public long deadLetters() {
    return deadLetterCount.sum();
  }

  /** Completes when it has ended: with the failure that stopped it, where one did. */
  public CompletionStage<Void> ended() {
    return ended.minimalCompletionStage();
  }

  /** Kafka's own figures of it and its clients, with {@code late-changes-total} of the candles. */
  public Map<MetricName, ? extends Metric> metrics() {
    return streams.metrics();
  }

  /** Commits what it has done and leaves the group, so that others take over at once. Blocks, for a bounded time. */
  @Override
  public void close() {
    var leave = CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
    if (!streams.close(leave.withTimeout(CLOSES_WITHIN))) {
      log.warn("The stream application did not end within {}; others take over when its session has", CLOSES_WITHIN);
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
