package io.tidemark.bench;

import io.tidemark.bench.Throughput.Clock;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.ProducerFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The bench part that measures the cost of a change while 10 and 100 times as many resources are watched, and the cost
 * per resource of restoring ten times as many resources. The limit is the same measurement with 10 or 100 times fewer
 * resources. For the ledger, the limit is measured in the same process. For the streams, it is measured in another
 * process that did as much work before.
 */
final class GrowthBench implements BenchPart {
  private static final List<Integer> TIMES = List.of(10, 100);
  private static final int MOST_TIMES = 100;

  /** Number of transactions that are detected in advance, for each round. */
  private static final int TRANSACTIONS = 16;

  /**
   * Divisor of the number of resources in the measurements of the streams. They have fewer resources because the
   * streams read the first state of each resource as a change.
   */
  private static final int PART_OF_STREAMS = 10;

  private static final int MOST_ROUNDS_OF_STREAMS = 2;
  private static final int MOST_ROUNDS_OF_RESTORES = 2;

  /** Number of restores whose median is the result if one restore takes a fraction of a second. */
  private static final int SHORT_RESTORES = 7;

  /** Ratio of the virtual time of a round of the streams to the real time of a round of other parts. */
  private static final int VIRTUAL_TIME_FACTOR = 480;

  /** Seconds of virtual time between two polls of a page. */
  private static final int POLL_SECONDS = 5;

  /**
   * Maximum virtual time for which a change causes work in the streams: until the candle of its day is closed, and
   * another tick has come.
   */
  private static final Duration LONGEST_DELAY = Duration.ofHours(25);
  private static final int SETTLING_TICKS = 150;

  /** Number of changes in the warm-up, for each second that the warm-up of other parts lasts. */
  private static final int WARM_UP_CHANGES = 2_500;

  private static final double SECOND = 1e9;

  /**
   * Step from a page to the next one, a prime number so that all pages come in turn and no page is next to the previous
   * page.
   */
  static final int STRIDE = 7_919;

  @Override
  public String name() {
    return "growth";
  }

  @Override
  public String description() {
    return "changes detected, committed, and processed by the streams, while 10 and 100 times as many resources are"
        + " watched (--resources), and ten times as many restored; limit: the same with that many times fewer"
        + " resources";
  }

  @Override
  public boolean takesLong() {
    return true;
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var least = Math.max(1, settings.resources() / MOST_TIMES / RestoreBench.RESOURCES_OF_PAGE);
    var pages = new SimulatedPages(Instant.now());
    var results = new ArrayList<BenchResult>();
    for (var times : TIMES) {
      try (var few = new WatchedPages(settings, kafka, pages, least, progress);
          var many = new WatchedPages(settings, kafka, pages, least * times, progress)) {
        results.add(new Throughput("growth, detect at %dx".formatted(times), "changes/s", 0, Clock.PROCESSOR,
            many::detect, few::detect).measure(settings.withTimesRounds(2), progress).flat());
        results.add(new Throughput("growth, ledger at %dx".formatted(times), "changes/s", 0, Clock.PROCESSOR,
            many::commit, few::commit).measure(settings, progress).flat());
        if (times == MOST_TIMES) {
          results.add(restore(settings, kafka, few, many, progress));
        }
      }
    }
    results.addAll(streams(settings, kafka, progress));
    return results;
  }

  /**
   * Compares the cost per resource of two restores: of ten times as many resources as are watched, and of the watched
   * resources. Both costs exclude the cost of starting, which is measured with the fewest resources, because the cost
   * of starting per resource is lower with more resources.
   */
  private static BenchResult restore(BenchSettings settings, BenchKafka kafka, WatchedPages few, WatchedPages many,
      BenchProgress progress) {
    var most = kafka.filled(RestoreBench.restored(settings), progress);
    var detector = many.pages.detector();
    var rounds = settings.atMost(MOST_ROUNDS_OF_RESTORES).rounds();
    var rates = new ArrayList<BenchResult.Round>();
    few.ledger.close();
    many.ledger.close();
    for (var round = 0; round < rounds; round++) {
      var tenTimes = processorNanos(() -> RestoreBench.restore(most.source(), detector));
      var watched = new ArrayList<Long>();
      var fewest = new ArrayList<Long>();
      for (var repeat = 0; repeat < SHORT_RESTORES; repeat++) {
        watched.add(processorNanos(() -> RestoreBench.restore(many.source, detector)));
        fewest.add(processorNanos(() -> RestoreBench.restore(few.source, detector)));
      }
      var start = median(fewest);
      rates.add(new BenchResult.Round(rate(most.resources() - few.resources(), tenTimes - start),
          rate(many.resources() - few.resources(), median(watched) - start)));
      progress.update(round + 1L, rounds);
    }
    return BenchResult.moreIsBetter("growth, restore at 10x", "resources/s", rates, 0).flat();
  }

