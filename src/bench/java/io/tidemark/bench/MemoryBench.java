package io.tidemark.bench;

import io.tidemark.capture.ledger.Deadlines;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.LedgerListener;
import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * The bench part that measures the memory of a process that restored a source and may begin to poll: its heap after
 * garbage collection, and the most memory that the system ever gave it. The limit is the size of the encoded states.
 * The aim is one and a half times the limit plus 200 bytes per resource.
 */
final class MemoryBench implements BenchPart {
  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String description() {
    return "memory per resource of a process that restored ten times --resources, a million at most; limit: the size of"
        + " their encoded states";
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

  /** A process that restores a source and reports its memory in bytes. */
  static final class Restored {
    private Restored() {}

    /** Ends with the parent process. */
    public static void main(String[] arguments) throws IOException {
      var topics = new Topics(arguments[1], Retention.DEFAULT);
      var settings = new LedgerSettings(
          "main", "bench", topics, TopicLayout.DEFAULT, Map.of("bootstrap.servers", arguments[0]),
          BenchSource.OPEN_TRANSACTION_WAIT);
      try (var ledger = Ledger.start(
          settings, new BuiltInRegistry(topics.all()), ProducerFactory.KAFKA, InstantSource.system(),
          LedgerListener.NONE)) {
        var now = Instant.now();
        var resources = topics.resources().stream().map(ResourceTopics::resource).toList();
        var deadlines =
            new Deadlines(new SimulatedPages(now).detector(), ledger.states(), resources, (target, at) -> true);
        while (deadlines.readNext(now)) {
          // the next portion
        }
        ChildJvm.reply(ProcessMemory.measure().format());
        while (System.in.read() >= 0) {
          // until the parent process closes it
        }
      }
      Runtime.getRuntime().halt(0);
    }
  }
}
