package io.tidemark.bench;

import io.tidemark.bench.HttpLoad.AnswerTimes;
import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.kafka.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/**
 * The bench part that measures the time from the last byte of an answer until a consumer of committed records reads the
 * changes, or the alerts of a rule on these changes. Snapshots of 20 pools, all of which moved, arrive at a fixed pace.
 */
final class LatencyBench implements BenchPart {
  private static final int PAGES = 20;
  private static final int MOST_ROUNDS = 2;
  private static final int ROUNDS_LONG = 10;
  /** Maximum milliseconds until a change or an alert is read, for the median and for 99 of 100. */
  private static final double MEDIAN = 100;
  private static final double SLOWEST = 500;
  private static final double MEDIAN_OF_ALERTS = 500;
  private static final double SLOWEST_OF_ALERTS = 1_000;
  private static final double MILLISECOND = 1e6;
  private static final Duration LOST = Duration.ofSeconds(60);
  private static final Duration TICK = Duration.ofSeconds(1);

  /** Maximum number of snapshots in a batch and maximum wait for a batch, as in the session of a source. */
  private static final int BATCH_SIZE = 8;
  private static final Duration BATCH_WAIT = Duration.ofMillis(20);

  private final String name;
  private final String description;
  private final Duration pace;
  private final boolean isOfAlerts;

  private LatencyBench(String name, String description, Duration pace, boolean isOfAlerts) {
    this.name = name;
    this.description = description;
    this.pace = pace;
    this.isOfAlerts = isOfAlerts;
  }

  /** Returns the part for changes and the part for alerts. */
  static List<BenchPart> parts() {
    return List.of(
        new LatencyBench("latency",
            "from an answer to its changes in a consumer of committed records, at 50 snapshots a second",
            Duration.ofMillis(20), false),
        new LatencyBench("alerts",
            "from an answer to the alert of a rule on one of its pools, at 10 snapshots a second",
            Duration.ofMillis(100), true));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    try (var source = source(settings, kafka); var ledger = source.ledger(ProducerFactory.KAFKA)) {
      var pages = new DetectedPages(ledger);
      if (!isOfAlerts) {
        return measure(settings, source, pages.marks, pages::commit, progress);
      }
      try (var streams = AlertStreams.start(source)) {
        StreamLoad.announceRules(ledger, source, List.of(AlertStreams.rule(pages.marks.keySet())));
        streams.awaitRunning();
        return measure(settings, source, pages.marks, pages::commitAndTick, progress);
      }
    }
  }

  private BenchSource source(BenchSettings settings, BenchKafka kafka) {
    return isOfAlerts
        ? BenchSource.createWithStreams(kafka, settings.partitions())
        : BenchSource.create(kafka);
  }

  private List<BenchResult> measure(BenchSettings settings, BenchSource source, Map<String, Integer> marks,
      Consumer<List<Integer>> commit, BenchProgress progress) {
    var count = (int) (settings.round().multipliedBy(ROUNDS_LONG).toMillis() / pace.toMillis());
    var rounds = settings.atMost(MOST_ROUNDS).rounds();
    var times = new ArrayList<AnswerTimes>();
    for (var round = 0; round <= rounds; round++) {
      var measured = new Arrivals(source, marks).measure(count, commit);
      if (round > 0) { // the first round only warms up the compiler
        times.add(new AnswerTimes(percentile(measured, 50), percentile(measured, 99)));
      }
      progress.update(round + 1L, rounds + 1L);
    }
    return results(name, times, isOfAlerts ? MEDIAN_OF_ALERTS : MEDIAN, isOfAlerts ? SLOWEST_OF_ALERTS : SLOWEST);
  }

  static List<BenchResult> results(String name, List<AnswerTimes> times, double median, double slowest) {
    return List.of(result(name + ", median", times, AnswerTimes::median, median),
        result(name + ", 99 of 100", times, AnswerTimes::p99, slowest));
  }

  private static BenchResult result(
      String name, List<AnswerTimes> times, ToDoubleFunction<AnswerTimes> of, double aim) {
    var rounds = times.stream().map(each -> new BenchResult.Round(of.applyAsDouble(each))).toList();
    return BenchResult.lessIsBetter(name, "ms", rounds, aim);
  }

