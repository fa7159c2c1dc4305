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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a process that restored a source and may begin to poll: its heap after garbage collection, and all that
 * the system gave it at most. The limit is the size of the encoded states; one and a half times that and 200 bytes for
 * each resource are the aim.
 */
final class MemoryBench implements BenchPart {
  private static final double TIMES_ENCODED = 1.5;
  private static final double BYTES_BESIDES = 200;

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
      var parts = process.answer().split(" ", -1);
      var encoded = (double) states.bytes() / states.count();
      var heap = result("memory, heap", Double.parseDouble(parts[0]) / states.count(), encoded);
      return parts.length < 2
          ? List.of(heap)
          : List.of(heap, result("memory, whole process", Double.parseDouble(parts[1]) / states.count(), encoded));
    }
  }

  private static BenchResult result(String name, double ours, double encoded) {
    return new BenchResult(
        name, "B", ours, encoded, encoded / ours, encoded / (TIMES_ENCODED * encoded + BYTES_BESIDES));
  }

  /** A process that restores a source, and reports its memory in bytes. */
  static final class Restored {
    private static final int COLLECTIONS = 3;
    private static final Path STATUS = Path.of("/proc/self/status");

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
        var deadlines = new Deadlines(new SimulatedPages(now).detector(), ledger.states(), resources);
        while (deadlines.readNext(now)) {
          // the next portion
        }
        var peak = mostOfTheProcess();
        ChildJvm.reply(peak == null ? "" + usedHeap() : usedHeap() + " " + peak);
        while (System.in.read() >= 0) {
          // until the other process closes it
        }
      }
      Runtime.getRuntime().halt(0);
    }

    private static long usedHeap() {
      for (var each = 0; each < COLLECTIONS; each++) {
        System.gc();
      }
      return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** All memory that the process ever had at once, in bytes; null where the system is not Linux. */
    private static @Nullable Long mostOfTheProcess() {
      if (!Files.exists(STATUS)) {
        return null;
      }
      try (var rows = Files.lines(STATUS)) {
        var row = rows.filter(each -> each.startsWith("VmHWM:")).findFirst().orElseThrow();
        return Long.parseLong(row.replaceAll("[^0-9]", "")) << 10;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
