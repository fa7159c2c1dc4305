package io.tidemark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The bench part that measures the longest time for which one record or tick occupies a task of the stream application.
 * Meanwhile 200 resources change each minute, and the application knows other resources that do not change. The limit
 * is the same time without these other resources.
 */
final class TickBench implements BenchPart {
  private static final int PARTITIONS = 1;
  private static final int MOVING_PAGES = 5;
  private static final int MOST_ROUNDS = 3;
  private static final int MOST_ATTEMPTS = 5;

  /** Maximum milliseconds for which a task may be occupied. */
  private static final double MAX_TASK_MILLIS = 100;

  private static final List<Integer> SCALE_DIVISORS = List.of(100, 10, 1);

  @Override
  public String name() {
    return "tick";
  }

  @Override
  public String description() {
    return "the longest time for which one record occupies a task of the streams, with a hundredth, a tenth and all"
        + " resources (--resources); limit: only the resources that change; aim: 100 ms";
  }

  @Override
  public boolean takesLong() {
    return true;
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var rounds = settings.atMost(MOST_ROUNDS).rounds();
    try (var load = StreamLoad.create(kafka, PARTITIONS);
        var streams = StreamProcess.start(load.source(), true)) {
      StreamProcess.awaitRunning(List.of(streams));
      load.fill(MOVING_PAGES);
      for (var minute = 0; minute < settings.warmUp().toSeconds(); minute++) {
        load.minute(MOVING_PAGES);
      }
      var limit = BenchResult.median(longest(load, streams, rounds).stream().mapToDouble(Double::doubleValue));
      var results = new ArrayList<BenchResult>();
      for (var part : SCALE_DIVISORS) {
        var resources = settings.resources() / part;
        load.fill(resources / RestoreBench.RESOURCES_OF_PAGE);
        var ours = longest(load, streams, rounds);
        results.add(BenchResult.lessIsBetter(String.format(Locale.ROOT, "tick, %,d resources", resources), "ms",
            ours.stream().map(longest -> new BenchResult.Round(longest, limit)).toList(), MAX_TASK_MILLIS));
        progress.update(results.size(), SCALE_DIVISORS.size());
      }
      return results;
    }
  }

  /**
   * Returns, for each of the given number of minutes, the longest time for which one record occupied a task, in
   * milliseconds, including pauses of the process.
   */
  private static List<Double> longest(StreamLoad load, StreamProcess streams, int rounds) {
    StreamProcess.awaitDone(List.of(streams));
    return IntStream.range(0, rounds).mapToObj(round -> longest(load, streams)).toList();
  }

  /**
   * Returns the longest time for which one record occupied a task in a minute, in milliseconds. If no sample was taken
   * in the minute, as happens on a machine with much other work, measures another minute.
   */
  private static double longest(StreamLoad load, StreamProcess streams) {
    for (var attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      streams.resetLongest();
      load.minute(MOVING_PAGES);
      var longest = StreamProcess.awaitDone(List.of(streams)).longest();
      if (longest > 0) {
        return longest;
      }
    }
    throw new IllegalStateException("no processing time of a record was sampled in " + MOST_ATTEMPTS
        + " minutes; the machine has too much other work");
  }
}