  /** Returns a percentile, in milliseconds, of sorted times in nanoseconds. */
  static double percentile(long[] sorted, int percent) {
    return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)] / MILLISECOND;
  }

  /** Pages whose changes are detected and committed. All pools of a page move each time. */
  private static final class DetectedPages {
    private final SimulatedPages pages = new SimulatedPages(Instant.now());
    private final ChangeDetector detector = pages.detector();
    private final Ledger ledger;
    private final int[] steps = new int[PAGES];
    private long tickedAt = System.nanoTime();

    /** Number of each page, by the key of one pool of the page. */
    final Map<String, Integer> marks = new HashMap<>();

    DetectedPages(Ledger ledger) {
      this.ledger = ledger;
      for (var page = 0; page < PAGES; page++) {
        marks.put(mark(append(page)), page);
      }
      ledger.commit();
    }

    private static String mark(ChangeSet set) {
      return set.updates().stream().filter(update -> update.resource().equals("pool")).findFirst().orElseThrow().key();
    }

    private ChangeSet append(int page) {
      return ledger.append(detector.detect(pages.snapshot(page, steps[page]++, Instant.now()), ledger.states()));
    }

    void commit(List<Integer> numbers) {
      numbers.forEach(this::append);
      ledger.commit();
    }

    void commitAndTick(List<Integer> numbers) {
      commit(numbers);
      if (System.nanoTime() - tickedAt > TICK.toNanos()) {
        ledger.tick();
        tickedAt = System.nanoTime();
      }
    }
  }

  /** The times when pages arrive, and when the change or the alert of one pool of each page is read. */
  private final class Arrivals {
    private final BenchSource source;
    private final Map<String, Integer> marks;
    private final List<Queue<Long>> arrived =
        IntStream.range(0, PAGES).<Queue<Long>>mapToObj(page -> new ConcurrentLinkedQueue<>()).toList();

    Arrivals(BenchSource source, Map<String, Integer> marks) {
      this.source = source;
      this.marks = marks;
    }

    /**
     * Lets the given number of pages arrive, and another thread commit them. Returns the sorted times from arriving to
     * reading, in nanoseconds.
     */
    long[] measure(int count, Consumer<List<Integer>> commit) {
      var ready = new CompletableFuture<Void>();
      var times = CompletableFuture.supplyAsync(() -> read(count, ready));
      ready.join();
      var thread = Schedulers.newSingle("bench-ledger");
      Flux.interval(pace, Schedulers.parallel())
          .take(count)
          .map(number -> arrive((int) (number % PAGES)))
          .onBackpressureBuffer()
          .bufferTimeout(BATCH_SIZE, BATCH_WAIT, Schedulers.parallel(), true)
          .publishOn(thread, 1)
          .doOnNext(commit)
          .doFinally(signal -> thread.dispose())
          .then().toFuture().join();
      return times.join();
    }

    private int arrive(int page) {
      arrived.get(page).add(System.nanoTime());
      return page;
    }

    private long[] read(int count, CompletableFuture<Void> ready) {
      Topic<?> topic = isOfAlerts ? source.topics().alerts() : source.topics().pool().changes();
      var times = new long[count];
      var read = 0;
      try (var consumer = source.settings().consumer()) {
        var partitions = IntStream.range(0, source.settings().layout().partitions())
            .mapToObj(number -> new TopicPartition(topic.name(), number)).toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        ready.complete(null);
        var end = System.nanoTime() + pace.multipliedBy(count).plus(LOST).toNanos();
        while (read < count) {
          if (System.nanoTime() > end) {
            throw new IllegalStateException(
                "%s: only %d of %d snapshots were read in time".formatted(name, read, count));
          }
          for (var record : consumer.poll(Duration.ofMillis(100))) {
            var page = marks.get(new String(record.key(), StandardCharsets.UTF_8));
            var at = page == null ? null : arrived.get(page).poll();
            if (at != null) { // null for other pools, and for a commit before the measurement
              times[read++] = System.nanoTime() - at;
            }
          }
        }
      }
      Arrays.sort(times);
      return times;
    }
  }
}
