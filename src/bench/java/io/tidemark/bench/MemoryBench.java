package io.tidemark.bench;

import io.tidemark.ledger.Deadlines;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.ledger.ProducerFactory;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.Retention;
import io.tidemark.topic.TopicLayout;
import io.tidemark.topic.Topics;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * The memory of a process that restored a source and may begin to poll: its heap after garbage collection, and all that
 * the system gave it at most. The limit is the size of the encoded states; one and a half times that and 200 bytes for
 * each resource are the aim.
 */
final class MemoryBench implements BenchPart {
  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String description() {
    return "memory for each resource of a process that restored ten times --resources, a million at most; limit: their"
        + " encoded states";
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var source = kafka.filled(RestoreBench.restored(settings), progress).source();
    var states = RestoreBench.states(source);
    var servers = String.valueOf(source.client().get("bootstrap.servers"));
    try (var process = ChildJvm.start("-Xmx256m", Restored.class, servers, source.topics().prefix())) {
      return ProcessMemory.parse(process.answer()).results("memory", states.count(), states.bytes());
    }
  }

  /** A process that restores a source, and reports its memory in bytes. */
  static final class Restored {
    private Restored() {}

    /** Ends with the other process. */
    public static void main(String[] arguments) throws IOException {
      var topics = new Topics(arguments[1], Retention.DEFAULT);
      var settings = new LedgerSettings(
          "main", "bench", topics, TopicLayout.DEFAULT, Map.of("bootstrap.servers", arguments[0]));
      try (var ledger = Ledger.start(
          settings, new BuiltInRegistry(topics.all()), ProducerFactory.KAFKA, InstantSource.system())) {
        var now = Instant.now();
        var resources = topics.resources().stream().map(ResourceTopics::resource).toList();
        var deadlines =
            new Deadlines(new SimulatedPages(now).detector(), ledger.states(), resources, (target, at) -> true);
        while (deadlines.readNext(now)) {
          // the next portion
        }
        ChildJvm.reply(ProcessMemory.measure().format());
        while (System.in.read() >= 0) {
          // until the other process closes it
        }
      }
      Runtime.getRuntime().halt(0);
    }
  }
}
