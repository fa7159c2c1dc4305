package io.tidemark.bench;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.change.ChangeDetector;
import io.tidemark.change.ChangeSet;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.ProducerFactory;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Work that is divided over processes in the same cluster, by processor time: what a change costs where two processes
 * commit at the same time, each for a source of its own, and what an answer costs where two mirrors of one source answer
 * at the same time. The limit is one process. Two bare servers show how much of the loss is the machine's: with a process
 * of clients for each server, four processes share its cores. Streams are divided in {@link StreamBench}.
 */
final class DivisionBench implements BenchPart {
  private static final int PROCESSES = 2;
  private static final int PAGES = 200;

  /** Of the clients of a server, each time. */
  private static final int REQUESTS = 100;
  private static final int CONNECTIONS = 4;

  private static final double SECOND = 1e9;

  /** Flat within 20 %. */
  private static final double REACH = 1 / 1.2;

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  @Override
  public String name() {
    return "division";
  }

  @Override
  public String description() {
    return "changes detected and committed by two processes at once, each with a source of its own, and requests that"
        + " two mirrors of one source, and two bare servers, answer at once, by processor time; limit: one process";
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var name = "division, %d ".formatted(PROCESSES);
    var pollers = measure(PollerProcess.class, List.of(kafka.bootstrapServers()), settings, progress);
    try (var source = BenchSource.create(kafka); var ledger = source.ledger(ProducerFactory.KAFKA)) {
      var pages = new SimulatedPages(Instant.now());
      ledger.commit(List.of(pages.detector().detect(pages.trending(), ledger.states())));
      var mirrors = measure(
          MirrorProcess.class, List.of(kafka.bootstrapServers(), source.topics().prefix()), settings, progress);
      var servers = measure(BareServerProcess.class, List.of(), settings, progress);
      return List.of(BenchResult.moreIsBetter(name + "sources", "changes/s", pollers, REACH),
          BenchResult.moreIsBetter(name + "mirrors", "requests/s", mirrors, REACH),
          BenchResult.moreIsBetter(name + "bare servers", "requests/s", servers, REACH));
    }
  }

  /** What all processes do in a second of one core while all of them work, and what one does alone, in each round. */
  private static List<BenchResult.Round> measure(
      Class<?> main, List<String> arguments, BenchSettings settings, BenchProgress progress) {
    var processes = new ArrayList<ChildJvm>();
    try {
      for (var number = 0; number < PROCESSES; number++) {
        processes.add(ChildJvm.start(main, arguments.toArray(String[]::new)));
      }
      processes.forEach(ChildJvm::answer);
      rate(processes, settings.warmUp());
      var rates = new ArrayList<BenchResult.Round>();
      for (var round = 0; round < settings.rounds(); round++) {
        rates.add(new BenchResult.Round(
            rate(processes, settings.round()), rate(processes.subList(0, 1), settings.round())));
        progress.update(round + 1L, settings.rounds());
      }
      return rates;
    } finally {
      processes.forEach(ChildJvm::close);
    }
  }

  /** What is done in a second of one core, by all of them together, while all of them work for a time. */
  private static double rate(List<ChildJvm> processes, Duration time) {
    var answers = processes.stream()
        .map(each -> CompletableFuture.supplyAsync(() -> each.ask(Long.toString(time.toNanos())))).toList();
    var done = 0L;
    var nanos = 0L;
    for (var answer : answers) {
      var figures = answer.join().split(" ", -1);
      done += Long.parseLong(figures[0]);
      nanos += Long.parseLong(figures[1]);
    }
    return done / (nanos / SECOND);
  }

  /** Something that a process does for so many nanoseconds. Answers how much of it was done. */
  private interface TimedWork {
    long run(long nanos);
  }

  /** Says that the process is ready, and then answers each time in nanoseconds with what was done and processor time. */
  private static void serve(TimedWork work) throws IOException {
    ChildJvm.reply("ready");
    var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (var request = requests.readLine(); request != null; request = requests.readLine()) {
      var processor = SYSTEM.getProcessCpuTime();
      var done = work.run(Long.parseLong(request));
      ChildJvm.reply(done + " " + (SYSTEM.getProcessCpuTime() - processor));
    }
  }

  /** The process of a poller: detects and commits pages in turn, on each of which all pools moved, for a time. */
  static final class PollerProcess {
    private static final int SNAPSHOTS = 8;

    private final SimulatedPages pages = new SimulatedPages(Instant.now());
    private final ChangeDetector detector = pages.detector();
    private final Ledger ledger;
    private int next = PAGES;

    private PollerProcess(Ledger ledger) {
      this.ledger = ledger;
    }

    /** Ends with the other process. */
    public static void main(String[] arguments) throws IOException {
      try (var source = BenchSource.create(BenchKafka.at(arguments[0]));
          var ledger = source.ledger(ProducerFactory.KAFKA)) {
        var poller = new PollerProcess(ledger);
        source.fill(ledger, poller.pages, PAGES, (done, total) -> {});
        serve(poller::run);
      }
      Runtime.getRuntime().halt(0);
    }

    private long run(long nanos) {
      var end = System.nanoTime() + nanos;
      var changes = 0L;
      do {
        var sets = Stream.generate(this::detected).limit(SNAPSHOTS).toList();
        ledger.commit(sets);
        changes += sets.stream().mapToLong(LedgerBench::changes).sum();
      } while (System.nanoTime() < end);
      return changes;
    }

    /** The next page, five minutes after the last time. */
    private ChangeSet detected() {
      var step = next / PAGES;
      return detector.detect(pages.snapshot(next++ % PAGES, step, pages.at(step)), ledger.states());
    }
  }

  /** The process of a mirror: answers requests for the trending pools, for a time. */
  static final class MirrorProcess {
    private MirrorProcess() {}

    /** Ends with the other process. */
    public static void main(String[] arguments) throws IOException {
      var topics = new Topics(arguments[1], Retention.DEFAULT);
      try (var mirror = MirrorBench.read(topics, Map.of("bootstrap.servers", arguments[0]));
          var server = MirrorBench.serve(mirror);
          var clients = HttpLoad.start()) {
        MirrorBench.awaitCaughtUp(mirror);
        var url = MirrorBench.url(server.port(), SimulatedPages.trendingQuery());
        serve(requests(clients, url));
      }
      Runtime.getRuntime().halt(0);
    }
  }

  /** The process of a server that answers with the bytes of one page. */
  static final class BareServerProcess {
    private BareServerProcess() {}

    /** Ends with the other process. */
    public static void main(String[] arguments) throws IOException {
      var server = MirrorBench.bareServer(new SimulatedPages(Instant.now()).body(0, 0));
      try (var clients = HttpLoad.start()) {
        serve(requests(clients, MirrorBench.bareUrl(server)));
      } finally {
        server.disposeNow();
      }
      Runtime.getRuntime().halt(0);
    }
  }

  /** Requests of a URL by a process of clients. */
  private static TimedWork requests(ChildJvm clients, String url) {
    return nanos -> {
      var end = System.nanoTime() + nanos;
      var answered = 0L;
      do {
        HttpLoad.get(clients, REQUESTS, CONNECTIONS, url);
        answered += REQUESTS;
      } while (System.nanoTime() < end);
      return answered;
    };
  }
}
