package io.tidemark.bench;

import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Traces;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.stream.StreamApplication;
import io.tidemark.stream.StreamSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.streams.KafkaStreams;

/** A stream application that reads a source of the bench and commits five times a second. */
final class AlertStreams implements AutoCloseable {
  private static final Duration COMMIT_INTERVAL = Duration.ofMillis(200);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final StreamApplication streams;
  private final Path states;

  private AlertStreams(StreamApplication streams, Path states) {
    this.streams = streams;
    this.states = states;
  }

  /** Returns a rule that fires for each change of the given pools. */
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

  static AlertStreams start(BenchSource source) {
    try {
      var states = Files.createTempDirectory("tidemark-bench-alerts");
      var quarantine =
          new Quarantine("main", ReaderRole.STREAM, StreamApplication.inputs(source.topics()), InstantSource.system());
      var settings = new StreamSettings(source.bootstrapServers(), states, 1, COMMIT_INTERVAL, Map.of());
      return new AlertStreams(
          StreamApplication.start(
              source.topics(), source.registry(), source.registry(), quarantine, Traces.OFF, settings),
          states);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void awaitRunning() {
    var end = System.nanoTime() + TIMEOUT.toNanos();
    while (streams.kafka().state() != KafkaStreams.State.RUNNING) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("alerts: the stream application did not start within " + TIMEOUT);
      }
      AdminCalls.sleep(PAUSE);
    }
  }

  @Override
  public void close() {
    streams.close();
    BenchKafka.delete(states);
  }
}
