package io.tidemark.bench;

import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.serve.mirror.MirrorReader;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The bench part that measures how a mirror in a separate process reads all states of a source before it answers. The
 * results are the resources that the mirror reads per second and its memory afterwards, compared with the size of the
 * encoded states. The time begins when the process runs, before its first class is loaded, because clients that wait
 * for the mirror of a starting instance also wait for the classes to load.
 */
final class CatchUpBench implements BenchPart {
  private static final int MOST_ROUNDS = 2;
  private static final double AIM = 20_000;
  private static final double SECOND = 1e9;

  @Override
  public String name() {
    return "catch-up";
  }

  @Override
  public String description() {
    return "resources per second that a mirror reads until it answers (--resources), and its memory per resource;"
        + " limit: the size of the encoded states";
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    try (var source = BenchSource.create(kafka)) {
      try (var ledger = source.ledger(ProducerFactory.KAFKA)) {
        source.fill(ledger, new SimulatedPages(Instant.now()), settings.resources() / RestoreBench.RESOURCES_OF_PAGE,
            progress);
      }
      return measure(source, settings.atMost(MOST_ROUNDS).rounds(), progress);
    }
  }

  private static List<BenchResult> measure(BenchSource source, int rounds, BenchProgress progress) {
    var states = RestoreBench.states(source, MirrorReader.inputs(source.topics()));
    var rates = new ArrayList<BenchResult.Round>();
    var memory = List.<BenchResult>of();
    for (var round = 0; round < rounds; round++) {
      var words = answer(source);
      rates.add(new BenchResult.Round(rate(words)));
      memory = ProcessMemory.parse(words.get(2)).results("catch-up", states.count(), states.bytes());
      progress.update(round + 1L, rounds);
    }
    var results = new ArrayList<BenchResult>();
    results.add(BenchResult.moreIsBetter("catch-up", "resources/s", rates, AIM));
    results.addAll(memory);
    return results;
  }

  private static List<String> answer(BenchSource source) {
    var servers = String.valueOf(source.client().get("bootstrap.servers"));
    try (var process = ChildJvm.start("-Xmx1g", CaughtUpMirror.class, servers, source.topics().prefix())) {
      return List.of(process.answer().split(" ", 0));
    }
  }

  private static double rate(List<String> words) {
    return Long.parseLong(words.get(1)) / (Long.parseLong(words.get(0)) / SECOND);
  }

  /**
   * A process in which a mirror reads all states. It reports the nanoseconds, the number of resources, and its memory.
   */
  static final class CaughtUpMirror {
    private CaughtUpMirror() {}

    /** Ends with the parent process. */
    public static void main(String[] arguments) throws IOException {
      var begun = System.nanoTime();
      var topics = new Topics(arguments[1], Retention.DEFAULT);
      try (var mirror = MirrorBench.read(topics, Map.of("bootstrap.servers", arguments[0]))) {
        MirrorBench.awaitCaughtUp(mirror);
        var taken = System.nanoTime() - begun;
        ChildJvm.reply("%d %d %s".formatted(taken, mirror.resources(), ProcessMemory.measure().format()));
        while (System.in.read() >= 0) {
          // until the parent process closes it
        }
      }
      Runtime.getRuntime().halt(0);
    }
  }
}
