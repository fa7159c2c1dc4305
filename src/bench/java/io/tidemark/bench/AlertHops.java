package io.tidemark.bench;

import io.tidemark.rule.file.RuleDocument;
import io.tidemark.stream.StreamApplication;
import io.tidemark.stream.StreamSettings;
import io.tidemark.topic.AdminCalls;
import io.tidemark.topic.Quarantine;
import io.tidemark.topic.Quarantine.ReaderRole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.streams.KafkaStreams;

/** Our stream application over one source, and a bare one that copies changes over another, with the same settings. */
final class AlertHops implements AutoCloseable {
  private static final Duration COMMIT_INTERVAL = Duration.ofMillis(200);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final StreamApplication ours;
  private final KafkaStreams bare;
  private final Path states;

  private AlertHops(StreamApplication ours, KafkaStreams bare, Path states) {
    this.ours = ours;
    this.bare = bare;
    this.states = states;
  }

  /** A rule that fires for each change of some pools. */
  static RuleDocument rule(Set<String> pools) {
    var ids = pools.stream().sorted().map(id -> '"' + id + '"').collect(Collectors.joining(", "));
    return new RuleDocument("bench", """
        rules:
          - name: bench
            on: pool.changes
            when: id in [%s]
            annotations: { summary: "moved" }
        """.formatted(ids));
  }

  static AlertHops start(BenchSource source, BenchSource other, Set<String> pools) {
    try {
      var states = Files.createTempDirectory("tidemark-bench-alerts");
      var quarantine =
          new Quarantine("main", ReaderRole.STREAM, StreamApplication.inputs(source.topics()), InstantSource.system());
      var ours = StreamApplication.start(
          source.topics(), source.registry(), source.registry(), quarantine, settings(source, states));
      return new AlertHops(
          ours, BareStreams.startCopying(other.topics(), settings(other, states), pools), states);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StreamSettings settings(BenchSource source, Path states) {
    return new StreamSettings(
        String.valueOf(source.client().get("bootstrap.servers")), states, 1, COMMIT_INTERVAL, Map.of());
  }

  void awaitRunning() {
    var end = System.nanoTime() + TIMEOUT.toNanos();
    while (Stream.of(ours.kafka(), bare).anyMatch(each -> each.state() != KafkaStreams.State.RUNNING)) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("alerts: the stream applications did not run within " + TIMEOUT);
      }
      AdminCalls.sleep(PAUSE);
    }
  }

  @Override
  public void close() {
    ours.close();
    bare.close();
    BenchKafka.delete(states);
  }
}
