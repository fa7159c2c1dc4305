package io.tidemark.bench;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.change.ChangeDetector;
import io.tidemark.change.ChangeSet;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.ProducerFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Sources that are divided over processes: what a change costs where two processes commit at the same time, each for a
 * source of its own, to the same cluster. The limit is one process with one source. Streams are divided in {@link
 * StreamBench}.
 */
final class DivisionBench implements BenchPart {
  private static final int PROCESSES = 2;
  private static final double SECOND = 1e9;

  /** Flat within 20 %. */
  private static final double REACH = 1 / 1.2;

  @Override
  public String name() {
    return "division";
  }

  @Override
  public String description() {
    return "changes detected and committed by two processes at once, each with a source of its own, by processor time;"
        + " limit: one process with one source";
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var pollers = new ArrayList<ChildJvm>();
    try {
      for (var number = 0; number < PROCESSES; number++) {
        pollers.add(ChildJvm.start(PollerProcess.class, kafka.bootstrapServers()));
      }
      pollers.forEach(ChildJvm::answer);
      rate(pollers, settings.warmUp());
      var rates = new ArrayList<double[]>();
      for (var round = 0; round < settings.rounds(); round++) {
        rates.add(new double[] {rate(pollers, settings.round()), rate(pollers.subList(0, 1), settings.round())});
        progress.update(round + 1L, settings.rounds());
      }
      return List.of(BenchResult.ofRounds("division, %d sources".formatted(PROCESSES), "changes/s", rates, REACH));
    } finally {
      pollers.forEach(ChildJvm::close);
    }
  }

  /** Changes in a second of one core, of all of them together, while all of them work. */
  private static double rate(List<ChildJvm> pollers, Duration time) {
    var answers = pollers.stream()
        .map(each -> CompletableFuture.supplyAsync(() -> each.ask(Long.toString(time.toNanos())))).toList();
    var changes = 0L;
    var nanos = 0L;
    for (var answer : answers) {
      var figures = answer.join().split(" ", -1);
      changes += Long.parseLong(figures[0]);
      nanos += Long.parseLong(figures[1]);
    }
    return changes / (nanos / SECOND);
  }

  /** The process of a poller: detects and commits pages in turn, on each of which all pools moved, for a time. */
  static final class PollerProcess {
    private static final int PAGES = 200;
    private static final int SNAPSHOTS = 8;

    private static final OperatingSystemMXBean SYSTEM =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final SimulatedPages pages = new SimulatedPages(Instant.now());
    private final ChangeDetector detector = pages.detector();
    private final Ledger ledger;
    private int next = PAGES;

    private PollerProcess(Ledger ledger) {
      this.ledger = ledger;
    }

    /** Answers once it knows the pages, and then each time in nanoseconds with changes and processor time. */
    public static void main(String[] arguments) throws IOException {
      try (var source = BenchSource.create(BenchKafka.at(arguments[0]));
          var ledger = source.ledger(ProducerFactory.KAFKA)) {
        var poller = new PollerProcess(ledger);
        source.fill(ledger, poller.pages, PAGES, (done, total) -> {});
        ChildJvm.reply("ready");
        var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var request = requests.readLine(); request != null; request = requests.readLine()) {
          ChildJvm.reply(poller.run(Long.parseLong(request)));
        }
      }
      Runtime.getRuntime().halt(0);
    }

    private String run(long nanos) {
      var processor = SYSTEM.getProcessCpuTime();
      var end = System.nanoTime() + nanos;
      var changes = 0L;
      do {
        var sets = Stream.generate(this::detected).limit(SNAPSHOTS).toList();
        ledger.commit(sets);
        changes += sets.stream().mapToLong(LedgerBench::changes).sum();
      } while (System.nanoTime() < end);
      return changes + " " + (SYSTEM.getProcessCpuTime() - processor);
    }

    /** The next page, five minutes after the last time. */
    private ChangeSet detected() {
      var step = next / PAGES;
      return detector.detect(pages.snapshot(next++ % PAGES, step, pages.at(step)), ledger.states());
    }
  }
}