  private static long processorNanos(Runnable work) {
    var begun = Clock.PROCESSOR.nanos();
    work.run();
    return Clock.PROCESSOR.nanos() - begun;
  }

  private static long median(List<Long> times) {
    return times.stream().sorted().skip(times.size() / 2).findFirst().orElseThrow();
  }

  private static double rate(long count, long nanos) {
    return count / (Math.max(1, nanos) / SECOND);
  }

  private static List<BenchResult> streams(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var pages = Math.max(1, settings.resources() / PART_OF_STREAMS / MOST_TIMES / RestoreBench.RESOURCES_OF_PAGE);
    var rounds = settings.atMost(MOST_ROUNDS_OF_STREAMS).rounds();
    var results = new ArrayList<BenchResult>();
    var seconds = settings.round().multipliedBy(VIRTUAL_TIME_FACTOR).toSeconds();
    try (var few = new WatchedStreams(kafka, pages); var many = new WatchedStreams(kafka, pages)) {
      many.move(WARM_UP_CHANGES * settings.warmUp().toSeconds());
      for (var times : TIMES) {
        many.fill(pages * times);
        if (settings.warmUp().isPositive()) { // otherwise the figures mean nothing
          few.move(many.changes - few.changes);
          many.settle();
          few.settle();
        }
        var rates = new ArrayList<BenchResult.Round>();
        for (var round = 0; round < rounds; round++) {
          rates.add(new BenchResult.Round(many.rate(seconds), few.rate(seconds)));
          progress.update(round + 1L, rounds);
        }
        results.add(BenchResult.moreIsBetter("growth, streams at %dx".formatted(times), "changes/s", rates, 0).flat());
      }
    }
    return results;
  }

  /** A stream application with one partition that knows pages, some of which are polled every few seconds. */
  private static final class WatchedStreams implements AutoCloseable {
    private final StreamLoad load;
    private final List<StreamProcess> streams;
    private final int moving;
    private long changes;

    WatchedStreams(BenchKafka kafka, int moving) {
      this.moving = moving;
      load = StreamLoad.create(kafka, 1);
      streams = List.of(StreamProcess.start(load.source(), false));
      StreamProcess.awaitRunning(streams);
      fill(moving);
    }

    void fill(int pages) {
      changes += load.fill(pages);
      StreamProcess.awaitDone(streams);
    }

    /** Polls pages until the given number of further changes has occurred. */
    void move(long more) {
      for (var until = changes + more; changes < until;) {
        changes += load.pollInOneSecond(moving);
      }
      StreamProcess.awaitDone(streams);
    }

    /** Lets virtual time pass until all windows of the changes so far have ended. */
    void settle() {
      load.passIdle(LONGEST_DELAY, SETTLING_TICKS);
      StreamProcess.awaitDone(streams);
    }

    /** Returns the changes per second of one core, over the given seconds of virtual time. */
    double rate(long seconds) {
      var before = StreamProcess.figures(streams).processorNanos();
      var count = 0L;
      for (var second = 0; second < seconds; second++) {
        count += load.pollInOneSecond(second % POLL_SECONDS == 0 ? moving : 0);
      }
      changes += count;
      var taken = StreamProcess.awaitDone(streams).processorNanos() - before;
      return count / (Math.max(ProcessorTime.NANOS_OF_A_TICK, taken) / SECOND);
    }

    @Override
    public void close() {
      streams.forEach(StreamProcess::close);
      load.close();
    }
  }

  /** A ledger that knows the first version of the given number of pages. */
  private static final class WatchedPages implements AutoCloseable {
    private final BenchSource source;
    private final Ledger ledger;
    private final SimulatedPages pages;
    private final int count;
    private final List<List<ChangeSet>> transactions = new ArrayList<>();
    private int next;

    WatchedPages(
        BenchSettings settings, BenchKafka kafka, SimulatedPages pages, int count, BenchProgress progress) {
      this.pages = pages;
      this.count = count;
      source = BenchSource.create(kafka);
      ledger = source.ledger(ProducerFactory.KAFKA);
      source.fill(ledger, pages, count, progress);
      for (var transaction = 0; transaction < TRANSACTIONS * settings.rounds(); transaction++) {
        transactions.add(Stream.generate(this::detected).limit(LedgerBench.SNAPSHOTS).toList());
      }
    }

    /** Returns the changes from the first version of the next page, which the ledger knows, to its second version. */
    private ChangeSet detected() {
      next = (next + STRIDE) % count;
      return pages.detector().detect(pages.snapshot(next, 1, pages.at(1)), ledger.states());
    }

    long detect() {
      return LedgerBench.changes(detected());
    }

    long commit() {
      next++;
      var transaction = transactions.get(next % transactions.size());
      ledger.commit(transaction);
      return transaction.stream().mapToLong(LedgerBench::changes).sum();
    }

    long resources() {
      return (long) count * RestoreBench.RESOURCES_OF_PAGE;
    }

    @Override
    public void close() {
      ledger.close();
      source.close();
    }
  }
}
