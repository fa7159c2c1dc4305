package io.tidemark.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.eventlog.ProgramProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo as someone uses it, with the heap of the launcher: eight tabs of a browser, one of which goes through every
 * view about once a minute and one of which stays on a pool, three readers of feeds that start from the beginning and go
 * away, a {@code tail}, and a file of ten rules. {@code -Dtidemark.load.minutes=120} goes on for so long and prints a row
 * for each quarter of an hour. Pauses and delays are printed, and not asserted: they say as much of the machine as of the
 * demo.
 */
class DemoLoadIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int ROUNDS = 2;

  /** Of pools, while a view is looked at: about 30 come in a second, so that all views take about a minute. */
  private static final int CHANGES_OF_A_VIEW = 150;

  private static final Duration LASTS = Duration.ofMinutes(Integer.getInteger("tidemark.load.minutes", 0));
  private static final Duration ROW = Duration.ofMinutes(15);

  /**
   * Output of a demo that somebody else has started, such as that of a container, beside which gc.log is its log of
   * collections; empty to start one.
   */
  private static final String STARTED = System.getProperty("tidemark.load.output", "");

  /** External registry of that demo; empty if it has none. */
  private static final String REGISTRY = System.getProperty("tidemark.load.registry", "");

  /** Process of that demo, to read its resident memory. */
  private static final long STARTED_PROCESS = Long.getLong("tidemark.load.process", -1);

  private static final List<String> VIEWS =
      List.of("live", "new", "trending", "movers", "coins", "alerts", "treasuries",
          "launches", "dominance", "coverage", "find/sol");
  private static final List<String> FROM_THE_BEGINNING = List.of("pool.changes", "trending.changes", "alerts");
  private static final double MOST_OF_HEAP = 0.8;

  private static final String HEAD = "| time | heap after collection | resident | young, longest | mixed, longest "
      + "| full, longest | changes/s | commit to reader | ERROR |";

  private static final Pattern PAUSE =
      Pattern
          .compile(
              "\\[([\\d.]+)s].*GC\\((\\d+)\\) Pause (Young \\(Mixed\\)|Young|Full|Remark)[^\\n]*? \\d+M->(\\d+)M\\((\\d+)M\\) ([\\d.]+)ms");
  private static final Pattern PROCESSOR = Pattern.compile("GC\\((\\d+)\\) User=([\\d.]+)s Sys=([\\d.]+)s");
  private static final Pattern KAFKA = Pattern.compile("Kafka +(\\S+)");

  @TempDir
  Path folder;

  private ChildPrograms processes;
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final ConcurrentLinkedQueue<Long> delays = new ConcurrentLinkedQueue<>();
  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * A collection.
   *
   * @param seconds since the start of the process
   * @param after megabytes in use
   * @param heap megabytes of the whole
   * @param millis of processor time, which does not depend on what else the machine does
   */
  private record Collection(double seconds, Kind kind, int after, int heap, double millis) {}

  /** Old objects are collected in full collections of the serial collector, and in mixed ones of G1; a remark frees few. */
  private enum Kind {
    YOUNG,
    MIXED,
    FULL,
    REMARK
  }

  /**
   * The time in which the first tab goes through every view.
   *
   * @param rate changes a second
   * @param delay median of the milliseconds from commit to reader
   */
  private record Round(double rate, double delay) {}

  @BeforeEach
  void prepare() {
    processes = new ChildPrograms(folder);
  }

  @AfterEach
  void stop() throws Exception {
    for (var each : opened) {
      each.close();
    }
    http.shutdownNow();
    processes.stop();
  }

  @Test
  void demoThatIsUsed_keepsItsHeap() throws Exception {
    var output = STARTED.isEmpty() ? processes.startDemo("-Xlog:gc*:file=" + gcLog() + "::filecount=0")
        : Path.of(STARTED);
    var web = "http://" + ChildPrograms.find(ChildPrograms.PAGE, output);
    var kafka = ChildPrograms.find(KAFKA, output);
    var begun = System.nanoTime();
    measureDelays(web);
    awaitChanges(web); // the command waits only 20 s for the source to be polled, and a busy machine starts slowly
    processes.run("rules", atCluster(kafka, "rules", "apply", rules().toString(), "--wait", "120"));
    processes.start("tail", atCluster(kafka, "tail", "pool.changes"));
    var tabs = openTabs(web);

    var rounds = new ArrayList<Round>();
    var rows = 0;
    System.out.println(HEAD);
    for (var round = 0; round < ROUNDS || System.nanoTime() - begun < LASTS.toNanos(); round++) {
      rounds.add(goThroughEveryView(tabs.getFirst(), web));
      if (System.nanoTime() - begun > ROW.toNanos() * (rows + 1)) {
        rows++;
        System.out.println(row(output, rounds.getLast()));
      }
    }

    System.out.println(row(output, rounds.getLast()));
    System.out.printf("first round %s; last round %s%n", rounds.getFirst(), rounds.getLast());
    assertThat(Files.readString(output).lines().filter(line -> line.contains("ERROR")
        && ProgramProcess.ERRORS_OF_A_BUSY_MACHINE.stream().noneMatch(line::contains))).isEmpty();
    assertHeapIsFlat(collections());
  }

  private static String[] atCluster(String kafka, String... command) {
    var registry = REGISTRY.isEmpty() ? Stream.<String>of() : Stream.of("--registry", REGISTRY);
    return Stream.of(Stream.of(command), Stream.of("--bootstrap", kafka), registry).flatMap(each -> each)
        .toArray(String[]::new);
  }

  private Round goThroughEveryView(Chromium tab, String web) {
    delays.clear();
    var begun = System.nanoTime();
    followFromTheBeginning(web);
    for (var view : VIEWS) {
      tab.evaluate("location.hash = '#/" + view + "'");
      awaitChanges(web);
    }
    return new Round(delays.size() * 1e9 / (System.nanoTime() - begun), median(delays));
  }

  private static void assertHeapIsFlat(List<Collection> all) {
    assertThat(all).isNotEmpty();
    var heap = all.getLast().heap();
    var third = all.size() / 3;
    var middle = after(all.subList(third, 2 * third)).getAverage();
    var last = after(all.subList(2 * third, all.size()));
    assertThat(last.getAverage()).as("megabytes after collection, of %d", heap).isLessThan(heap * MOST_OF_HEAP);
    if (LASTS.isPositive()) { // the first minutes load classes and fill what is bounded
      assertThat(last.getAverage()).as("megabytes after collection; before: %.0f", middle)
          .isLessThan(middle + heap / 10.0);
    }
  }

  private static IntSummaryStatistics after(List<Collection> collections) {
    return collections.stream().filter(each -> each.kind() != Kind.REMARK).mapToInt(Collection::after)
        .summaryStatistics();
  }

  private Path gcLog() {
    return STARTED.isEmpty() ? folder.resolve("gc.log") : Path.of(STARTED).resolveSibling("gc.log");
  }

  private Path rules() throws IOException {
    return Files.writeString(folder.resolve("mine.yaml"), IntStream.rangeClosed(1, 10).mapToObj(each -> """
        - name: mine-%1$d
          on: pool.changes
          when: changed.price && price.move_percent > %1$d.0 && about.reserve_usd > %1$d000
          cooldown: 30m
          severity: info
          annotations: { summary: "{{ about.name }} rose" }
        """.formatted(each).indent(2)).collect(Collectors.joining("", "rules:\n", "")));
  }

  private List<Chromium> openTabs(String web) throws Exception {
    var tabs = new ArrayList<Chromium>();
    tabs.add(Chromium.start(folder.resolve("profile")));
    opened.add(tabs.getFirst());
    for (var i = 1; i < 8; i++) {
      tabs.add(tabs.getFirst().openTab());
    }
    for (var i = 0; i < 7; i++) {
      tabs.get(i).open(web + "/#/" + VIEWS.get(i));
    }
    tabs.get(7).open(web + "/#/pool/solana/" + newestPool(web));
    return tabs;
  }

  private String newestPool(String web) throws Exception {
    var pools = http.send(HttpRequest.newBuilder(URI.create(web + "/api/v3/onchain/networks/solana/new_pools")).build(),
        BodyHandlers.ofString());
    return new ObjectMapper().readTree(pools.body()).at("/data/0/attributes/address").asText();
  }

  /** Notes how long each change takes from its commit to a reader. */
  private void measureDelays(String web) {
    Thread.ofVirtual().start(() -> {
      var json = new ObjectMapper();
      readLines(web + "/v1/feeds/pool.changes", line -> {
        if (line.startsWith("data: {\"topic\"") && line.contains("\"timestamp\"")) {
          try {
            delays.add(System.currentTimeMillis() - json.readTree(line.substring(6)).path("timestamp").asLong());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
        return true;
      });
    });
  }

  /** Three readers that go away after they have got all. */
  private void followFromTheBeginning(String web) {
    FROM_THE_BEGINNING.forEach(topic -> Thread.ofVirtual().start(() -> readLines(
        web + "/v1/feeds/" + topic + "?from=beginning", line -> !line.startsWith("event: caught-up"))));
  }

  private void readLines(String address, Predicate<String> reader) {
    try (var lines = new BufferedReader(new InputStreamReader(http.send(
        HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofInputStream()).body(), UTF_8))) {
      for (var line = lines.readLine(); line != null && reader.test(line); line = lines.readLine()) {
        // the reader has it
      }
    } catch (IOException e) {
      // at the end of the test
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A view is looked at until some more changes have come. */
  private void awaitChanges(String web) {
    var before = delays.size();
    await("changes of " + web).atMost(TIMEOUT).until(() -> delays.size() > before + CHANGES_OF_A_VIEW);
  }

  private static double median(java.util.Collection<Long> values) {
    return values.stream().mapToLong(Long::longValue).sorted().skip(values.size() / 2).findFirst().orElse(-1);
  }

  private List<Collection> collections() throws IOException {
    var log = Files.readString(gcLog());
    var processor = PROCESSOR.matcher(log).results().collect(Collectors.toMap(
        found -> found.group(1),
        found -> 1_000 * (Double.parseDouble(found.group(2)) + Double.parseDouble(found.group(3))), Math::max));
    return PAUSE.matcher(log).results()
        .map(found -> new Collection(Double.parseDouble(found.group(1)), kind(found.group(3)),
            Integer.parseInt(found.group(4)), Integer.parseInt(found.group(5)),
            processor.getOrDefault(found.group(2), Double.parseDouble(found.group(6)))))
        .toList();
  }

  private static Kind kind(String pause) {
    return pause.contains("Mixed") ? Kind.MIXED : Kind.valueOf(pause.toUpperCase(Locale.ROOT));
  }

  /** Figures of the last quarter of an hour. */
  private String row(Path output, Round round) throws IOException {
    var errors = Files.readString(output).lines().filter(line -> line.contains("ERROR")).count();
    return "%s %.0f | %.0f ms | %d |".formatted(memory(), round.rate(), round.delay(), errors);
  }

  private String memory() throws IOException {
    var all = collections();
    var now = all.getLast().seconds();
    var newest = all.stream().filter(each -> each.seconds() > now - ROW.toSeconds()).toList();
    var after = after(newest);
    return "| %d min | %d to %d MB of %d | %d MB | %s | %s | %s |".formatted(Math.round(now / 60), after.getMin(),
        after.getMax(), newest.getLast().heap(), residentMegabytes(), longest(newest, Kind.YOUNG),
        longest(newest, Kind.MIXED), longest(newest, Kind.FULL));
  }

  private static String longest(List<Collection> collections, Kind kind) {
    var millis = collections.stream().filter(each -> each.kind() == kind).mapToDouble(Collection::millis)
        .summaryStatistics();
    return millis.getCount() == 0 ? "0" : "%d, %.0f ms".formatted(millis.getCount(), millis.getMax());
  }

  private long residentMegabytes() throws IOException {
    var status =
        Path.of("/proc", Long.toString(STARTED.isEmpty() ? processes.firstId() : STARTED_PROCESS), "status");
    return Files.exists(status)
        ? Files.readAllLines(status).stream().filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10).findFirst().orElse(0)
        : 0;
  }
}
