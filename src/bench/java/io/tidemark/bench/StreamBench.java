package io.tidemark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The bench part that measures how many pools per second pass through all aggregates and shipped rules, by the
 * processor time of the instances, each in a separate process. The limit is a Kafka Streams application with the same
 * settings over the same records. That application reads the records without decoding, and puts values of the same size
 * as often as Tidemark's application.
 */
final class StreamBench implements BenchPart {
  private static final int MOST_ROUNDS = 2;

  /**
   * Minutes of virtual time in the warm-up, for each second that the warm-up of other parts lasts. There is more code
   * to compile than in other parts.
   */
  private static final int WARM_UP_MINUTES = 3;
  private static final double SECOND = 1e9;

  /** Maximum number of pages in a minute of virtual time: the calls of the largest plan. */
  private static final int MOST_PAGES = 1_000;
  private static final int RESOURCES_OF_A_POLLED_PAGE = 100;

  @Override
  public String name() {
    return "streams";
  }

  @Override
  public String description() {
    return "pools, all of which change, through all aggregates and shipped rules, by processor time, over partitions"
        + " (--partitions) and instances; limit: a bare Kafka Streams application that puts values as often";
  }

  /** The division of the topics into partitions and of the work among instances. */
  private record Division(int partitions, int instances) {
    static List<Division> upTo(int partitions) {
      return Stream.of(new Division(1, 1), new Division(partitions, 1)).distinct().toList();
    }

    String title() {
      return "streams, %d partition%s, %d instance%s".formatted(
          partitions, partitions == 1 ? "" : "s", instances, instances == 1 ? "" : "s");
    }
  }

  @Override
  public boolean takesLong() {
    return true;
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var divisions = Division.upTo(settings.partitions());
    var results = new ArrayList<BenchResult>();
    for (var division : divisions) {
      try (var run = new DividedRun(division, settings, kafka)) {
        results.add(run.measure((done, total) -> progress.update(
            results.size() * total + done, divisions.size() * total)));
      }
    }
    return results;
  }

  private static final class DividedRun implements AutoCloseable {
    private final Division division;
    private final BenchSettings settings;
    private final int pages;
    private final StreamLoad load;
    private final BenchSource other;
    private final List<StreamProcess> ours;
    private List<StreamProcess> bare = List.of();

    DividedRun(Division division, BenchSettings settings, BenchKafka kafka) {
      this.division = division;
      this.settings = settings.atMost(MOST_ROUNDS);
      this.pages = Math.clamp(settings.resources() / RESOURCES_OF_A_POLLED_PAGE, 1, MOST_PAGES);
      load = StreamLoad.create(kafka, division.partitions());
      other = BenchSource.createWithStreams(kafka, division.partitions());
      ours = started(() -> StreamProcess.start(load.source(), false));
    }

    private List<StreamProcess> started(Supplier<StreamProcess> start) {
      var instances = Stream.generate(start).limit(division.instances()).toList();
      StreamProcess.awaitRunning(instances);
      return instances;
    }

    BenchResult measure(BenchProgress progress) {
      try (var writer = load.producer().bare()) {
        var records = load.recorded(this::warmUp, other);
        var before = StreamProcess.awaitDone(ours);
        var minute = new Minute();
        records = Stream.concat(records.stream(), load.recorded(minute, other).stream()).toList();
        var puts = StreamProcess.awaitDone(ours);
        var count = puts.puts() - before.puts();
        bare = started(() -> StreamProcess.startBare(
            other, (double) count / minute.changes,
            (int) ((puts.putBytes() - before.putBytes()) / Math.max(1, count))));
        LedgerBench.write(writer, records);
        StreamProcess.awaitDone(bare);
        var rates = new ArrayList<BenchResult.Round>();
        for (var round = 0; round < settings.rounds(); round++) {
          var each = new Minute();
          var copies = new ArrayList<ProducerRecord<byte[], byte[]>>();
          var rate = rate(ours, () -> copies.addAll(load.recorded(each, other)));
          rates.add(new BenchResult.Round(rate, rate(bare, () -> LedgerBench.write(writer, copies))));
          progress.update(round + 1L, settings.rounds());
        }
        return BenchResult.moreIsBetter(division.title(), "pools/s", rates, 0).ofPlan(BenchResult.PLAN_POOLS);
      }
    }

    private void warmUp() {
      load.fill(pages);
      for (var minute = 0; minute < WARM_UP_MINUTES * settings.warmUp().toSeconds(); minute++) {
        load.minute(pages);
      }
    }

    /** A minute of virtual time, with its number of changes. */
    private final class Minute implements Runnable {
      private long changes;

      @Override
      public void run() {
        changes = load.minute(pages);
      }
    }

    /** Returns the pools per second of one core. */
    private double rate(List<StreamProcess> instances, Runnable write) {
      var before = StreamProcess.figures(instances); // all records before are processed
      write.run();
      var taken = StreamProcess.awaitDone(instances).processorNanos() - before.processorNanos();
      return (double) pages * SimulatedPages.POOLS / (Math.max(ProcessorTime.NANOS_OF_A_TICK, taken) / SECOND);
    }

    @Override
    public void close() {
      Stream.concat(ours.stream(), bare.stream()).forEach(StreamProcess::close);
      load.close();
      other.close();
    }
  }
}
