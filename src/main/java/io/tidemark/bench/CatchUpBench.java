package io.tidemark.bench;

import io.tidemark.ledger.ProducerFactory;
import io.tidemark.mirror.MirrorReader;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A mirror in a process of its own that reads all states of a source until it answers: how many resources a second, and
 * the memory that it then has. The limits are a bare consumer that decodes the same topics, and the size of the encoded
 * states.
 */
final class CatchUpBench implements BenchPart {
  private static final int MOST_ROUNDS = 3;
  private static final double REACH = 0.6;
  private static final double SECOND = 1e9;

  @Override
  public String name() {
    return "catch-up";
  }

  @Override
  public String description() {
    return "resources that a mirror reads until it answers (--resources), and its memory for each; limit: a bare consumer"
        + " that decodes the same topics, and the encoded states";
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
    var inputs = MirrorReader.inputs(source.topics());
    var states = RestoreBench.states(source, inputs);
    var servers = String.valueOf(source.client().get("bootstrap.servers"));
    var oursRates = new double[rounds];
    var limitRates = new double[rounds];
    var ratios = new double[rounds];
    var memory = List.<BenchResult>of();
    for (var round = 0; round < rounds; round++) {
      var begun = System.nanoTime();
      limitRates[round] = RestoreBench.states(source, inputs).count() / ((System.nanoTime() - begun) / SECOND);
      try (var process = ChildJvm.start("-Xmx1g", CaughtUpMirror.class, servers, source.topics().prefix())) {
        var words = process.answer().split(" ", 0);
        oursRates[round] = Long.parseLong(words[1]) / (Long.parseLong(words[0]) / SECOND);
        memory = ProcessMemory.parse(words[2]).results("catch-up", states.count(), states.bytes());
      }
      ratios[round] = oursRates[round] / limitRates[round];
      progress.update(round + 1L, rounds);
    }
    var results = new ArrayList<BenchResult>();
    results.add(new BenchResult("catch-up", "resources/s", Comparison.median(oursRates), Comparison.median(limitRates),
        Comparison.median(ratios), REACH));
    results.addAll(memory);
    return results;
  }

  /** A process whose mirror catches up, and reports nanoseconds, resources, and its memory. */
  static final class CaughtUpMirror {
    private CaughtUpMirror() {}

    /** Ends with the other process. */
    public static void main(String[] arguments) throws IOException {
      var topics = new Topics(arguments[1], Retention.DEFAULT);
      var begun = System.nanoTime();
      try (var mirror = MirrorBench.read(topics, Map.of("bootstrap.servers", arguments[0]))) {
        MirrorBench.awaitCaughtUp(mirror);
        var taken = System.nanoTime() - begun;
        ChildJvm.reply("%d %d %s".formatted(taken, mirror.resources(), ProcessMemory.measure().format()));
        while (System.in.read() >= 0) {
          // until the other process closes it
        }
      }
      Runtime.getRuntime().halt(0);
    }
  }
}
